package echoladder.harness.plan;

import echoladder.harness.common.ProcText;
import java.util.List;
import java.util.OptionalLong;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What this host allows a rung. JVM and Go raise their soft descriptor limit to the hard one by themselves.
 *
 * @param descriptorsHard RLIMIT_NOFILE, hard; Long.MAX_VALUE = unlimited
 * @param memoryAvailableBytes what can be taken without swapping, the container's own limit included
 * @param memoryLimitedBy the file that says so
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record HostLimits(long descriptorsHard, long memoryAvailableBytes, String memoryLimitedBy) {

  /** Those of this process. Missing files count as no limit. */
  public static HostLimits read() {
    long memory = Long.MAX_VALUE;
    String by = "/proc/meminfo";
    OptionalLong available = ProcText.number(ProcText.lines("/proc/meminfo"), "MemAvailable:");
    if (available.isPresent()) {
      memory = available.getAsLong() << 10;
    }
    String[][] groups = {
      {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
      {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"},
    };
    for (String[] group : groups) {
      OptionalLong limit = ProcText.number(group[0]);
      OptionalLong used = ProcText.number(group[1]);
      if (limit.isPresent() && used.isPresent() && limit.getAsLong() - used.getAsLong() < memory) {
        memory = Math.max(0, limit.getAsLong() - used.getAsLong());
        by = group[0];
      }
    }
    return new HostLimits(descriptorsHard(ProcText.lines("/proc/self/limits")), memory, by);
  }

  /** From the lines of /proc/PID/limits; no such line, or {@code unlimited}, is no limit. */
  static long descriptorsHard(List<String> limits) {
    for (String line : limits) {
      if (line.startsWith("Max open files")) {
        String[] words = line.substring("Max open files".length()).trim().split("\\s+", -1);
        return words[1].equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(words[1]);
      }
    }
    return Long.MAX_VALUE;
  }
}
