package echoladder.harness.report.plot;

import echoladder.client.figures.Percentiles;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * One histogram as points on an axis of 1/(1-p), on which each further nine takes the same room.
 *
 * @param count recorded values
 * @param valuesNs the value at percentile 100 (1 - 10^(-k/{@value #PER_DECADE})) for k = 0, 1, ...; the last point is the
 *     first beyond which there is less than one value
 * @param given how many of the points have as many samples beyond them as a percentile needs to be given
 */
record Spectrum(long count, List<Long> valuesNs, int given) {
  /** Points for each further nine. */
  static final int PER_DECADE = 20;

  Spectrum {
    valuesNs = List.copyOf(valuesNs);
  }

  /** Points of a histogram with at least one value. */
  static Spectrum of(Histogram histogram) {
    List<Long> values = new ArrayList<>();
    long count = histogram.getTotalCount();
    int given = 0;
    double beyond;
    do {
      beyond = beyond(values.size());
      values.add(histogram.getValueAtPercentile(100 - 100 * beyond));
      // The same leniency as where it is decided which percentiles run.json gives.
      given += count * beyond + 1e-6 >= Percentiles.SAMPLES_BEYOND ? 1 : 0;
    } while (count * beyond >= 1);
    return new Spectrum(count, values, given);
  }

  /** The share of values beyond point k, 1 for k = 0. */
  static double beyond(int k) {
    int decades = k / PER_DECADE;
    // Whole decades exactly, so that p99 is the percentile 99 and no neighbour of it.
    return k % PER_DECADE == 0 ? 1 / Math.pow(10, decades) : Math.pow(10, -k / (double) PER_DECADE);
  }
}
