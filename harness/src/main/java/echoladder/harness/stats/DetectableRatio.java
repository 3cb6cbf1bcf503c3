package echoladder.harness.stats;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which difference a design can see: the ratio that the signed-rank interval of {@link PairedRatio} tells from 1 in 80 of 100
 * studies of so many pairs, where the logarithms of the ratios are normal about it with the deviation that was seen.
 *
 * <p>In units of the deviation that ratio depends on the number of pairs alone. An interval of a sample lies above 1 where its
 * lowest Walsh average that counts does, and a shift of the sample shifts that average as much. So the shift that is found in 80
 * of 100 samples is a percentile of simulated averages. Six pairs need six logarithms on one side: 0.8^(1/6) for each of them,
 * which is 1.79 deviations. From {@value #MOST_SIMULATED} pairs on it is that of Student's t on normal values, by Guenther's formula
 * (The American Statistician 35, 1981, 243-244), of 3/pi as many pairs, which is what the signed-rank test makes of them
 * (Hollander, Wolfe, Chicken, 3.11): (1.960 + 0.842) / sqrt(3 n / pi - 1.960^2 / 2).
 */
public final class DetectableRatio {
  /** The share of studies that find it. */
  public static final double POWER = 0.8;

  private static final int MOST_SIMULATED = 40;
  private static final int TRIALS = 4_000;
  private static final Map<Integer, Double> DEVIATIONS = new ConcurrentHashMap<>();

  private DetectableRatio() {}

  /**
   * That ratio, above 1.
   *
   * @param pairs {@link PairedRatio#FEWEST_FOR_INTERVAL} or more, else an {@link IllegalArgumentException}
   * @param deviation of the logarithms
   */
  public static double of(int pairs, double deviation) {
    if (pairs < PairedRatio.FEWEST_FOR_INTERVAL) {
      throw new IllegalArgumentException("no interval of " + pairs + " pairs");
    }
    return Math.exp(deviation * DEVIATIONS.computeIfAbsent(pairs, DetectableRatio::deviations));
  }

  /**
   * The deviation of several comparisons of one figure together, as that of six pairs alone is known within a factor of two: the
   * root of their variances' mean, weighted by pairs less one.
   *
   * @param ratios of two pairs or more each, at least one; else NaN
   */
  public static double deviation(Collection<PairedRatio> ratios) {
    double squares = ratios.stream().mapToDouble(of -> (of.pairs() - 1) * of.deviation() * of.deviation()).sum();
    return Math.sqrt(squares / ratios.stream().mapToInt(of -> of.pairs() - 1).sum());
  }

  private static double deviations(int pairs) {
    if (pairs >= MOST_SIMULATED) {
      return (1.960 + 0.842) / Math.sqrt(3 * pairs / Math.PI - 1.960 * 1.960 / 2);
    }
    int left = Interval.leftOut(PairedRatio.signedRank(pairs));
    Random random = new Random(1);
    double[] needed = new double[TRIALS];
    double[] sample = new double[pairs];
    for (int trial = 0; trial < TRIALS; trial++) {
      Arrays.setAll(sample, _ -> random.nextGaussian());
      needed[trial] = -PairedRatio.walshAverages(sample)[left];
    }
    Arrays.sort(needed);
    return needed[(int) (POWER * TRIALS)];
  }
}
