package echoladder.harness.probe;

import echoladder.harness.common.ProcText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What the control groups of a process have refused it, of version 1 or 2. Events of its own groups: what a group above
 * refuses is counted there.
 *
 * @param memory folder of its memory group; null = not to be seen
 * @param pids folder of its pids group; null = not to be seen
 */
record CgroupEvents(@Nullable Path memory, @Nullable Path pids) {

  /** The groups that the process is in now. */
  static CgroupEvents of(long pid) {
    return new CgroupEvents(folder(pid, "memory").orElse(null), folder(pid, "pids").orElse(null));
  }

  private static Optional<Path> folder(long pid, String controller) {
    Path root = Path.of("/sys/fs/cgroup");
    for (String line : ProcText.lines("/proc/" + pid + "/cgroup")) {
      String[] parts = line.split(":", 3);
      if (parts.length != 3) {
        continue;
      }
      boolean version2 = parts[0].equals("0") && parts[1].isEmpty();
      if (!version2 && !List.of(parts[1].split(",", -1)).contains(controller)) {
        continue;
      }
      String below = parts[2].replaceFirst("^/+", "");
      Path mount = version2 ? root : root.resolve(controller);
      for (Path at : List.of(mount.resolve(below), mount)) {
        if (Files.exists(at.resolve(version2 ? controller + ".events" : controller + (controller.equals("memory") ? ".oom_control" : ".events")))) {
          return Optional.of(at);
        }
      }
    }
    return Optional.empty();
  }

  void sample(Reading into) {
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
