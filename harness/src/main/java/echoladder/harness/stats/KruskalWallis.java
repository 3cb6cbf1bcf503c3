package echoladder.harness.stats;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Whether groups of values differ in where they lie: the Kruskal-Wallis statistic on midranks (Hollander, Wolfe, Chicken:
 * Nonparametric Statistical Methods, 6.1). Its chi-square approximation needs groups of more than five, and rungs have three.
 * So p is that of random permutations (the same, 6.1, comment 8), which end early where it is plainly no small one (Besag and
 * Clifford, Biometrika 78, 1991, 301-304).
 */
final class KruskalWallis {
  private static final int MOST_DRAWS = 9_999;
  private static final int ENOUGH = 100;

  private KruskalWallis() {}

  /**
   * The chance of groups that lie at least as far apart where their values come from one distribution; within 0.005 at 0.05, and
   * the same whenever it is asked for.
   */
  static double p(List<double[]> groups) {
    int[] sizes = groups.stream().mapToInt(group -> group.length).toArray();
    double[] ranks = midranks(groups.stream().flatMapToDouble(Arrays::stream).toArray());
    return p(ranks, sizes);
  }

  /** Whether groups of these sizes, each wholly above the one before, would be told from chance: whether it is worth asking. */
  static boolean canTell(int[] sizes) {
    double extremes = 1;
    double arrangements = 1;
    int taken = 0;
    for (int group = 0; group < sizes.length; group++) {
      extremes *= group + 1;
      for (int i = 1; i <= sizes[group]; i++) {
        arrangements *= (double) ++taken / i;
      }
    }
    return extremes / arrangements <= Interval.ERROR;
  }

  private static double p(double[] ranks, int[] sizes) {
    double seen = apart(ranks, sizes);
    // Sums of the same ranks in another order differ by their rounding.
    double asFar = seen - 1e-9 * Math.abs(seen);
    double[] drawn = ranks.clone();
    Random random = new Random(1);
    int far = 0;
    for (int draw = 1; draw <= MOST_DRAWS; draw++) {
      shuffle(drawn, random);
      far += apart(drawn, sizes) >= asFar ? 1 : 0;
      if (far == ENOUGH) {
        return (double) far / draw;
      }
    }
    return (far + 1.0) / (MOST_DRAWS + 1);
  }

  /** The part of the statistic that depends on which rank is in which group. */
  private static double apart(double[] ranks, int[] sizes) {
    double apart = 0;
    int at = 0;
    for (int size : sizes) {
      double sum = 0;
      for (int i = 0; i < size; i++) {
        sum += ranks[at++];
      }
      apart += sum * sum / size;
    }
    return apart;
  }

  /** Equal values have the mean of their ranks. */
  private static double[] midranks(double[] values) {
    double[] ranks = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      double rank = 0.5;
      for (double other : values) {
        rank += other < values[i] ? 1 : other == values[i] ? 0.5 : 0;
      }
      ranks[i] = rank;
    }
    return ranks;
  }

  private static void shuffle(double[] values, Random random) {
    for (int i = values.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      double moved = values[i];
      values[i] = values[other];
      values[other] = moved;
    }
  }
}
