package echoladder.harness.settings;

import echoladder.harness.common.ProcText;
import echoladder.harness.knobs.LoopbackSetting;
import echoladder.linux.sockets.NetworkNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Receive packet steering of loopback: which processors handle its packets. */
final class LoopbackRps {
  /** Where {@link OwnNetwork} shows the namespace's own loopback. */
  private static final String SHOWN = " /devices/virtual/net/lo /sys/devices/virtual/net/lo ";

  private static final Path FILE = Path.of(LoopbackSetting.RPS.key());
  private static final int BITS = 32;

  private LoopbackRps() {}

  /** Why it cannot be set in the namespace of the run, or in one that would be made; null where it can. */
  static @Nullable String complaint() {
    boolean shown =
        !NetworkNamespace.ofRun() || ProcText.lines("/proc/self/mountinfo").stream().anyMatch(line -> line.contains(SHOWN));
    return shown && Files.isWritable(FILE)
        ? null
        : "rps_cpus of the namespace's lo cannot be reached: no sysfs of its own could be mounted, or this kernel has no RPS";
  }

  /** Sets {@code all} processors, {@code 0}, none, or a mask as the kernel says it. */
  static void set(String value) throws IOException {
    Files.writeString(FILE, value.equals("all") ? mask(processors()) : value);
  }

  static String inForce() throws IOException {
    return Files.readString(FILE).trim();
  }

  private static int processors() {
    return (int) ProcText.lines("/proc/stat").stream().filter(line -> line.matches("cpu\\d+ .*")).count();
  }

  /** The first processors, as the kernel reads them: hexadecimal, in groups of 32 bits, the highest first. */
  static String mask(int processors) {
    StringBuilder mask = new StringBuilder();
    for (int group = (processors - 1) / BITS; group >= 0; group--) {
      long bits = (1L << Math.min(BITS, processors - group * BITS)) - 1;
      mask.append(mask.isEmpty() ? Long.toHexString(bits) : ",%08x".formatted(bits));
    }
    return mask.toString();
  }
}
