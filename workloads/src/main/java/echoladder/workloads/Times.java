package echoladder.workloads;

import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.ConcurrentHistogram;

/** Times from 1 ns to 1 h, of three digits. Any thread records; reset and read while none does. */
final class Times {
  private static final long NS_MOST = 3_600_000_000_000L;

  private final ConcurrentHistogram histogram = new ConcurrentHistogram(1, NS_MOST, 3);

  void record(long ns) {
    histogram.recordValue(Math.clamp(ns, 0, NS_MOST));
  }

  void reset() {
    histogram.reset();
  }

  AbstractHistogram histogram() {
    return histogram;
  }
}
