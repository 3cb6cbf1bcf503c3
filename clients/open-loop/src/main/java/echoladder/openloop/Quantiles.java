package echoladder.openloop;

import echoladder.client.LateShares;
import echoladder.client.Percentiles;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What histograms of a load say in results. Pure. */
final class Quantiles {
  private Quantiles() {}

  /** Percentage of values certainly below {@code ns}: those that share its bucket may be the unanswered themselves. */
  static double shareBelow(Histogram histogram, long ns) {
    long below = histogram.lowestEquivalentValue(ns) - 1;
    return below < 0 ? 0 : histogram.getPercentileAtOrBelowValue(below);
  }

  /** Quantiles of a histogram; those with too few samples beyond them are null. */
  static Percentiles percentiles(@Nullable Histogram histogram) {
    if (histogram == null || histogram.getTotalCount() == 0) {
      return Percentiles.NONE;
    }
    return new Percentiles(
        quantile(histogram, 50),
        quantile(histogram, 90),
        quantile(histogram, 99),
        quantile(histogram, 99.9),
        quantile(histogram, 99.99),
        histogram.getMaxValue());
  }

  /** What of the percentiles of response times is lateness; by the counts of both histograms, so it merges over shards. */
  static LateShares lateShares(@Nullable Histogram response, @Nullable Histogram lessLateness) {
    if (response == null || lessLateness == null) {
      return LateShares.UNKNOWN;
    }
    return new LateShares(
        lateShare(response, lessLateness, 50), lateShare(response, lessLateness, 90), lateShare(response, lessLateness, 99),
        lateShare(response, lessLateness, 99.9), lateShare(response, lessLateness, 99.99), quantile(lessLateness, 99));
  }

  private static @Nullable Double lateShare(Histogram response, Histogram lessLateness, double percent) {
    Long ns = quantile(response, percent);
    long beyond = ns == null ? 0 : beyond(response, ns);
    return ns == null || beyond == 0 ? null : (Double) Math.max(0, 1 - (double) beyond(lessLateness, ns) / beyond);
  }

  /** Values in higher buckets than that one's. */
  private static long beyond(Histogram histogram, long ns) {
    return histogram.getTotalCount() - histogram.getCountBetweenValues(0, histogram.highestEquivalentValue(ns));
  }

  static @Nullable Long quantile(Histogram histogram, double percent) {
    double beyond = histogram.getTotalCount() * (1 - percent / 100);
    return beyond + 1e-6 < Percentiles.SAMPLES_BEYOND ? null : (Long) histogram.getValueAtPercentile(percent);
  }
}
