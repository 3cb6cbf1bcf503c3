package echoladder.servers.floor;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** How long the connections of a stopping server may still take, and how many took longer. Thread-safe. */
final class Drain {
  private final AtomicLong cutOff = new AtomicLong();
  private volatile long untilNs;

  /** To be called before the listener is shut down, which is what the loops notice. */
  void begin(Duration limit) {
    untilNs = System.nanoTime() + limit.toNanos();
  }

  /** 0 when the time is up. */
  long leftNs() {
    return Math.max(0, untilNs - System.nanoTime());
  }

  void cutOff(int connections) {
    cutOff.addAndGet(connections);
  }

  /** Connections that were closed as they were. */
  long cutOff() {
    return cutOff.get();
  }
}
