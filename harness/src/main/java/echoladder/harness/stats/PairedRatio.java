package echoladder.harness.stats;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one figure compares between two subjects that were measured in pairs, each pair close together in time, so that
 * what the host did meanwhile happened to both: the ratio first / second.
 *
 * <p>From {@value #FEWEST_FOR_INTERVAL} pairs on there is an interval: the distribution-free confidence interval of the
 * Wilcoxon signed-rank statistic on the logarithms of the ratios, and as estimate the Hodges-Lehmann one, the median of
 * their Walsh averages (Hollander, Wolfe, Chicken: Nonparametric Statistical Methods, 3.2 and 3.3). It asks of the
 * logarithms that they be independent and symmetric about their centre, which the difference of two values with the same
 * noise is by itself; not that they be normal. A bootstrap of so few pairs would promise more than it holds: its
 * intervals are too narrow below some twenty. With five pairs no such interval has a confidence of 95 %, so fewer than
 * six give their range alone.
 *
 * @param pairs how many
 * @param ratio the estimate: Hodges-Lehmann with an interval, else the median
 * @param least the lowest ratio of a pair
 * @param most the highest
 * @param interval where the ratio lies; null for fewer than {@value #FEWEST_FOR_INTERVAL} pairs
 */
public record PairedRatio(int pairs, double ratio, double least, double most, @Nullable Interval interval) {
  /** The fewest pairs that allow an interval of 95 %: 2 / 2^6 is below 5 %, 2 / 2^5 is not. */
  public static final int FEWEST_FOR_INTERVAL = 6;

  /**
   * Of pairs of values above 0; an {@link IllegalArgumentException} for none, or for another value.
   *
   * @param first by pair
   * @param second by pair, as many
   */
  public static PairedRatio of(List<Double> first, List<Double> second) {
    int n = first.size();
    if (n == 0 || second.size() != n) {
      throw new IllegalArgumentException("not pairs: " + first + " and " + second);
    }
    double[] logs = new double[n];
    for (int i = 0; i < n; i++) {
      if (!(first.get(i) > 0) || !(second.get(i) > 0)) {
        throw new IllegalArgumentException("a ratio needs values above 0: " + first + " and " + second);
      }
      logs[i] = Math.log(first.get(i) / second.get(i));
    }
    Arrays.sort(logs);
    double least = Math.exp(logs[0]);
    double most = Math.exp(logs[n - 1]);
    double[] walsh = walshAverages(logs);
    Interval interval = Interval.of(walsh, signedRank(n));
    double estimate = Spread.median(interval == null ? logs : walsh);
    return new PairedRatio(n, Math.exp(estimate), least, most, interval);
  }

  /** What this many pairs show. */
  public Finding finding() {
    return Finding.of(interval);
  }

  /** The means of each two of them, and each with itself, ascending. */
  private static double[] walshAverages(double[] values) {
    int n = values.length;
    double[] walsh = new double[n * (n + 1) / 2];
    int at = 0;
    for (int i = 0; i < n; i++) {
      for (int j = i; j < n; j++) {
        walsh[at++] = (values[i] + values[j]) / 2;
      }
    }
    Arrays.sort(walsh);
    return walsh;
  }

  /** The chance of each sum of the signed ranks from 1 to n, where each rank counts or not with equal chance. */
  private static double[] signedRank(int n) {
    int most = n * (n + 1) / 2;
    double[] chance = new double[most + 1];
    chance[0] = 1;
    for (int rank = 1; rank <= n; rank++) {
      for (int sum = most; sum >= 0; sum--) {
        chance[sum] = (chance[sum] + (sum >= rank ? chance[sum - rank] : 0)) / 2;
      }
    }
    return chance;
  }
}
