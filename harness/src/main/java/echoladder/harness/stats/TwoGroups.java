package echoladder.harness.stats;

import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.Random;

/**
 * Two groups into which values fall apart, with nothing between them. Their median lies in the gap, or at its edge, and is a value
 * that few of them or none had.
 *
 * <p>The values are split where the gap between neighbours, as logarithms, is largest against the spread within both sides: their
 * standard deviation, pooled. Each side has {@value #FEWEST} values or more, and a fifth of all, so that a value far out makes no group.
 * The chance is that of a sample of as many values from a uniform distribution with a gap as wide. Of all distributions with one
 * mode the uniform is the one that looks most like two, which is why the dip test takes its level from it (Hartigan and Hartigan,
 * The Annals of Statistics 13, 1985, 70-84). The samples are seeded, and end early where the chance is plainly no small one (Besag and
 * Clifford, Biometrika 78, 1991, 301-304).
 *
 * @param low the lower group
 * @param high the upper group
 * @param p the chance
 */
public record TwoGroups(Spread low, Spread high, double p) {
  /** The fewest values of a group. */
  public static final int FEWEST = 3;

  /** At most that chance makes groups: a report looks at some thirty sets of values. */
  public static final double LEVEL = 0.001;

  /** The upper group begins at least so many times above the end of the lower one: histograms are exact to 0.1 %. */
  public static final double LEAST_RATIO = 1.05;

  private static final int MOST_DRAWS = 9_999;
  private static final int ENOUGH = 20;

  /** Where the values are split, and how wide the gap is against the spread within both sides. */
  private record Split(int at, double width) {}

  /** The groups; empty where values do not fall apart, are too few, or are not all above 0. */
  public static Optional<TwoGroups> of(Collection<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length < 2 * FEWEST || !(sorted[0] > 0)) {
      return Optional.empty();
    }
    Split split = split(Arrays.stream(sorted).map(Math::log).toArray());
    if (sorted[split.at] < LEAST_RATIO * sorted[split.at - 1]) {
      return Optional.empty();
    }
    double p = p(split.width, sorted.length);
    return p > LEVEL
        ? Optional.empty()
        : Optional.of(new TwoGroups(spread(sorted, 0, split.at), spread(sorted, split.at, sorted.length), p));
  }

  /** Whether a value is of the upper group. */
  public boolean isHigh(double value) {
    return value > Math.sqrt(low.most() * high.least());
  }

  private static Spread spread(double[] sorted, int from, int to) {
    return Spread.of(Arrays.stream(sorted, from, to).boxed().toList());
  }

  /** The widest gap of ascending values that leaves enough on both sides. */
  private static Split split(double[] sorted) {
    int n = sorted.length;
    int least = Math.max(FEWEST, (n + 4) / 5);
    double[] sums = new double[n + 1];
    double[] squares = new double[n + 1];
    // From the middle, as squares of values far from 0 lose their digits.
    double middle = sorted[n / 2];
    for (int i = 0; i < n; i++) {
      double value = sorted[i] - middle;
      sums[i + 1] = sums[i] + value;
      squares[i + 1] = squares[i] + value * value;
    }
    Split best = new Split(least, -1);
    for (int at = least; at <= n - least; at++) {
      double within = squares[n] - sums[at] * sums[at] / at - (sums[n] - sums[at]) * (sums[n] - sums[at]) / (n - at);
      double gap = sorted[at] - sorted[at - 1];
      double width = gap == 0 ? 0 : gap / Math.sqrt(Math.max(within, 1e-12) / (n - 2));
      if (width > best.width) {
        best = new Split(at, width);
      }
    }
    return best;
  }

  private static double p(double seen, int n) {
    Random random = new Random(1);
    double[] drawn = new double[n];
    int wide = 0;
    for (int draw = 1; draw <= MOST_DRAWS; draw++) {
      Arrays.setAll(drawn, _ -> random.nextDouble());
      Arrays.sort(drawn);
      wide += split(drawn).width >= seen ? 1 : 0;
      if (wide == ENOUGH) {
        return (double) wide / draw;
      }
    }
    return (wide + 1.0) / (MOST_DRAWS + 1);
  }
}
