package echoladder.harness.probe;

import echoladder.harness.common.ProcText;
import echoladder.linux.ControlGroups;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Refusals by the control groups of a process, of version 1 or 2. They are events of its own groups: refusals by a group above
 * are counted there.
 *
 * @param memory folder of its memory group; null = not to be seen
 * @param pids folder of its pids group; null = not to be seen
 */
public record CgroupEvents(@Nullable Path memory, @Nullable Path pids) {

  /** The groups that the process is in now. */
  public static CgroupEvents of(long pid) {
    return of(ControlGroups.of(pid));
  }

  static CgroupEvents of(ControlGroups groups) {
    return new CgroupEvents(
        counting(groups, "memory", "memory.oom_control", "memory.events"),
        counting(groups, "pids", "pids.events", "pids.events"));
  }

  /** The lowest group that counts: the root of a hierarchy does not, nor one whose parent has not handed the controller on. */
  private static @Nullable Path counting(ControlGroups groups, String controller, String version1, String version2) {
    return groups.with(controller).stream()
        .filter(group -> Files.exists(group.file(version1, version2)))
        .map(ControlGroups.Group::dir)
        .findFirst()
        .orElse(null);
  }

  /** Adds what they count, as far as it is to be seen. */
  public void sample(Reading into) {
    if (memory != null) {
      List<String> events = lines(memory, "memory.events");
      boolean version2 = !events.isEmpty();
      OptionalLong kills = ProcText.number(version2 ? events : lines(memory, "memory.oom_control"), "oom_kill ");
      kills.ifPresent(n -> into.put(Figure.CGROUP_OOM_KILLS, n));
      OptionalLong refusals =
          version2 ? ProcText.number(events, "max ") : ProcText.number(memory.resolve("memory.failcnt").toString());
      refusals.ifPresent(n -> into.put(Figure.CGROUP_MEMORY_REFUSALS, n));
    }
    if (pids != null) {
      ProcText.number(lines(pids, "pids.events"), "max ").ifPresent(n -> into.put(Figure.CGROUP_TASK_REFUSALS, n));
    }
  }

  private static List<String> lines(Path dir, String file) {
    return ProcText.lines(dir.resolve(file).toString());
  }
}
