package echoladder.openloop.result;

import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * The histograms of one event loop: 1 ns to 1 h, three digits, allocated before the run. The loop records; one other
 * thread takes intervals.
 */
public final class Recorders {
  public static final long HIGHEST_NS = 3_600_000_000_000L;
  public static final int DIGITS = 3;

  private final SingleWriterRecorder[] recorders = new SingleWriterRecorder[TimeKind.COUNT];
  private final EnumMap<TimeKind, Histogram> intervals = new EnumMap<>(TimeKind.class);
  private final Counters counters;

  public Recorders(Counters counters) {
    this.counters = counters;
    for (TimeKind kind : TimeKind.values()) {
      recorders[kind.ordinal()] = new SingleWriterRecorder(1, HIGHEST_NS, DIGITS);
      intervals.put(kind, recorders[kind.ordinal()].getIntervalHistogram());
    }
  }

  public static Histogram emptyHistogram() {
    return new Histogram(1, HIGHEST_NS, DIGITS);
  }

  /** Records a time; one beyond an hour counts as an hour, and as an overflow. */
  public void record(TimeKind kind, long ns) {
    if (ns > HIGHEST_NS) {
      counters.add(Counters.Of.OVERFLOWS, 1);
      ns = HIGHEST_NS;
    }
    recorders[kind.ordinal()].recordValue(Math.max(0, ns));
  }

  /** Forgets the times of the steady state that were recorded since the last interval was taken. The loop's thread. */
  public void anew() {
    for (TimeKind kind : TimeKind.values()) {
      if (kind.ofSteady) {
        recorders[kind.ordinal()].reset();
      }
    }
  }

  /** Adds what was recorded since the last call to the histograms of {@code into}. One calling thread. */
  public void addIntervalTo(Map<TimeKind, Histogram> into) {
    for (TimeKind kind : TimeKind.values()) {
      Histogram interval = recorders[kind.ordinal()].getIntervalHistogram(intervals.get(kind));
      intervals.put(kind, interval);
      if (interval.getTotalCount() > 0) {
        into.computeIfAbsent(kind, k -> emptyHistogram()).add(interval);
      }
    }
  }
}
