package echoladder.harness.claims;

import echoladder.harness.stats.Interval;
import echoladder.harness.stats.PairedRatio;
import echoladder.harness.stats.Spread;
import java.util.Collections;
import java.util.List;
import java.util.function.DoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Where a figure lies, by its repeats. From {@value PairedRatio#FEWEST_FOR_INTERVAL} repeats on by the confidence interval of
 * the Wilcoxon signed-rank statistic and the Hodges-Lehmann estimate; of fewer, of which none has a confidence of 95 %, by their
 * median and range; of one by that one, and then nothing is known of what another would be.
 *
 * @param count repeats
 * @param value what is compared with a bound
 * @param low of the interval, or of the range
 * @param high the same
 * @param confidence of the interval; null where low and high are the range
 */
record Estimate(int count, double value, double low, double high, @Nullable Double confidence) {
  /**
   * By which factor Hodges-Lehmann estimates of six ratios of a server to itself were away from 1 on a quiet host (the study
   * a-against-a); a single measurement is no surer.
   */
  private static final double NEAR = 1.06;

  /** Estimates from at least one value. */
  static Estimate of(List<Double> values) {
    Spread spread = Spread.of(values);
    if (values.size() >= PairedRatio.FEWEST_FOR_INTERVAL && spread.least() > 0) {
      PairedRatio ratio = PairedRatio.of(values, Collections.nCopies(values.size(), 1.0));
      Interval interval = ratio.interval();
      if (interval != null) {
        return new Estimate(values.size(), ratio.ratio(), interval.low(), interval.high(), interval.confidence());
      }
    }
    return new Estimate(values.size(), spread.median(), spread.least(), spread.most(), null);
  }

  /**
   * How sure it is on which side of a bound it lies. An interval says so itself. A range of a few repeats is too narrow for
   * that: of three, the median of three more lies beyond one end of it in one case of five. So it is widened at both ends by
   * its own width. One alone has no range: a bound within 6 % of it is close.
   */
  Certainty beside(double bound) {
    if (count == 1) {
      Double factor = factorTo(bound);
      return value == bound || (factor != null && factor < NEAR) ? Certainty.CLOSE : Certainty.ONCE;
    }
    double beyond = confidence == null ? high - low : 0;
    return low - beyond <= bound && bound <= high + beyond ? Certainty.CLOSE : Certainty.CLEAR;
  }

  /** By which factor the value is away from a bound, 1 or more; null where one of them is not above 0. */
  @Nullable Double factorTo(double bound) {
    return value > 0 && bound > 0 ? Math.max(value / bound, bound / value) : null;
  }

  /** {@code 1.02× (0.99×–1.05×, interval of 6)}; a single value by itself. */
  String text(DoubleFunction<String> unit) {
    String middle = unit.apply(value);
    if (count == 1) {
      return middle;
    }
    String kind = confidence == null ? "range of " + count : "%.0f %% interval of %d".formatted(confidence * 100, count);
    return "%s (%s–%s, %s)".formatted(middle, unit.apply(low), unit.apply(high), kind);
  }
}
