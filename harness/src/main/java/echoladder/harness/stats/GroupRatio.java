package echoladder.harness.stats;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one figure compares between two groups of repeats that nothing pairs, such as those of two runs: the ratio second /
 * first. The interval is that of the Mann-Whitney statistic on the logarithms, the estimate the Hodges-Lehmann one, the
 * median of the differences of each with each (Hollander, Wolfe, Chicken: Nonparametric Statistical Methods, 4.2 and 4.3).
 * It asks that repeats be independent, and that the two groups differ by a factor alone.
 *
 * @param first how many repeats
 * @param second how many repeats
 * @param ratio the estimate
 * @param interval null where so few repeats have none of 95 %: fewer than four and four, or three and five
 */
public record GroupRatio(int first, int second, double ratio, @Nullable Interval interval) {

  /** Compares values above 0, at least one on each side; else an {@link IllegalArgumentException}. */
  public static GroupRatio of(List<Double> first, List<Double> second) {
    if (first.isEmpty() || second.isEmpty()) {
      throw new IllegalArgumentException("a ratio needs both: " + first + " and " + second);
    }
    double[] logs = new double[first.size() * second.size()];
    int at = 0;
    for (double a : first) {
      for (double b : second) {
        if (!(a > 0) || !(b > 0)) {
          throw new IllegalArgumentException("a ratio needs values above 0: " + first + " and " + second);
        }
        logs[at++] = Math.log(b / a);
      }
    }
    Arrays.sort(logs);
    Interval interval = Interval.of(logs, mannWhitney(first.size(), second.size()));
    return new GroupRatio(first.size(), second.size(), Math.exp(Spread.median(logs)), interval);
  }

  /** What these repeats show of the second. */
  public Finding finding() {
    return Finding.of(interval);
  }

  /**
   * The chance of each number of pairs in which the second is the lower one, where all orders of both are as likely: by
   * the last of them, which is one of the first group with chance n / (n + m).
   */
  private static double[] mannWhitney(int n, int m) {
    // Of i of the first group and each j of the second; of none of either there is but one order.
    double[][] chance = new double[m + 1][n * m + 1];
    for (int j = 0; j <= m; j++) {
      chance[j][0] = 1;
    }
    for (int i = 1; i <= n; i++) {
      for (int j = 1; j <= m; j++) {
        // Downwards, as what stands below u - j is still that of i - 1.
        for (int u = i * j; u >= 0; u--) {
          double ofFirst = u >= j ? chance[j][u - j] : 0;
          chance[j][u] = (i * ofFirst + j * chance[j - 1][u]) / (i + j);
        }
      }
    }
    return chance[m];
  }
}
