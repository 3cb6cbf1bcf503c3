package echoladder.hosts;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Hosts that are reached by ssh: the network namespaces of deploy/namespaces.sh, which says what each has of its own. Gone when
 * closed, with all that was started in them. Needs {@code IP}, {@code NAMESPACES}, {@code VETH}, {@code SSH} and {@code SSHD}.
 */
public final class SshHosts implements AutoCloseable {
  /** Name of each host's interface to the others. */
  public static final String INTERFACE = "eth0";

  /** From a module's folder. */
  private static final String SCRIPT = Path.of("..", "deploy", "namespaces.sh").toString();

  private static final String NETWORK = "10.78.0.";
  private static final int FIRST = 11;
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final Path dir;
  private final Path sockets;
  private final String id = "el%d-%d".formatted(ProcessHandle.current().pid(), COUNT.incrementAndGet());
  private final List<String> names;

  private final boolean routed;

  private SshHosts(Path dir, List<String> names, boolean routed) throws IOException {
    this.dir = dir.toAbsolutePath();
    this.routed = routed;
    // The path of a socket has at most 107 characters.
    this.sockets = Files.createTempDirectory("el");
    this.names = List.copyOf(names);
  }

  /**
   * Starts them, and returns when each accepts connections.
   *
   * @param dir for their files, of a host in the folder of its name
   * @param names of the hosts, of at most 12 letters; the first is the server's and has the address 10.78.0.11, the next one
   *     10.78.0.12
   */
  public static SshHosts start(Path dir, String... names) throws IOException {
    return start(dir, false, List.of(names));
  }

  /**
   * Starts hosts without a bridge, as where the kernel has none: the controller routes, also to 10.78.1.0/24 of the second host
   * and so on.
   */
  public static SshHosts startRouted(Path dir, String... names) throws IOException {
    return start(dir, true, List.of(names));
  }

  private static SshHosts start(Path dir, boolean routed, List<String> names) throws IOException {
    SshHosts hosts = new SshHosts(dir, names, routed);
    try {
      hosts.script("up");
      Files.writeString(hosts.dir.resolve("ansible.cfg"), "");
      return hosts;
    } catch (IOException | RuntimeException | Error e) {
      hosts.close();
      throw e;
    }
  }

  private void script(String verb) {
    List<String> argv = new ArrayList<>(List.of(SCRIPT, verb, dir.toString()));
    argv.addAll(names);
    ProcessBuilder builder = new ProcessBuilder(argv);
    builder.environment().put("ECHO_LADDER_NAMESPACE", id);
    if (routed) {
      builder.environment().put("ECHO_LADDER_ROUTED", "1");
    }
    said(builder);
  }

  /** The network namespace of the controller, which reaches all hosts. */
  public String controller() {
    return id;
  }

  /** The network namespace of a host. */
  public String namespace(String name) {
    number(name);
    return id + "-" + name;
  }

  /** The address of a host. */
  public String address(String name) {
    return NETWORK + (FIRST + number(name));
  }

  /** The process that accepts a host's connections; its sessions are processes of their own. */
  public ProcessHandle sshd(String name) throws IOException {
    long pid = Long.parseLong(Files.readString(dir.resolve(name).resolve("sshd.pid")).strip());
    return ProcessHandle.of(pid).orElseThrow(() -> new IllegalStateException("the sshd of " + name + " is gone"));
  }

  /** Takes the cable of a host away, or puts it back. */
  public void cable(String name, boolean there) {
    number(name);
    said(new ProcessBuilder("ip", "-n", controller(), "link", "set", "to-" + name, there ? "up" : "down"));
  }

  private int number(String name) {
    int at = names.indexOf(name);
    if (at < 0) {
      throw new IllegalArgumentException("there is no host " + name);
    }
    return at;
  }

  /**
   * An inventory of Ansible with the first host in the group {@code servers} and the others in {@code clients}.
   *
   * @param more further variables of a host, each with its value in the form of YAML
   */
  public String inventory(Function<String, Map<String, String>> more) throws IOException {
    String text = Files.readString(dir.resolve("inventory.yml"));
    for (String name : names) {
      StringBuilder host = new StringBuilder("        " + name + ":\n");
      more.apply(name).forEach((key, value) -> host.append("          %s: %s\n".formatted(key, value)));
      text = text.replace("        " + name + ":\n", host);
    }
    return text;
  }

  /** A command of the controller, with an Ansible that keeps its files in the hosts' folder and reads nobody's configuration. */
  public ProcessBuilder onController(String... command) {
    List<String> argv = new ArrayList<>(List.of("ip", "netns", "exec", controller()));
    argv.addAll(List.of(command));
    ProcessBuilder builder = new ProcessBuilder(argv);
    builder
        .environment()
        .putAll(
            Map.of(
                "ANSIBLE_CONFIG", dir.resolve("ansible.cfg").toString(),
                "ANSIBLE_HOME", dir.resolve("ansible").toString(),
                "ANSIBLE_SSH_CONTROL_PATH_DIR", sockets.toString(),
                "ANSIBLE_PIPELINING", "1",
                "ANSIBLE_NOCOLOR", "1",
                "LC_ALL", "C.UTF-8"));
    return builder;
  }

  /** What a shell on a host prints, by ssh; it is to succeed. */
  public String ask(String name, String command) {
    return said(
        onController(
            "ssh", "-F", dir.resolve("ssh_config").toString(), "-i", dir.resolve("key").toString(), "-o", "BatchMode=yes",
            "root@" + address(name), command));
  }

  /** Into a file, as a daemon that a script leaves behind would hold a pipe open. */
  private static String said(ProcessBuilder builder) {
    try {
      Path out = Files.createTempFile("hosts", ".out");
      try {
        int status =
            builder.redirectErrorStream(true).redirectInput(new File("/dev/null")).redirectOutput(out.toFile()).start().waitFor();
        String said = Files.readString(out, StandardCharsets.UTF_8);
        if (status != 0) {
          throw new IllegalStateException(String.join(" ", builder.command()) + " failed: " + said);
        }
        return said;
      } finally {
        Files.delete(out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Override
  public void close() throws IOException {
    script("down");
    try (Stream<Path> left = Files.list(sockets)) {
      for (Path socket : left.toList()) {
        Files.deleteIfExists(socket);
      }
    }
    Files.delete(sockets);
  }
}
