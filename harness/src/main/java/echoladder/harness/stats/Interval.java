package echoladder.harness.stats;

import org.jspecify.annotations.Nullable;

/**
 * A confidence interval of a ratio.
 *
 * @param confidence the exact one, 0.95 or a little above as the statistics behind it have steps
 */
public record Interval(double low, double high, double confidence) {
  /** The share of intervals that may miss. */
  static final double ERROR = 0.05;

  /**
   * Between two of the ascending values, as many left out on each side as the distribution of the statistic allows.
   *
   * @param values logarithms: Walsh averages, or differences of each with each
   * @param chance of each value of the statistic, from 0, if there is no difference; its distribution is symmetric
   * @return null where even the whole range has less than 95 %
   */
  static @Nullable Interval of(double[] values, double[] chance) {
    int left = leftOut(chance);
    if (left < 0) {
      return null;
    }
    return new Interval(Math.exp(values[left]), Math.exp(values[values.length - 1 - left]), 1 - 2 * below(chance, left));
  }

  /** How many values it leaves out on each side; -1 where even the whole range has less than 95 %. */
  static int leftOut(double[] chance) {
    int left = -1;
    double outside = 0;
    while (outside + chance[left + 1] <= ERROR / 2) {
      left++;
      outside += chance[left];
    }
    return left;
  }

  /** The chance of a statistic of at most that much. */
  static double below(double[] chance, int most) {
    double sum = 0;
    for (int i = 0; i <= most; i++) {
      sum += chance[i];
    }
    return sum;
  }
}
