package echoladder.harness.diagnosis;

import static echoladder.harness.limits.KnownLimit.CGROUP_PIDS;
import static echoladder.harness.limits.KnownLimit.MAX_MAP_COUNT;
import static echoladder.harness.limits.KnownLimit.OVERCOMMIT;
import static echoladder.harness.limits.KnownLimit.PID_MAX;
import static echoladder.harness.limits.KnownLimit.THREADS_MAX;

import echoladder.harness.doctor.TaskLimits;
import echoladder.harness.limits.KnownLimit;
import echoladder.harness.probe.Figure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How much of a limit was used, where one errno is the answer to several limits: EAGAIN to a thread that may not be
 * started, ENOMEM to a mapping that may not be made (which glibc hands on as EAGAIN where it was for a thread's stack).
 *
 * @param limit which
 * @param used the greatest use that was seen
 * @param most the limit, less what the kernel never gives of it
 * @param told how this is said
 */
record TaskRoom(KnownLimit limit, long used, long most, String told) {
  /** What is used less than this was not the limit; samples are a second apart, so the last tasks may be missing. */
  private static final double LEAST_USED = 0.8;

  /** Mappings that a thread takes of a JVM: its stack and the guard page below it. */
  private static final long MAPS_PER_THREAD = 2;

  /** Less than the heap and code cache that a JVM reserves at once. */
  private static final long LITTLE_COMMIT_BYTES = 256L << 20;

  double share() {
    return most <= 0 ? Double.MAX_VALUE : (double) used / most;
  }

  String sentence() {
    return told;
  }

  /** The limit of which most was used, where a thread was refused; empty where none was nearly used up. */
  static Optional<TaskRoom> tightest(Evidence seen) {
    long refused = seen.grown(Figure.CGROUP_TASK_REFUSALS);
    if (refused > 0) {
      // The one of them that counts its refusals.
      return Optional.of(new TaskRoom(CGROUP_PIDS, 1, 1, "pids.events of its control group counts %,d refusals more".formatted(refused)));
    }
    List<TaskRoom> rooms = new ArrayList<>();
    long tasks = seen.peak(Figure.HOST_TASKS);
    add(rooms, THREADS_MAX, "threads on the host", tasks, seen.limit("kernel.threads-max", 0), 0);
    add(rooms, PID_MAX, "threads on the host", tasks, seen.limit("kernel.pid_max", 0), TaskLimits.RESERVED_PIDS);
    // RLIMIT_NPROC is of one user's tasks, and the count is the whole host's: it cannot be told from these.
    mappings(seen, rooms);
    return fullest(rooms);
  }

  /** The limit of which most was used, where a mapping was refused; empty where none was nearly used up. */
  static Optional<TaskRoom> tightestOfMemory(Evidence seen) {
    List<TaskRoom> rooms = new ArrayList<>();
    mappings(seen, rooms);
    return fullest(rooms);
  }

  private static void mappings(Evidence seen, List<TaskRoom> rooms) {
    long most = seen.limit("vm.max_map_count", 0);
    long maps = seen.peak(Figure.SERVER_MAPS);
    long threads = seen.peak(Figure.SERVER_THREADS);
    if (maps >= threads * MAPS_PER_THREAD) {
      add(rooms, MAX_MAP_COUNT, "mappings of the server", maps, most, 0);
    } else {
      // It ended, or its threads had, before they could be counted.
      add(rooms, MAX_MAP_COUNT, "mappings of the server, two for each of its threads,", threads * MAPS_PER_THREAD, most, 0);
    }
    Long mode = seen.facts().number("vm.overcommit_memory", 0);
    if (mode != null && mode == 2) {
      Long before = seen.facts().commitLeftBytes();
      long left = before == null ? Long.MAX_VALUE : Math.max(0, before - seen.grown(Figure.HOST_COMMITTED_BYTES));
      if (left < LITTLE_COMMIT_BYTES) {
        rooms.add(
            new TaskRoom(OVERCOMMIT, 1, 1, "vm.overcommit_memory is 2, and at the least %,d bytes were left to reserve".formatted(left)));
      }
    }
  }

  private static void add(List<TaskRoom> rooms, KnownLimit limit, String what, long used, long most, long never) {
    if (most != Long.MAX_VALUE) {
      rooms.add(
          new TaskRoom(
              limit,
              used,
              most - never,
              "%s came to %,d of %s %,d%s"
                  .formatted(what, used, limit.id(), most, never == 0 ? "" : ", of which %d are never given twice".formatted(never))));
    }
  }

  private static Optional<TaskRoom> fullest(List<TaskRoom> rooms) {
    return rooms.stream().filter(room -> room.share() >= LEAST_USED).max(Comparator.comparingDouble(TaskRoom::share));
  }
}
