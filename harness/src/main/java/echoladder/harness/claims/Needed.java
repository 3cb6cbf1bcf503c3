package echoladder.harness.claims;

import echoladder.harness.common.Jdks;
import echoladder.harness.common.Units;
import echoladder.harness.doctor.HostFactsReader;
import echoladder.harness.doctor.HostLimits;
import echoladder.linux.DescriptorLimit;
import org.jspecify.annotations.Nullable;

/** What a claim needs of the host, against what the host has. */
final class Needed {
  /** What the workloads leave available; see Limits of the module workloads. */
  private static final long RESERVE_BYTES = 1L << 30;

  private Needed() {}

  /** Why the claim cannot be told here, in a sentence; null where the host has all of it. */
  static @Nullable String missing(Claim claim, long memoryBytes, Jdks jdks) {
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
    if (needs.jdk() != null && jdks.find(needs.jdk()) == null) {
      return "it is about JDK %d, and none was found in %s; one elsewhere is named by --jdk HOME"
          .formatted(needs.jdk(), jdks.places());
    }
    return memory(claim, memoryBytes);
  }

  /** A climb has no such limit: its plan and the doctor say what the host carries. */
  private static @Nullable String memory(Claim claim, long memoryBytes) {
    HostLimits here = HostLimits.of(HostFactsReader.read());
    return here.memoryAvailableBytes() >= memoryBytes + RESERVE_BYTES || !claim.hasWorkloads()
        ? null
        : "its workloads may hold %s each, and %s are available by %s; a lower limit is set by --set memory_limit=2G"
            .formatted(Units.bytes(memoryBytes), Units.bytes(here.memoryAvailableBytes()), here.memoryLimitedBy());
  }
}
