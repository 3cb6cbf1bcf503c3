package echoladder.tcpkali;

import echoladder.client.figures.Percentiles;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Times of one kind as tcpkali prints them: in tenths of a millisecond, cut off, not rounded.
 *
 * @param msByPercent percentile (0 to 100] to milliseconds; empty = nothing was asked for or printed
 * @param meanMs their mean, which statsd has and the report has not
 */
record Times(NavigableMap<Double, Double> msByPercent, @Nullable Double meanMs) {
  static final Times NONE = new Times(new TreeMap<>(), null);

  /** tcpkali prints no finer. */
  static final double RESOLUTION_MS = 0.1;

  /** Milliseconds at a percentile, or null where that one was not printed. */
  @Nullable Double ms(double percent) {
    return msByPercent.get(percent);
  }

  /** The longest time in seconds, or null where it was not printed. */
  @Nullable Double maxSeconds() {
    Double ms = ms(100);
    return ms == null ? null : (Double) (ms / 1e3);
  }

  /**
   * As percentiles of a result. What is printed as 0.0 is below the resolution and therefore unknown: null.
   *
   * @param samples how many times these are of; a percentile with too few beyond it is null
   */
  Percentiles percentiles(double samples) {
    return new Percentiles(
        ns(50, samples), ns(90, samples), ns(99, samples), ns(99.9, samples), ns(99.99, samples), ns(100));
  }

  private @Nullable Long ns(double percent, double samples) {
    double beyond = samples * (1 - percent / 100);
    return beyond + 1e-6 < Percentiles.SAMPLES_BEYOND ? null : ns(percent);
  }

  private @Nullable Long ns(double percent) {
    Double ms = ms(percent);
    return ms == null || ms < RESOLUTION_MS ? null : (Long) Math.round(ms * 1e6);
  }
}
