package echoladder.harness.tune;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** A folder in the form of /proc/sys. */
final class FakeSys {
  static final Map<String, String> DEFAULTS =
      Map.of(
          "net.core.somaxconn", "4096",
          "net.core.netdev_max_backlog", "1000",
          "net.ipv4.tcp_max_syn_backlog", "2048",
          "net.ipv4.ip_local_port_range", "32768 60999",
          "net.ipv4.ip_local_reserved_ports", "",
          "net.ipv4.tcp_mem", "287898 383867 575796",
          "kernel.pid_max", "32768",
          "vm.max_map_count", "65530");

  final Path root;

  FakeSys(Path root, String bootId) {
    this.root = root;
    put("kernel.random.boot_id", bootId);
    DEFAULTS.forEach(this::put);
  }

  SysTree tree(String network) {
    return new SysTree(root, network);
  }

  void put(String key, String value) {
    try {
      Path file = root.resolve(key.replace('.', '/'));
      Files.createDirectories(file.getParent());
      // As the kernel writes them.
      Files.writeString(file, value.replace(' ', '\t') + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Map<String, String> values() {
    return values(tree("net:[1]"), DEFAULTS.keySet());
  }

  static Map<String, String> values(SysTree tree, Iterable<String> keys) {
    Map<String, String> values = new TreeMap<>();
    for (String key : keys) {
      try {
        values.put(key, String.valueOf(tree.read(key)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return values;
  }
}
