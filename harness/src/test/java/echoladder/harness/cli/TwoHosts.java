package echoladder.harness.cli;


import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Two network namespaces, one for the client and one for the server, and what joins them. Gone when closed. */
final class TwoHosts implements AutoCloseable {
  static final String CLIENT_ADDRESS = "10.77.0.1";
  static final String OTHER_CLIENT_ADDRESS = "10.77.0.3";
  static final String SERVER_ADDRESS = "10.77.0.2";
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final String id = "%d-%d".formatted(ProcessHandle.current().pid(), COUNT.incrementAndGet());

  /** Names of namespaces and, within an interface's 15 characters, of links. */
  final String client = "elc" + id;

  final String server = "els" + id;
  private final String clientEnd = "vc" + id;
  private final String serverEnd = "vs" + id;
  private @Nullable DelayLine line;
  String means = "a veth pair";

  private TwoHosts() {}

  /** Joined by a veth pair. */
  static TwoHosts joined() {
    TwoHosts hosts = new TwoHosts();
    hosts.namespaces();
    hosts.needed("ip", "link", "add", hosts.clientEnd, "netns", hosts.client, "type", "veth", "peer", "name",
        hosts.serverEnd, "netns", hosts.server);
    hosts.up();
    return hosts;
  }

  /** Joined, with 5 ms of delay and 0.5 % of loss on either way: by netem, or where this kernel has none by TUN. */
  static TwoHosts slow() {
    TwoHosts hosts = joined();
    String why = hosts.run("tc", "-n", hosts.client, "qdisc", "add", "dev", hosts.clientEnd, "root", "netem", "delay", "5ms", "loss", "0.5%");
    if (why == null) {
      hosts.needed("tc", "-n", hosts.server, "qdisc", "add", "dev", hosts.serverEnd, "root", "netem", "delay", "5ms", "loss", "0.5%");
      hosts.means = "netem on a veth pair";
      return hosts;
    }
    hosts.needed("ip", "-n", hosts.client, "link", "del", hosts.clientEnd);
    try {
      hosts.line = DelayLine.open(hosts.clientEnd, hosts.serverEnd);
    } catch (IOException e) {
      hosts.close();
      throw new AssertionError("neither netem (" + why + ") nor TUN is to be had", e);
    }
    hosts.needed("ip", "link", "set", hosts.clientEnd, "netns", hosts.client);
    hosts.needed("ip", "link", "set", hosts.serverEnd, "netns", hosts.server);
    hosts.up();
    hosts.means = "two TUN devices and a delay line, as this kernel has no netem: " + why;
    return hosts;
  }

  private void namespaces() {
    needed("ip", "netns", "add", client);
    needed("ip", "netns", "add", server);
  }

  private void up() {
    needed("ip", "-n", client, "address", "add", CLIENT_ADDRESS + "/24", "dev", clientEnd);
    needed("ip", "-n", client, "address", "add", OTHER_CLIENT_ADDRESS + "/24", "dev", clientEnd);
    needed("ip", "-n", server, "address", "add", SERVER_ADDRESS + "/24", "dev", serverEnd);
    needed("ip", "-n", client, "link", "set", clientEnd, "up");
    needed("ip", "-n", server, "link", "set", serverEnd, "up");
    needed("ip", "-n", client, "link", "set", "lo", "up");
    needed("ip", "-n", server, "link", "set", "lo", "up");
  }

  /** From now on nothing gets through. */
  void cut() {
    needed("ip", "-n", server, "link", "set", serverEnd, "down");
  }

  /** Segments that TCP sent again, of both ends. */
  long retransmitted() throws IOException, InterruptedException {
    return retransmitted(client) + retransmitted(server);
  }

  private static long retransmitted(String namespace) throws IOException, InterruptedException {
    Process cat = new ProcessBuilder("ip", "netns", "exec", namespace, "cat", "/proc/net/snmp").start();
    List<String> tcp = cat.inputReader().lines().filter(l -> l.startsWith("Tcp:")).toList();
    cat.waitFor();
    int at = List.of(tcp.getFirst().split(" ", -1)).indexOf("RetransSegs");
    return Long.parseLong(tcp.get(1).split(" ", -1)[at]);
  }

  private void needed(String... command) {
    String why = run(command);
    if (why != null) {
      close();
      throw new AssertionError(String.join(" ", command) + ": " + why);
    }
  }

  /** Null where it succeeded, else what it said. */
  private @Nullable String run(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return "it did not end";
      }
      return process.exitValue() == 0 ? null : "exit status " + process.exitValue() + ": " + said;
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  @Override
  public void close() {
    DelayLine open = line;
    if (open != null) {
      open.close();
    }
    // With a namespace go the links in it; what is not there any more is none to miss.
    run("ip", "netns", "del", client);
    run("ip", "netns", "del", server);
  }
}
