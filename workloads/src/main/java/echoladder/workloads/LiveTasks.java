package echoladder.workloads;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;

/** Counts tasks between their first line and their last, and the most that were there at once. Any thread. */
final class LiveTasks {
  private final AtomicLong live = new AtomicLong();
  private final AtomicLong ended = new AtomicLong();
  private final LongAccumulator peak = new LongAccumulator(Long::max, 0);

  void begin() {
    peak.accumulate(live.incrementAndGet());
  }

  void end() {
    live.decrementAndGet();
    ended.incrementAndGet();
  }

  long live() {
    return live.get();
  }

  long ended() {
    return ended.get();
  }

  long peak() {
    return peak.get();
  }
}
