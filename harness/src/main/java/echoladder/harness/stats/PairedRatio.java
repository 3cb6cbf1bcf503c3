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
 * @param deviation the standard deviation of the logarithms; 0 of one pair
 * @param interval where the ratio lies; null for fewer than {@value #FEWEST_FOR_INTERVAL} pairs
 * @param p two-sided, of the same statistic: the chance of ratios that lie at least as much on one side of 1 where there is no
 *     difference. It is at most 0.05 where the interval excludes 1, and nowhere else. Of six pairs the least is 2 / 2^6 = 0.031
 */
public record PairedRatio(
    int pairs, double ratio, double least, double most, double deviation, @Nullable Interval interval, double p) {
  /** The fewest pairs that allow an interval of 95 %: 2 / 2^6 is below 5 %, 2 / 2^5 is not. */
  public static final int FEWEST_FOR_INTERVAL = 6;

  /**
   * The fewest pairs of a comparison that may confirm a difference. Fewer are a screen: of six the least p is 0.031, which
   * stands beside no second comparison. Of twelve it is 2 / 2^12 = 0.0005, which stands among a hundred.
   */
  public static final int FEWEST_TO_CONFIRM = 12;

  /**
   * Compares pairs of values above 0; an {@link IllegalArgumentException} for none, or for another value.
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
    double[] chance = signedRank(n);
    Interval interval = Interval.of(walsh, chance);
    double estimate = Spread.median(interval == null ? logs : walsh);
    return new PairedRatio(n, Math.exp(estimate), least, most, deviation(logs), interval, p(walsh, chance));
  }

  /** The statistic is the number of Walsh averages on one side; one that is 0 counts for no difference. */
  private static double p(double[] walsh, double[] chance) {
    long above = Arrays.stream(walsh).filter(value -> value > 0).count();
    long below = Arrays.stream(walsh).filter(value -> value < 0).count();
    return Math.min(1, 2 * Interval.below(chance, walsh.length - (int) Math.max(above, below)));
  }

  private static double deviation(double[] values) {
    double mean = Arrays.stream(values).average().orElseThrow();
    double squares = Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum();
    return values.length == 1 ? 0 : Math.sqrt(squares / (values.length - 1));
  }

  /** What this many pairs show, looked at alone. */
  public Finding finding() {
    return Finding.of(interval);
  }

  /** Whether so many pairs may confirm a difference; fewer are a screen. */
  public boolean confirms() {
    return pairs >= FEWEST_TO_CONFIRM;
  }

  /** The means of each two of them, and each with itself, ascending. */
  static double[] walshAverages(double[] values) {
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
  static double[] signedRank(int n) {
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
