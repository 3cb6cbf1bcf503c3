package echoladder.harness.doctor;

import echoladder.harness.common.Command;
import echoladder.harness.common.ProcText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What surrounds this kernel or this process and may limit connections too: a container, a pod, a cloud. The doctor has no rows
 * for them, as most of it cannot be seen from here; each note names what was seen, or what is to be asked, and its page.
 */
public final class Surroundings {
  private static final Path HERE = Path.of("/");

  /** Who made the machine, by the word of its firmware. */
  private static final Map<String, String> CLOUDS =
      Map.of("Amazon EC2", "AWS EC2", "Microsoft Corporation", "Azure or Hyper-V", "Google", "Google Cloud");

  private Surroundings() {}

  /** Reads them for this process; takes some milliseconds, and up to 10 s where ethtool hangs. */
  public static List<String> notes() {
    return notes(HERE, System.getenv(), network -> Command.output(HERE, "ethtool", "-S", network));
  }

  /**
   * Reads them from other files.
   *
   * @param root of the files, {@code /} on a host
   * @param environment of the process
   * @param statistics what ethtool prints of a network interface; null where it cannot be had
   */
  static List<String> notes(Path root, Map<String, String> environment, Function<String, @Nullable String> statistics) {
    List<String> notes = new ArrayList<>();
    if (environment.containsKey("KUBERNETES_SERVICE_HOST")) {
      notes.add(
          "a pod of Kubernetes: the node's connection tracking and podPidsLimit are not all seen from here; ask for them: "
              + "runbooks/outside/kubernetes.md");
    } else if (inContainer(root, environment)) {
      notes.add(
          "a container: its engine sets descriptors, tasks and memory; connection tracking is its host's, and is not seen from here: "
              + "runbooks/outside/containers.md");
    }
    String vendor = ProcText.read(root.resolve("sys/class/dmi/id/sys_vendor").toString());
    String cloud = vendor == null ? null : CLOUDS.get(vendor.strip());
    if (cloud != null) {
      notes.add(
          cloud
              + ": what it tracks per instance and translates per gateway is not seen from here, nor after how long its load balancers"
              + " forget an idle connection; ask: runbooks/outside/cloud.md, runbooks/outside/idle-timeouts.md");
    }
    for (String network : elastic(root)) {
      String said = statistics.apply(network);
      notes.add(
          said == null
              ? network + " has the driver ena, and its counters cannot be read; install ethtool, then 'ethtool -S " + network + "'"
              : allowances(network, said));
    }
    return notes;
  }

  /** By the marks of Docker, of podman and of systemd-nspawn. */
  private static boolean inContainer(Path root, Map<String, String> environment) {
    boolean marked = Files.exists(root.resolve(".dockerenv")) || Files.exists(root.resolve("run/.containerenv"));
    return marked || environment.containsKey("container");
  }

  /** Interfaces with Amazon's driver. */
  private static List<String> elastic(Path root) {
    try (Stream<Path> networks = Files.list(root.resolve("sys/class/net"))) {
      return networks
          .filter(network -> driver(network).equals("ena"))
          .map(network -> network.getFileName().toString())
          .sorted()
          .toList();
    } catch (IOException e) {
      // No such folder: no network here, and so no counters.
      return List.of();
    }
  }

  private static String driver(Path network) {
    try {
      return Files.readSymbolicLink(network.resolve("device/driver")).getFileName().toString();
    } catch (IOException e) {
      return "none";
    }
  }

  /** From lines such as {@code conntrack_allowance_exceeded: 17}. */
  private static String allowances(String network, String statistics) {
    List<String> counters =
        statistics.lines().map(String::strip).filter(line -> line.matches("\\w+_allowance_\\w+: \\d+")).toList();
    boolean exceeded = counters.stream().anyMatch(line -> line.matches("conntrack_allowance_exceeded: 0*[1-9]\\d*"));
    String what = counters.isEmpty() ? "its driver has no counters of allowances" : String.join(", ", counters);
    return network + ": " + what + (exceeded ? "; packets of connections beyond EC2's own table were dropped" : "")
        + ": runbooks/outside/cloud.md";
  }
}
