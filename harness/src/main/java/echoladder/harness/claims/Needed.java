package echoladder.harness.claims;

import echoladder.harness.common.Jdks;
import echoladder.harness.common.Units;
import echoladder.harness.doctor.CgroupLimit;
import echoladder.harness.doctor.HostFacts;
import echoladder.harness.doctor.HostFactsReader;
import echoladder.harness.doctor.HostLimits;
import echoladder.linux.process.DescriptorLimit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a claim needs of the host, against what the host has. */
final class Needed {
  /** What the workloads leave available; see Limits of the module workloads. */
  private static final long RESERVE_BYTES = 1L << 30;

  private static final int TASKS_FREE = 20;

  private Needed() {}

  /** Why the claim cannot be told here, in a sentence; null where the host has all of it. */
  static @Nullable String missing(Claim claim, long memoryBytes, Jdks jdks) {
    if (claim.cannot() != null) {
      return claim.cannot();
    }
    String lacking = lacking(claim.needs());
    if (lacking != null) {
      return lacking;
    }
    Claim.Needs needs = claim.needs();
    if (needs.jdk() != null && jdks.find(needs.jdk()) == null) {
      return "it is about JDK %d, and none was found in %s; one elsewhere is named by --jdk HOME"
          .formatted(needs.jdk(), jdks.places());
    }
    return memory(claim, memoryBytes);
  }

  /** What of the host's own is missing, whatever else has to be given or installed; null where nothing is. */
  static @Nullable String lacking(Claim.Needs needs) {
    int processors = Runtime.getRuntime().availableProcessors();
    if (processors < needs.processors()) {
      return "it needs %,d processors, this host has %,d".formatted(needs.processors(), processors);
    }
    long descriptors = DescriptorLimit.own().hard();
    if (descriptors < needs.descriptors()) {
      return "it needs %s descriptors in one process, the hard limit here is %s"
          .formatted(Units.count(needs.descriptors()), Units.count(descriptors));
    }
    long tasks = needs.tasks() == 0 ? 0 : tasksLeft(HostFactsReader.read());
    if (tasks < needs.tasks()) {
      return ("it needs %s threads of the operating system, this host has room for %s (by kernel.pid_max, kernel.threads-max, pids.max and"
              + " RLIMIT_NPROC, of which a twentieth stays free)")
          .formatted(Units.count(needs.tasks()), Units.count(tasks));
    }
    return null;
  }

  /** As the guard of tasks counts them, see Limits of the module workloads. */
  private static long tasksLeft(HostFacts facts) {
    long most =
        Stream.of(facts.number("kernel.pid_max"), facts.number("kernel.threads-max"), (Long) facts.nprocSoft())
            .flatMap(Stream::ofNullable)
            .min(Long::compare)
            .orElse(Long.MAX_VALUE);
    long left = most == Long.MAX_VALUE ? most : most - most / TASKS_FREE - facts.tasks();
    CgroupLimit group = facts.pids();
    return Math.max(0, group == null ? left : Math.min(left, group.left()));
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
