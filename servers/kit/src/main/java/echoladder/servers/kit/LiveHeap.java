package echoladder.servers.kit;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;

/** What of the heap is reachable. */
final class LiveHeap {
  private LiveHeap() {}

  /**
   * Collects garbage twice, as the first collection only tells cleaners what to let go, and gives the heap bytes that
   * were left right after the second: what was allocated since does not count.
   *
   * @throws IllegalStateException where the JVM did not collect
   */
  static synchronized long collectBytes() {
    long before = collections();
    System.gc();
    System.gc();
    if (collections() == before) {
      throw new IllegalStateException(
          "asked for a garbage collection, the JVM's count of them stayed " + before + "; is -XX:+DisableExplicitGC set?");
    }
    long bytes = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      MemoryUsage left = pool.getCollectionUsage();
      if (pool.getType() == MemoryType.HEAP && left != null) {
        bytes += left.getUsed();
      }
    }
    return bytes > 0 ? bytes : ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static long collections() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionCount)
        .sum();
  }
}
