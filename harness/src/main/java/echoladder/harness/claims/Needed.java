package echoladder.harness.claims;

import echoladder.harness.common.ProcText;
import echoladder.harness.report.Units;
import echoladder.linux.DescriptorLimit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a claim needs of the host, against what the host has. */
final class Needed {
  /** What the workloads leave available; see Limits of the module workloads. */
  private static final long RESERVE_BYTES = 1L << 30;

  private static final Path JDKS = Path.of("/usr/lib/jvm");

  private Needed() {}

  /** Why the claim cannot be told here, in a sentence; null where the host has all of it. */
  static @Nullable String missing(Claim claim, long memoryBytes) {
    if (claim.cannot() != null) {
      return claim.cannot();
    }
    Claim.Needs needs = claim.needs();
    int processors = Runtime.getRuntime().availableProcessors();
    if (processors < needs.processors()) {
      return "it needs %d processors, this host has %d".formatted(needs.processors(), processors);
    }
    long descriptors = DescriptorLimit.own().hard();
    if (descriptors < needs.descriptors()) {
      return "it needs %s descriptors in one process, the hard limit here is %s"
          .formatted(Units.count(needs.descriptors()), Units.count(descriptors));
    }
    if (needs.jdk() != null && !hasJdk(needs.jdk())) {
      return "it is about JDK %d, and there is none in %s".formatted(needs.jdk(), JDKS);
    }
    OptionalLong available = ProcText.number(ProcText.lines("/proc/meminfo"), "MemAvailable:");
    if (available.isPresent() && (available.getAsLong() << 10) < memoryBytes + RESERVE_BYTES) {
      return "its workloads may hold %s each, and %s are available; a lower limit is set by --set memory_limit=2G"
          .formatted(Units.bytes(memoryBytes), Units.bytes(available.getAsLong() << 10));
    }
    return null;
  }

  private static boolean hasJdk(int release) {
    if (!Files.isDirectory(JDKS)) {
      return false;
    }
    try (Stream<Path> all = Files.list(JDKS)) {
      return all.map(jdk -> ProcText.read(jdk.resolve("release").toString()))
          .anyMatch(text -> text != null && text.contains("JAVA_VERSION=\"" + release + "."));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + JDKS, e);
    }
  }
}
