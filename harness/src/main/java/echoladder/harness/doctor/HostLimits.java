package echoladder.harness.doctor;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The two limits that end most climbs, for the record; the doctor, who judges by all of them, read them.
 *
 * @param descriptorsHard RLIMIT_NOFILE, hard; Long.MAX_VALUE = unlimited
 * @param memoryAvailableBytes what can be taken without swapping, the container's own limit included; Long.MAX_VALUE =
 *     not shown here
 * @param memoryLimitedBy the file that says so
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record HostLimits(long descriptorsHard, long memoryAvailableBytes, String memoryLimitedBy) {
  private static final String HOST = "/proc/meminfo";

  /** As the doctor's facts have them. */
  public static HostLimits of(HostFacts facts) {
    Long available = facts.memoryAvailableBytes();
    long host = available == null ? Long.MAX_VALUE : available;
    CgroupLimit group = facts.memory();
    return group != null && group.left() < host
        ? new HostLimits(facts.nofileHard(), group.left(), group.file())
        : new HostLimits(facts.nofileHard(), host, HOST);
  }
}
