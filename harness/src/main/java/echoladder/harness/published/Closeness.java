package echoladder.harness.published;

import java.util.Comparator;

/**
 * The distance of measured numbers from the one that is asked for. The smaller of two is closer: the nearest number decides, then
 * whether the number asked for lies between measured ones, then how far these are apart.
 *
 * @param nearest the ratio of the nearest measured number to the one asked for, or its inverse: 1 or more
 * @param within whether that one was measured, or lies between two that were
 * @param width the ratio of the two numbers around it, 1 or more; of a number below all of them, the ratio of the lowest to it
 */
record Closeness(double nearest, boolean within, double width) implements Comparable<Closeness> {
  private static final Comparator<Closeness> ORDER =
      Comparator.comparingDouble(Closeness::nearest).thenComparing(close -> !close.within).thenComparingDouble(Closeness::width);

  /**
   * The closeness of measured numbers to the one asked for; all are above 0.
   *
   * @param low the next measured number that is not higher; the same as {@code high} where all are higher
   * @param high the next one that is not lower
   */
  static Closeness of(double asked, double low, double high) {
    double above = high / asked;
    return low > asked ? new Closeness(above, false, above) : new Closeness(Math.min(above, asked / low), true, high / low);
  }

  /** The closeness of a point so many times as far away, as another number beside this one is not the one asked for either. */
  Closeness times(double factor) {
    return new Closeness(nearest * factor, within, width);
  }

  @Override
  public int compareTo(Closeness other) {
    return ORDER.compare(this, other);
  }
}
