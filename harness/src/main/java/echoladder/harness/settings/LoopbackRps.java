package echoladder.harness.settings;

import echoladder.harness.common.ProcText;
import echoladder.harness.knobs.KnobRow;
import echoladder.linux.NetworkNamespace;
import echoladder.linux.Root;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Receive packet steering of loopback: which processors handle its packets. It is set only in a network namespace that a run has made
 * for itself, and so needs no journal: the device ends with the run's last process, however that ends.
 */
public final class LoopbackRps implements Closeable {
  /** Where {@link OwnNetwork} shows the namespace's own loopback. */
  private static final String SHOWN = " /devices/virtual/net/lo /sys/devices/virtual/net/lo ";

  private static final Path FILE = Path.of(KnobRow.RPS_OF_LO);
  private static final int BITS = 32;

  private final String before;

  private LoopbackRps(String before) {
    this.before = before;
  }

  /** Where it is set, where runs do not. */
  static final String ELSEWHERE =
      "rps_cpus of lo is set by runs only in a network namespace of their own, which a study of knobs makes without --on-this-host; on the"
          + " host, as root: echo MASK >" + FILE + ", and compare two runs";

  /** Why it cannot be set, here or in the namespace that a study of knobs would make here; null where it can. */
  static @Nullable String complaint() {
    if (NetworkNamespace.ofRun() || OwnNetwork.here()) {
      return refused();
    }
    return Root.uid() == 0 && Files.exists(FILE) ? null : ELSEWHERE;
  }

  private static @Nullable String refused() {
    if (!NetworkNamespace.ofRun()) {
      return ELSEWHERE;
    }
    boolean shown = ProcText.lines("/proc/self/mountinfo").stream().anyMatch(line -> line.contains(SHOWN));
    return shown && Files.isWritable(FILE)
        ? null
        : "rps_cpus of the namespace's lo cannot be reached: no sysfs of its own could be mounted, or this kernel has no RPS";
  }

  /** Sets it to {@code all} processors or to {@code 0}, none. */
  static LoopbackRps set(String value) throws IOException {
    String refused = refused();
    if (refused != null) {
      throw new IOException(refused);
    }
    LoopbackRps set = new LoopbackRps(inForce());
    Files.writeString(FILE, value.equals("all") ? mask(processors()) : value);
    return set;
  }

  /** What the kernel says. */
  public static String inForce() throws IOException {
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

  @Override
  public void close() throws IOException {
    Files.writeString(FILE, before);
  }
}
