package echoladder.needs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A program, a right or a kernel feature that not every machine has and that some test or runbook page cannot do without.
 *
 * <p>Programs that {@code ./ladder}, Maven and a POSIX shell need themselves are no needs: JDK, Go, sh, coreutils, grep, sed.
 */
public enum Need {
  // .ci/run reads the programs and their Debian packages from these lines.
  // It also installs what the package registry of Python has; these lines name the versions.
  ANSIBLE_LINT("ansible-lint", pip("ansible-lint==26.10.1"), ""),
  ANSIBLE_PLAYBOOK("ansible-playbook", pip("ansible-core==2.19.14"), ""),
  AWK("awk", deb("mawk"), ""),
  ANSIBLE_INVENTORY("ansible-inventory", pip("ansible-core==2.19.14"), ""),
  BASH("bash", deb("bash"), ""),
  /** New enough to ask its registry for single crates, and with a network that reaches that. */
  CARGO("cargo", deb("cargo") + " of Debian 13, Ubuntu 25.04 or newer, or rustup; and a network that reaches its registry", crate()),
  CC("cc gcc clang", deb("gcc libc6-dev"), ""),
  CHROMIUM("chromium chromium-browser google-chrome chrome", deb("chromium"), ""),
  CURL("curl", deb("curl"), ""),
  /** Formats manual pages. */
  GROFF("groff", deb("groff"), ""),
  H2LOAD("h2load", deb("nghttp2-client"), ""),
  /** By which a lab gets modules of its kernel. */
  INSMOD("insmod", deb("kmod"), ""),
  IP("ip", deb("iproute2"), ""),
  LINUX_UML("linux.uml", deb("user-mode-linux") + ", for x86-64 alone", ""),
  MOUNT("mount", deb("mount"), ""),
  NFT("nft", deb("nftables"), ""),
  NODE("node", deb("nodejs"), ""),
  NSENTER("nsenter", deb("util-linux"), ""),
  NSTAT("nstat", deb("iproute2"), ""),
  /** It may count what processes of others do, and system calls by name. */
  PERF("perf", deb("linux-perf") + ", where Ubuntu has linux-tools-generic; and root, on a kernel that traces system calls",
      "D=$(mktemp -d) && trap 'rm -r $D' EXIT && perf stat -o $D/out -e syscalls:sys_enter_read true"),
  PGREP("pgrep", deb("procps"), ""),
  /** A test also tries whether podman may start a container here. */
  PODMAN("podman", deb("podman") + "; and root, where .ci/podman-runs starts a container", ""),
  PRLIMIT("prlimit", deb("util-linux"), ""),
  /** Runs on each host that Ansible reaches. */
  PYTHON("python3", deb("python3"), "test -x /usr/bin/python3"),
  SETPRIV("setpriv", deb("util-linux"), ""),
  SHELLCHECK("shellcheck", deb("shellcheck"), ""),
  SS("ss", deb("iproute2"), ""),
  SSH("ssh", deb("openssh-client"), ""),
  SSHD("sshd", deb("openssh-server"), ""),
  STRACE("strace", deb("strace"), ""),
  SYSCTL("sysctl", deb("procps"), ""),
  TC("tc", deb("iproute2"), ""),
  TCPKALI("tcpkali", "build it, as no package has it: https://github.com/satori-com/tcpkali", ""),
  UNSHARE("unshare", deb("util-linux"), ""),
  /** The closed loop, which does not know a rate; the build of wrk2 calls itself wrk, too. */
  WRK("wrk", deb("wrk"), "wrk -v 2>&1 | grep -q Copyright && ! wrk -v 2>&1 | grep -qe --rate"),
  WRK2(
      "wrk2 wrk",
      "build it, as no package has it: https://github.com/giltene/wrk2",
      "wrk2 -v 2>&1 | grep -qe --rate || wrk -v 2>&1 | grep -qe --rate"),

