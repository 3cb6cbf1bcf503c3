package echoladder.servers.helidon;

import java.util.concurrent.atomic.LongAdder;

/** Requests or messages in progress, over all connections. Thread-safe. */
final class InFlight {
  private final LongAdder begun = new LongAdder();
  private final LongAdder ended = new LongAdder();

  void begin() {
    begun.increment();
  }

  /** Once for each {@link #begin}: its answer is with the kernel, or its connection is gone. */
  void end() {
    ended.increment();
  }

  /** Begun and not ended. */
  long count() {
    // In this order, so that what ends in between cannot make it negative.
    long over = ended.sum();
    return begun.sum() - over;
  }
}
