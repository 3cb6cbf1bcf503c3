package echoladder.workloads;

import echoladder.linux.ControlGroups;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The limits that this host and the control groups around this process set. */
final class HostLimits {
  private static final long RESERVE_LEAST = 512L << 20;
  private static final int RESERVE_SHARE = 32;

  private HostLimits() {}

  /**
   * Those in force for a workload.
   *
   * @param askedBytes the memory it was given; null for what is right on this host
   */
  static Limits of(@Nullable Long askedBytes, long timeNs, long availableBytes, long totalBytes) {
    Map<Long, String> memory = new TreeMap<>();
    Long group = memoryOf(ControlGroups.own());
    if (group != null) {
      memory.put(group, "limit of its control group");
    }
    if (askedBytes == null) {
      memory.put(availableBytes / 5 * 4, "four fifths of what the host had available at the start");
    } else {
      memory.put(askedBytes, group != null && group <= askedBytes
          ? "--memory-limit, enforced by its control group too"
          : "--memory-limit, enforced by its own readings alone");
    }
    var least = memory.entrySet().iterator().next();
    var tasks = tasks();
    return new Limits(
        least.getKey(),
        least.getValue(),
        Math.max(RESERVE_LEAST, totalBytes / RESERVE_SHARE),
        tasks.getKey(),
        tasks.getValue(),
        timeNs);
  }

  private static Map.Entry<Long, String> tasks() {
    TreeMap<Long, String> limits = new TreeMap<>();
    put(limits, NumberFile.only(Path.of("/proc/sys/kernel/pid_max")), "kernel.pid_max");
    put(limits, NumberFile.only(Path.of("/proc/sys/kernel/threads-max")), "kernel.threads-max");
    put(limits, tasksOf(ControlGroups.own()), "pids.max of its control group");
    put(limits, processesOfUser(), "RLIMIT_NPROC");
    return limits.isEmpty() ? Map.entry(Long.MAX_VALUE, "nothing") : limits.firstEntry();
  }

  private static void put(Map<Long, String> limits, @Nullable Long limit, String name) {
    if (limit != null) {
      limits.putIfAbsent(limit, name);
    }
  }

  private static @Nullable Long processesOfUser() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/limits"))) {
        if (line.startsWith("Max processes")) {
          String soft = line.substring("Max processes".length()).trim().split(" ", 2)[0];
          return soft.equals("unlimited") ? null : (Long) Long.parseLong(soft);
        }
      }
      return null;
    } catch (IOException e) {
      return null;
    }
  }

  static @Nullable Long memoryOf(ControlGroups groups) {
    return tightest(groups, "memory", "memory.limit_in_bytes", "memory.max");
  }

  static @Nullable Long tasksOf(ControlGroups groups) {
    return tightest(groups, "pids", "pids.max", "pids.max");
  }

  /** The lowest limit of the group that this process is in and of those above, each of which binds it; null where none is set. */
  private static @Nullable Long tightest(ControlGroups groups, String controller, String version1, String version2) {
    Long tightest = null;
    for (ControlGroups.Group group : groups.with(controller)) {
      Long limit = NumberFile.only(group.file(version1, version2));
      // Version 1 writes "no limit" as the largest whole page.
      if (limit != null && limit <= 1L << 60 && (tightest == null || limit < tightest)) {
        tightest = limit;
      }
    }
    return tightest;
  }
}
