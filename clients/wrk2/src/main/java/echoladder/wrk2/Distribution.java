package echoladder.wrk2;

import echoladder.client.Percentiles;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Times of one kind as wrk2 gives them.
 *
 * @param usByPercent percentile to microseconds
 * @param count how many times these are of; -1 = it does not say
 * @param meanUs their mean
 * @param maxUs the longest
 */
record Distribution(Map<Double, Double> usByPercent, long count, double meanUs, double maxUs) {

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