  /** Mount, process and network namespaces, and file systems in them. */
  NAMESPACES(
      "",
      "root, with CAP_SYS_ADMIN",
      "unshare --mount --pid --net --fork --mount-proc sh -c 'mount -t tmpfs none /tmp'"),
  /** Clocks of their own for some processes. */
  TIME_NAMESPACES(
      "", "root, and a kernel with CONFIG_TIME_NS", "unshare --time --fork --monotonic 1000 --boottime 1000 true"),
  /** Virtual cables between network namespaces. */
  VETH(
      "",
      "root, and a kernel with CONFIG_VETH (modprobe veth)",
      "unshare --net ip link add echo-a type veth peer name echo-b"),
  NETEM(
      "",
      "root, and a kernel with CONFIG_NET_SCH_NETEM (modprobe sch_netem)",
      "unshare --net tc qdisc add dev lo root netem delay 1ms"),
  /** TLS records that the kernel makes and reads (kTLS). */
  KERNEL_TLS(
      "",
      "a kernel with CONFIG_TLS and CONFIG_CRYPTO_GCM (modprobe -a tls gcm)",
      "grep -qw tls /proc/sys/net/ipv4/tcp_available_ulp"),
  /** Delay and loss on a link, by netem or by two TUN devices. */
  SLOW_LINK(
      "",
      "a kernel with CONFIG_NET_SCH_NETEM (modprobe sch_netem) and tc, or one with CONFIG_TUN and /dev/net/tun",
      "unshare --net tc qdisc add dev lo root netem delay 1ms || test -w /dev/net/tun"),
  /** One that has Tomcat, or had it for this user before. */
  MAVEN_REPOSITORY(
      "",
      "Maven, and a network that reaches a repository for it",
      "test -e ~/.m2/repository/org/apache/tomcat/tomcat/11.0.14/tomcat-11.0.14.tar.gz || { D=$(mktemp -d) && trap 'rm -r $D' EXIT"
          + " && timeout 25 mvn -B -q org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy"
          + " -Dartifact=org.apache.tomcat:tomcat:11.0.14:tar.gz -DoutputDirectory=$D; }"),
  CONNTRACK(
      "",
      "a kernel with nf_conntrack (modprobe nf_conntrack)",
      "test -e /proc/sys/net/netfilter/nf_conntrack_max"),
  CGROUP_PIDS("", "root, and the controller pids in /sys/fs/cgroup", group("pids")),
  CGROUP_MEMORY("", "root, and the controller memory in /sys/fs/cgroup", group("memory")),
  /** Idle states that this process may choose among. */
  IDLE_STATES(
      "",
      "root, on a kernel with idle states and /dev/cpu_dma_latency",
      "test -w /dev/cpu_dma_latency && test -e /sys/devices/system/cpu/cpu0/cpuidle/state1"),
  /** Files that belong to somebody else. */
  OTHER_OWNERS("", "root, with CAP_CHOWN", "D=$(mktemp -d) && trap 'rm -r $D' EXIT && chown 65534 $D"),
  /** Files that are devices. */
  DEVICES("", "root, with CAP_MKNOD", "D=$(mktemp -d) && trap 'rm -r $D' EXIT && mknod $D/zero c 1 5"),
  /** The kernel's settings that there are once per host. */
  HOST_SETTINGS(
      "",
      "root, on a host or a virtual machine of its own",
      "cd /proc/sys && test -w fs/file-max && test -w fs/nr_open && test -w kernel/pid_max && test -w vm/max_map_count"),
  HARD_NOFILE_20000(
      "",
      "a hard limit (ulimit -Hn) of 20,000 or more, which root may set",
      "test $(ulimit -Hn) = unlimited || test $(ulimit -Hn) -ge 20000"),
  /** A text of the C library, or of a language. */
  UTF8_LOCALE("", "a locale with UTF-8: locale-gen C.UTF-8, or " + deb("locales"), "test \"$(LC_ALL=C.UTF-8 locale charmap)\" = UTF-8"),
  NOT_A_LAB("", "run it outside of the lab", "! grep -q 'User Mode Linux' /proc/cpuinfo"),

  // What no shell can look for: a test that finds it missing says so by Lacks.found.
  /** Copies of the descriptors of another process. */
  PIDFD_GETFD("", "a kernel and a container that allow pidfd_getfd(2)", ""),
  IO_URING("", "a kernel and a container that allow io_uring (sysctl kernel.io_uring_disabled), new enough for what is asked of it", ""),
  /** To run a server as a user of its own. */
  OTHER_USER("", "root, and a checkout that all users can read", ""),
  SMALL_SOCKET_BUFFERS("", "lower the last numbers of net.ipv4.tcp_rmem and net.ipv4.tcp_wmem", ""),
  /** What a server.yaml builds its server by. */
  SERVER_BUILD("", "install the program that `build` of the server.yaml begins with", "");

