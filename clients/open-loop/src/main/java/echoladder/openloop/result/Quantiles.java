package echoladder.openloop.result;

import echoladder.client.figures.Percentiles;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What histograms of a load say in results. Pure. */
public final class Quantiles {
  private Quantiles() {}

  /** Percentage of values certainly below {@code ns}: those that share its bucket may be the unanswered themselves. */
  public static double shareBelow(Histogram histogram, long ns) {
    long below = histogram.lowestEquivalentValue(ns) - 1;
    return below < 0 ? 0 : histogram.getPercentileAtOrBelowValue(below);
  }

  /** Quantiles of a histogram; those with too few samples beyond them are null. */
  public static Percentiles percentiles(@Nullable Histogram histogram) {
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

  public static @Nullable Long quantile(Histogram histogram, double percent) {
    double beyond = histogram.getTotalCount() * (1 - percent / 100);
    return beyond + 1e-6 < Percentiles.SAMPLES_BEYOND ? null : (Long) histogram.getValueAtPercentile(percent);
  }
}
