package echoladder.workloads;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/**
 * Memory of this process after forced collections.
 *
 * @param rssBytes resident
 * @param heapBytes reachable, of the heap
 * @param reservedBytes address space, whether or not it was ever touched
 * @param osThreads of this process
 */
record Settled(long rssBytes, long heapBytes, long reservedBytes, long osThreads) {

  /** Collects twice, as the first collection only tells cleaners what to let go. */
  static Settled now() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    memory.gc();
    ProcessReadings now = new ProcessReadings();
    return new Settled(now.rssBytes(), memory.getHeapMemoryUsage().getUsed(), now.reservedBytes(), now.threads());
  }
}
