package echoladder.wrk2;

import echoladder.client.figures.Percentiles;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Times of one kind as wrk2 gives them.
 *
 * @param usByPercent percentile to microseconds
 * @param count how many times these are of; -1 = it does not say
 * @param meanUs their mean
 * @param maxUs the longest
 * @param spectrum steps of its cumulative counts, ascending; empty where it was not printed
 */
record Distribution(
    Map<Double, Double> usByPercent, long count, double meanUs, double maxUs, List<Step> spectrum) {
  private static final double[] PERCENTS = {50, 90, 99, 99.9, 99.99};

  /**
   * One line of the detailed spectrum.
   *
   * @param us a time
   * @param count how many times are not longer
   */
  record Step(double us, long count) {}

  Distribution withSpectrum(List<Step> steps) {
    return new Distribution(usByPercent, count, meanUs, maxUs, steps);
  }

  /**
   * What several processes measured, as one. Its percentiles are bounds from above: the shortest time of any spectrum of
   * which the spectra together prove that enough times are not longer. With the five steps that a spectrum has for each
   * halving of what lies beyond, the true one is at most one step lower. Empty of percentiles where a spectrum is missing.
   */
  static Distribution together(List<Distribution> parts) {
    if (parts.size() == 1) {
      return parts.getFirst();
    }
    long count = parts.stream().mapToLong(Distribution::count).sum();
    double mean = parts.stream().mapToDouble(p -> p.meanUs * p.count).sum() / Math.max(1, count);
    double max = parts.stream().mapToDouble(Distribution::maxUs).max().orElse(0);
    double[] times = parts.stream().flatMap(p -> p.spectrum.stream()).mapToDouble(Step::us).sorted().distinct().toArray();
    boolean whole = parts.stream().noneMatch(p -> p.spectrum.isEmpty() && p.count != 0);
    Map<Double, Double> percentiles = new TreeMap<>();
    for (double percent : PERCENTS) {
      for (double us : whole ? times : new double[0]) {
        if (parts.stream().mapToLong(p -> p.notLonger(us)).sum() >= percent / 100 * count - 1e-6) {
          percentiles.put(percent, us);
          break;
        }
      }
    }
    return new Distribution(percentiles, count, mean, max, List.of());
  }

  /** How many times are surely not longer. */
  private long notLonger(double us) {
    long count = 0;
    for (Step step : spectrum) {
      if (step.us > us) {
        break;
      }
      count = step.count;
    }
    return count;
  }

  /** As percentiles of a result; one with too few samples beyond it, or of which wrk2 says nothing, is null. */
  Percentiles percentiles() {
    return count == 0
        ? Percentiles.NONE
        : new Percentiles(ns(50), ns(90), ns(99), ns(99.9), ns(99.99), (Long) Math.round(maxUs * 1e3));
  }

  private @Nullable Long ns(double percent) {
    Double us = usByPercent.get(percent);
    boolean enough = count * (1 - percent / 100) + 1e-6 >= Percentiles.SAMPLES_BEYOND;
    return us == null || !enough ? null : (Long) Math.round(us * 1e3);
  }
}
