package echoladder.servers.micronauthttp;

import java.util.concurrent.atomic.LongAdder;

/** Requests in progress, over all connections. Thread-safe. */
final class Traffic {
  private final LongAdder begun = new LongAdder();
  private final LongAdder answered = new LongAdder();
  private volatile boolean goodbye;

  void requestBegun() {
    begun.increment();
  }

  /** Once for each {@link #requestBegun}: its answer is with the kernel, or its connection is gone. */
  void requestsEnded(int count) {
    answered.add(count);
  }

  /** Begun and not ended. */
  long inFlight() {
    // In this order, so that what ends in between cannot make it negative.
    long ended = answered.sum();
    return begun.sum() - ended;
  }

  /** From now on each answer is the last of its connection. */
  void sayGoodbye() {
    goodbye = true;
  }

  boolean goodbye() {
    return goodbye;
  }
}
