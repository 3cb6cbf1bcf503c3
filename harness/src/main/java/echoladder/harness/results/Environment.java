package echoladder.harness.results;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Command;
import echoladder.harness.common.ProcText;
import echoladder.harness.common.Version;
import echoladder.harness.lab.LabHost;
import echoladder.harness.lab.LabMark;
import echoladder.linux.ControlGroups;
import echoladder.linux.process.DescriptorLimit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * environment.json: what a figure depends on besides the programs. Whatever this host does not show is null, so that
 * its absence is seen, and {@code not_shown} says why. No names of hosts or users are in it.
 */
public final class Environment {
  /** The part of it that is another at every moment. */
  public static final String MOMENT = "moment";

  /** The part of it that has the hosts of a run over several, by their names; absent of any other run. */
  public static final String HOSTS = "hosts";

  private Environment() {}

  /** Reads it all; takes a fraction of a second. */
  public static Map<String, @Nullable Object> read(Checkout checkout) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    Map<String, String> notShown = new TreeMap<>();
    all.put("ladder", ladder(checkout));
    all.put("kernel", KernelFacts.read(notShown));
    LabMark lab = LabMark.here();
    all.put("lab", lab == null ? null : lab.record());
    // Apart from it, as a run may be resumed on another processor.
    LabHost host = LabHost.told();
    all.put("host_of_lab", host == null ? null : host.record());
    all.put("distribution", distribution(ProcText.lines("/etc/os-release")));
    all.put("cpu", CpuFacts.read(notShown));
    all.put("network", NetworkFacts.read(notShown));
    all.put("memory", memory());
    all.put("limits", limits());
    all.put("cgroup", cgroup());
    all.put("virtualization", virtualization());
    all.put("runtimes", runtimes());
    all.put("variables", RuntimeVariables.of(System.getenv()));
    all.put("sysctl", Sysctls.read());
    all.put(MOMENT, moment(notShown));
    all.put("not_shown", notShown);
    return all;
  }

  private static Map<String, @Nullable Object> ladder(Checkout checkout) {
    Map<String, @Nullable Object> ladder = new LinkedHashMap<>();
    ladder.put("version", Version.text());
    Commit commit = Commit.of(checkout);
    ladder.put("git_commit", commit.id());
    ladder.put("git_dirty", commit.dirty());
    return ladder;
  }

  static @Nullable String distribution(List<String> osRelease) {
    for (String line : osRelease) {
      if (line.startsWith("PRETTY_NAME=")) {
        return line.substring("PRETTY_NAME=".length()).replace("\"", "");
      }
    }
    return null;
  }

  private static Map<String, @Nullable Object> memory() {
    List<String> info = ProcText.lines("/proc/meminfo");
    Map<String, @Nullable Object> memory = new LinkedHashMap<>();
    for (String[] key : new String[][] {
      {"total_bytes", "MemTotal:"}, {"available_bytes", "MemAvailable:"}, {"swap_total_bytes", "SwapTotal:"}
    }) {
      var kib = ProcText.number(info, key[1]);
      memory.put(key[0], kib.isEmpty() ? null : (Long) (kib.getAsLong() << 10));
    }
    return memory;
  }

  private static Map<String, @Nullable Object> moment(Map<String, String> notShown) {
    Facts moment = new Facts(MOMENT, notShown);
    String load = ProcText.read("/proc/loadavg");
    moment.put("load_average", load == null ? null : String.join(" ", List.of(load.split(" ", -1)).subList(0, 3)),
        "cannot read /proc/loadavg");
    moment.put("mhz", CpuFacts.mhz(ProcText.lines("/proc/cpuinfo")), "/proc/cpuinfo does not say");
    moment.put("conntrack_connections", NetworkFacts.tracked(), "this kernel tracks no connections: it has no nf_conntrack here");
    return moment.values();
  }

  private static Map<String, @Nullable Object> limits() {
    Map<String, @Nullable Object> limits = new LinkedHashMap<>();
    DescriptorLimit own = DescriptorLimit.own();
    limits.put("nofile_soft", own.soft());
    limits.put("nofile_hard", own.hard());
    // A JVM raises its soft limit as it starts: what the shell had is known only to who started it.
    limits.put("nofile_soft_of_shell", System.getProperty("echoladder.nofile.soft"));
    limits.put("nofile_hard_of_shell", System.getProperty("echoladder.nofile.hard"));
    List<String> lines = ProcText.lines("/proc/self/limits");
    limits.put("processes", limit(lines, "Max processes"));
    limits.put("stack", limit(lines, "Max stack size"));
    limits.put("locked_memory", limit(lines, "Max locked memory"));
    limits.put("address_space", limit(lines, "Max address space"));
    return limits;
  }

  private static @Nullable String limit(List<String> lines, String name) {
    for (String line : lines) {
      if (line.startsWith(name)) {
        return line.substring(name.length()).trim().replaceAll("\\s+", " ");
      }
    }
    return null;
  }

  private static Map<String, @Nullable Object> cgroup() {
    Map<String, @Nullable Object> cgroup = new LinkedHashMap<>();
    cgroup.put("memory_max", ofGroup("memory", "memory.limit_in_bytes", "memory.max"));
    cgroup.put("pids_max", ofGroup("pids", "pids.max", "pids.max"));
    cgroup.put("cpu_max", ofGroup("cpu", "cpu.cfs_quota_us", "cpu.max"));
    return cgroup;
  }

  /** A file of the lowest group around this process that has it: what servers and clients are started in. */
  private static @Nullable String ofGroup(String controller, String version1, String version2) {
    for (ControlGroups.Group group : ControlGroups.own().with(controller)) {
      String text = ProcText.read(group.file(version1, version2).toString());
      if (text != null) {
        return text.trim();
      }
    }
    return null;
  }

  private static Map<String, @Nullable Object> virtualization() {
    Map<String, @Nullable Object> hints = new LinkedHashMap<>();
    hints.put(
        "hypervisor_flag",
        ProcText.lines("/proc/cpuinfo").stream().anyMatch(l -> l.startsWith("flags") && l.contains(" hypervisor")));
    hints.put("product", trimmed("/sys/class/dmi/id/product_name"));
    hints.put("container", Files.exists(Path.of("/.dockerenv")) || Files.exists(Path.of("/run/.containerenv")));
    return hints;
  }

  private static Map<String, @Nullable Object> runtimes() {
    Map<String, @Nullable Object> runtimes = new LinkedHashMap<>();
    runtimes.put("jvm", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
    runtimes.put("go", Command.output(Path.of("/"), "go", "version"));
    return runtimes;
  }

  private static @Nullable String trimmed(String path) {
    String text = ProcText.read(path);
    return text == null ? null : text.trim();
  }
}
