package echoladder.harness.stats;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * How one figure compares between two subjects over several runs, which may be of several hosts: the ratio first / second, where it
 * lies, and where that of the next run is to be expected. Pairs are within a run, runs within a host. What differs between runs (the
 * day, the placement of a virtual machine, the build of a process image) is in both intervals; the interval of one run has nothing
 * of it.
 *
 * <p>Each run's ratio is the Hodges-Lehmann estimate of its pairs' logarithms, as in {@link PairedRatio}, and every run counts alike,
 * as does every host. Spreads come from a bootstrap that draws with replacement at each level: hosts, runs of a host, pairs of a run
 * (Davison and Hinkley, Bootstrap Methods and their Application, 1997, 3.8; for benchmarks, whose levels are builds, executions and
 * repeats: Kalibera and Jones, Quantifying Performance Changes with Effect Size Confidence Intervals, arXiv 2007.10899, 2020). Of few
 * units a bootstrap is too narrow by sqrt((n - 1) / n), and its percentiles further still, so the interval is Student's t with
 * the bootstrap's standard error and that factor (Hesterberg, What Teachers Should Know about the Bootstrap, The American Statistician
 * 69, 2015, 371-386); its degrees of freedom are the units of the highest level that has several, less one. Drawing pairs too counts
 * their noise twice where runs are alike, so the intervals have 95 % or more. The draws are seeded.
 *
 * @param ratio the estimate
 * @param interval where the ratio lies; null of one run
 * @param next where the ratio of one further run lies, on a host like these, with as many pairs; null of one run
 */
public record RatioOverRuns(double ratio, @Nullable Interval interval, @Nullable Interval next) {
  private static final int DRAWS = 4_000;

  /** Draws of each run's pairs, among which the draws of runs choose. */
  private static final int DRAWS_OF_PAIRS = 200;

  /** Student's t, two-sided at 5 %, by degrees of freedom from 1. */
  private static final double[] T = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093,
    2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042
  };

  /**
   * Pools runs.
   *
   * @param hosts of each its runs, of each run the ratios of its pairs, above 0; none may be empty, else an {@link
   *     IllegalArgumentException}
   */
  public static RatioOverRuns of(List<List<List<Double>>> hosts) {
    Random random = new Random(1);
    double[][][] drawn = new double[hosts.size()][][];
    double estimate = 0;
    for (int host = 0; host < hosts.size(); host++) {
      List<List<Double>> runs = hosts.get(host);
      drawn[host] = new double[runs.size()][];
      for (int run = 0; run < runs.size(); run++) {
        double[] logs = logs(runs.get(run));
        estimate += centre(logs) / runs.size() / hosts.size();
        drawn[host][run] = centres(logs, random);
      }
    }
    int units = hosts.size() > 1 ? hosts.size() : hosts.stream().mapToInt(List::size).sum();
    if (units == 0) {
      throw new IllegalArgumentException("nothing to pool");
    }
    if (units == 1) {
      return new RatioOverRuns(Math.exp(estimate), null, null);
    }
    double[] pooled = new double[DRAWS];
    double[] next = new double[DRAWS];
    for (int draw = 0; draw < DRAWS; draw++) {
      pooled[draw] = all(drawn, random);
      next[draw] = one(drawn[random.nextInt(drawn.length)], random) - all(drawn, random);
    }
    double widened = T[Math.min(units - 1, T.length) - 1] * Math.sqrt(units / (units - 1.0));
    return new RatioOverRuns(
        Math.exp(estimate), interval(estimate, widened * deviation(pooled)), interval(estimate, widened * deviation(next)));
  }

  /** The interval about the estimate, by its half as a logarithm. */
  private static Interval interval(double estimate, double reach) {
    return new Interval(Math.exp(estimate - reach), Math.exp(estimate + reach), 1 - Interval.ERROR);
  }

  /** The Hodges-Lehmann estimate of ratios. */
  public static double centre(List<Double> ratios) {
    return Math.exp(centre(logs(ratios)));
  }

  private static double centre(double[] logs) {
    return Spread.median(PairedRatio.walshAverages(logs));
  }

  private static double[] logs(List<Double> ratios) {
    if (ratios.isEmpty() || ratios.stream().anyMatch(ratio -> !(ratio > 0))) {
      throw new IllegalArgumentException("ratios above 0 are needed: " + ratios);
    }
    return ratios.stream().mapToDouble(Math::log).toArray();
  }

  /** Estimates of pairs that were drawn from those of a run. */
  private static double[] centres(double[] logs, Random random) {
    double[] centres = new double[DRAWS_OF_PAIRS];
    double[] pairs = new double[logs.length];
    for (int draw = 0; draw < DRAWS_OF_PAIRS; draw++) {
      Arrays.setAll(pairs, _ -> logs[random.nextInt(logs.length)]);
      centres[draw] = centre(pairs);
    }
    return centres;
  }

  /** The estimate of as many hosts and runs as there are, drawn with replacement. */
  private static double all(double[][][] hosts, Random random) {
    double sum = 0;
    for (int i = 0; i < hosts.length; i++) {
      double[][] runs = hosts[random.nextInt(hosts.length)];
      double ofHost = 0;
      for (int j = 0; j < runs.length; j++) {
        ofHost += one(runs, random);
      }
      sum += ofHost / runs.length;
    }
    return sum / hosts.length;
  }

  /** The estimate of one run of a host. */
  private static double one(double[][] runs, Random random) {
    double[] centres = runs[random.nextInt(runs.length)];
    return centres[random.nextInt(centres.length)];
  }

  private static double deviation(double[] values) {
    double mean = Arrays.stream(values).average().orElseThrow();
    return Math.sqrt(Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum() / (values.length - 1));
  }
}
