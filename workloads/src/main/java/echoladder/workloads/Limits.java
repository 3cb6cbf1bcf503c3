package echoladder.workloads;

import echoladder.workloads.Ended.Kind;
import org.jspecify.annotations.Nullable;

/**
 * What a workload may take of the host, and when it has taken enough. Pure.
 *
 * @param memoryBytes what the process may hold: resident pages, page tables and kernel stacks
 * @param memoryBy where that limit comes from, in words
 * @param reserveBytes what must stay available on the host
 * @param tasks how many tasks (threads of all processes) the kernel lets there be
 * @param tasksBy the limit that this comes from, e.g. kernel.pid_max
 * @param timeNs how long the workload may take
 */
record Limits(long memoryBytes, String memoryBy, long reserveBytes, long tasks, String tasksBy, long timeNs) {
  /** Between two readings memory grows on; a twentieth is what a fast allocator takes in that time, and then some. */
  private static final int MEMORY_MARGIN = 20;

  private static final long MEMORY_MARGIN_LEAST = 16L << 20;

  /** So that whoever looks after the host can still start a shell. */
  private static final int TASK_MARGIN = 20;

  private static final long TASK_MARGIN_LEAST = 1_000;

  /** Kernel memory of a thread that no reading of the process contains: its stack of 16 KiB and its descriptors. */
  private static final long KERNEL_BYTES_PER_THREAD = 24 << 10;

  /** Where the memory guard steps in, below the limit. */
  long memoryStopBytes() {
    return memoryBytes - Math.max(memoryBytes / MEMORY_MARGIN, MEMORY_MARGIN_LEAST);
  }

  /** Where the task guard steps in, below the limit. */
  long taskStop() {
    return tasks - Math.max(tasks / TASK_MARGIN, TASK_MARGIN_LEAST);
  }

  /** What counts against the memory limit. */
  static long heldBytes(long rssBytes, long pageTableBytes, long threads) {
    return rssBytes + pageTableBytes + threads * KERNEL_BYTES_PER_THREAD;
  }

  /** Null as long as there is room. Allocates nothing then. */
  @Nullable Ended check(long heldBytes, long availableBytes, long hostTasks, long elapsedNs) {
    if (heldBytes >= memoryStopBytes()) {
      return new Ended(
          Kind.MEMORY_GUARD,
          "stopped itself: it holds %s of the %s it may hold (%s)".formatted(mib(heldBytes), mib(memoryBytes), memoryBy));
    }
    if (availableBytes < reserveBytes) {
      return new Ended(
          Kind.MEMORY_GUARD,
          "stopped itself: %s are available on the host, of which %s are to stay so"
              .formatted(mib(availableBytes), mib(reserveBytes)));
    }
    if (hostTasks >= taskStop()) {
      return new Ended(
          Kind.TASK_GUARD,
          "stopped itself: there are %,d tasks on the host, of the %,d that %s allows".formatted(hostTasks, tasks, tasksBy));
    }
    if (elapsedNs >= timeNs) {
      return new Ended(Kind.TIME_GUARD, "stopped itself after %.0f s, its time limit".formatted(timeNs / 1e9));
    }
    return null;
  }

  private static String mib(long bytes) {
    return "%,d MiB".formatted(bytes >> 20);
  }
}
