package echoladder.harness.stats;

import java.util.Collection;

/**
 * One figure over repeats.
 *
 * @param count repeats that have it, 1 or more
 * @param median the middle one; of an even count the mean of the two in the middle
 * @param least the lowest
 * @param most the highest
 */
public record Spread(int count, double median, double least, double most) {

  /** The spread of at least one value; an {@link IllegalArgumentException} for none. */
  public static Spread of(Collection<? extends Number> values) {
    double[] sorted = values.stream().mapToDouble(Number::doubleValue).sorted().toArray();
    if (sorted.length == 0) {
      throw new IllegalArgumentException("a spread of nothing");
    }
    return new Spread(sorted.length, median(sorted), sorted[0], sorted[sorted.length - 1]);
  }

  /** The median of values in ascending order. */
  static double median(double[] sorted) {
    int n = sorted.length;
    return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
  }}
