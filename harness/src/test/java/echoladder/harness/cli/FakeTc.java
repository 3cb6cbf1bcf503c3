package echoladder.harness.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/**
 * A tc for hosts whose kernel has no netem: it takes every command, and what it shows of a device is a netem that has sent what the device
 * has and lost {@code drops}. Where netem would lose every packet, the device is down. All else of a network is real: namespaces, cables, packets.
 */
final class FakeTc {
  private static final String SCRIPT =
      """
      #!/bin/sh
      echo "$(readlink /proc/self/ns/net) $*" >>"$FAKE_TC_LOG"
      case "$*" in
        *"qdisc show"*) ;;
        *"qdisc change"*" loss 100."*) exec ip link set "$4" down ;;
        *"qdisc change"*) exec ip link set "$4" up ;;
        *) exit 0 ;;
      esac
      for device; do :; done
      sent=$(sed -n "s/^ *$device: *//p" /proc/net/dev | awk '{print $10}')
      echo "[{\\"kind\\":\\"netem\\",\\"root\\":true,\\"bytes\\":0,\\"packets\\":${sent:?no $device},\\"drops\\":$FAKE_TC_DROPS}]"
      """;

  private final Path dir;

  /** Writes it into a folder. */
  FakeTc(Path dir) throws IOException {
    this.dir = dir;
    Path tc = Files.writeString(Files.createDirectories(dir.resolve("bin")).resolve("tc"), SCRIPT);
    Files.setPosixFilePermissions(tc, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(log(), "");
  }

  /** What finds it, and what it shows as lost at each end. */
  Map<String, String> environment(int drops) {
    return Map.of(
        "PATH", dir.resolve("bin") + ":" + System.getenv("PATH"), "FAKE_TC_LOG", log().toString(), "FAKE_TC_DROPS", Integer.toString(drops));
  }

  /** A line for each call: its network namespace and its arguments. */
  Path log() {
    return dir.resolve("tc.log");
  }
}
