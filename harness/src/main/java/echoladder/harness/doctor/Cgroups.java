package echoladder.harness.doctor;

import echoladder.harness.common.ProcText;
import echoladder.linux.ControlGroups;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The limits of control groups, of version 1 and 2, effective over all ancestors that this process can see. */
record Cgroups(ControlGroups groups) {
  /** Version 1 writes the greatest number of whole pages where nothing is limited. */
  private static final long UNLIMITED = 1L << 62;

  private static final Names TASKS = new Names("pids.max", "pids.current", null);

  /** Tasks, where a group limits them. */
  @Nullable CgroupLimit pids() {
    return tightest("pids", TASKS, TASKS);
  }

  /** Bytes of memory, where a group limits them. */
  @Nullable CgroupLimit memory() {
    return tightest(
        "memory",
        new Names("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "),
        new Names("memory.max", "memory.current", "inactive_file "));
  }

  /**
   * What a limit is called in one version.
   *
   * @param cache line of memory.stat with what is used and can be had back; null = there is no such thing
   */
  private record Names(String most, String used, @Nullable String cache) {}

  private @Nullable CgroupLimit tightest(String controller, Names version1, Names version2) {
    CgroupLimit tightest = null;
    for (ControlGroups.Group group : groups.with(controller)) {
      CgroupLimit here = limit(group.dir(), group.version() == 1 ? version1 : version2);
      if (here != null && (tightest == null || here.left() < tightest.left())) {
        tightest = here;
      }
    }
    return tightest;
  }

  private @Nullable CgroupLimit limit(Path dir, Names names) {
    Path most = dir.resolve(names.most);
    OptionalLong limit = ProcText.number(most.toString());
    OptionalLong taken = ProcText.number(dir.resolve(names.used).toString());
    if (limit.isEmpty() || taken.isEmpty() || limit.getAsLong() >= UNLIMITED) {
      return null;
    }
    long idle =
        names.cache == null
            ? 0
            : ProcText.number(ProcText.lines(dir.resolve("memory.stat").toString()), names.cache).orElse(0);
    return new CgroupLimit(
        "/" + groups.root().relativize(most),
        limit.getAsLong(),
        Math.max(0, taken.getAsLong() - idle),
        Files.isWritable(most));
  }
}