  private static final Map<Need, String> FOUND = new ConcurrentHashMap<>();

  /** {@code lacks ID: }, by which a reason for a skip names what is missing. */
  private static final Pattern NAMED = Pattern.compile("lacks ([\\w.-]+): ");

  /** Those of its program with blanks between, the usual one first; empty for a right or a feature of the kernel. */
  private final String names;

  private final String get;

  /** What a shell can do where it is there, leaving nothing behind; empty where a program on PATH is enough, or only a test finds out. */
  private final String trial;

  Need(String names, String get, String trial) {
    this.names = names;
    this.get = get;
    this.trial = trial;
  }

  private static String deb(String name) {
    return "apt-get install " + name + " (Debian, Ubuntu)";
  }

  private static String pip(String what) {
    return "python3 -m venv VENV && VENV/bin/pip install " + what + ", and VENV/bin on PATH";
  }

  private static String crate() {
    return "D=$(mktemp -d) && trap 'rm -r $D' EXIT && cd $D && cargo init -q --vcs none --name trial && timeout 25 cargo add -q tokio";
  }

  private static String group(String controller) {
    String here = "/sys/fs/cgroup/" + controller;
    return "if test -d %s; then G=%s; else grep -qw %s /sys/fs/cgroup/cgroup.subtree_control && G=/sys/fs/cgroup; fi"
            .formatted(here, here, controller)
        + " && mkdir $G/echo-ladder-trial-$$ && rmdir $G/echo-ladder-trial-$$";
  }

  /** How pages and lists name it: a program by its name, else the constant's in lower case. */
  public String id() {
    return names.isEmpty() ? name().toLowerCase(Locale.ROOT).replace('_', '-') : programs().getFirst();
  }

  /** The names that its program goes by, the usual one first; empty for a right or a feature of the kernel. */
  public List<String> programs() {
    return names.isEmpty() ? List.of() : List.of(names.split(" ", -1));
  }

  /** The need of that {@link #id}. */
  public static Need of(String id) {
    return Stream.of(values())
        .filter(need -> need.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no need is called '" + id + "'; see " + Need.class.getName()));
  }

  /** The ids in a reason for a skip, as {@link #lack} words it. */
  static List<String> namedIn(String reason) {
    return NAMED.matcher(reason).results().map(found -> found.group(1)).toList();
  }

  /** Says what is missing here and how to get it; empty where it is there. Looked at once per process. */
  public String lack() {
    return FOUND.computeIfAbsent(this, Need::look);
  }

  /** Forgets what was seen, for a process that hides programs itself. */
  static void lookAgain() {
    FOUND.clear();
  }

  private String look() {
    String missing = trial.isEmpty() ? program() : tried();
    return missing.isEmpty() ? "" : lack(missing);
  }

  /** Says it of what was seen. */
  String lack(String seen) {
    return "lacks " + id() + ": " + seen + "; get it: " + get;
  }

  private String program() {
    boolean there =
        names.isEmpty()
            || programs().stream()
                .flatMap(name -> Stream.of(String.valueOf(System.getenv("PATH")).split(":", -1)).map(dir -> Path.of(dir, name)))
                .anyMatch(file -> Files.isExecutable(file) && !Files.isDirectory(file));
    return there ? "" : String.join(" or ", programs()) + " is not on PATH";
  }

  private String tried() {
    try {
      Process shell = new ProcessBuilder("sh", "-c", trial).redirectErrorStream(true).start();
      shell.getOutputStream().close();
      String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (!shell.waitFor(30, TimeUnit.SECONDS)) {
        shell.destroyForcibly();
        return "`" + trial + "` did not end";
      }
      Matcher last = Pattern.compile("[^\n]*\\z").matcher(said);
      return shell.exitValue() == 0 ? "" : "`" + trial + "` failed" + (last.find() && !said.isEmpty() ? " (" + last.group() + ")" : "");
    } catch (IOException e) {
      return "`" + trial + "` failed (" + e.getMessage() + ")";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "`" + trial + "` was interrupted";
    }
  }
}
