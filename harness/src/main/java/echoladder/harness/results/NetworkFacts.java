package echoladder.harness.results;

import echoladder.harness.common.Command;
import echoladder.harness.common.ProcText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a packet meets between two sockets of this host: polling, steering, filters, queues. */
final class NetworkFacts {
  private static final String NETFILTER = "/proc/sys/net/netfilter/";

  private NetworkFacts() {}

  static Map<String, @Nullable Object> read(Map<String, String> notShown) {
    Facts network = new Facts("network", notShown);
    network.file("busy_poll_us", "/proc/sys/net/core/busy_poll");
    network.file("busy_read_us", "/proc/sys/net/core/busy_read");
    network.file("congestion_control", "/proc/sys/net/ipv4/tcp_congestion_control");
    network.file("default_qdisc", "/proc/sys/net/core/default_qdisc");
    String queues = Command.output(Path.of("/"), "tc", "qdisc", "show");
    network.put("qdiscs", queues == null ? null : queues.lines().map(String::strip).toList(), "there is no tc, or it failed");
    network.put("rps_masks", rpsMasks(Path.of("/sys/class/net")), "cannot read /sys/class/net");
    network.put("conntrack_max", Facts.text(NETFILTER + "nf_conntrack_max"),
        "this kernel tracks no connections: it has no nf_conntrack here");
    network.put("ip_tables", names("/proc/net/ip_tables_names"), "cannot read /proc/net/ip_tables_names: no iptables here, or not root");
    network.put("nf_tables", nfTables(), "there is no nft, or it may not be asked");
    return network.values();
  }

  /** Connections that are tracked now; 0 beside open ones says that no rule sends them there. */
  static @Nullable String tracked() {
    return Facts.text(NETFILTER + "nf_conntrack_count");
  }

  private static @Nullable List<String> names(String path) {
    return Files.isReadable(Path.of(path)) ? ProcText.lines(path) : null;
  }

  private static @Nullable List<String> nfTables() {
    String tables = Command.output(Path.of("/"), "nft", "list", "tables");
    return tables == null ? null : tables.lines().toList();
  }

  /** Which processors receive for each queue of each interface, e.g. {@code lo/rx-0: 0}. */
  static @Nullable Map<String, @Nullable String> rpsMasks(Path interfaces) {
    if (!Files.isDirectory(interfaces)) {
      return null;
    }
    Map<String, @Nullable String> masks = new TreeMap<>();
    for (Path at : listed(interfaces)) {
      for (Path queue : listed(at.resolve("queues"))) {
        String name = queue.getFileName().toString();
        if (name.startsWith("rx-")) {
          masks.put(at.getFileName() + "/" + name, Facts.text(queue.resolve("rps_cpus").toString()));
        }
      }
    }
    return masks;
  }

  private static List<Path> listed(Path dir) {
    if (!Files.isDirectory(dir)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(dir)) {
      return files.toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + dir, e);
    }
  }
}
