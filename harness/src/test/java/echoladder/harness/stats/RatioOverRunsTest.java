package echoladder.harness.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RatioOverRunsTest {
  private static final int TRIALS = 300;

  private static List<Double> run(int pairs, double centre, double deviation, Random random) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < pairs; i++) {
      ratios.add(Math.exp(centre + deviation * random.nextGaussian()));
    }
    return ratios;
  }

  private static boolean holds(Interval interval, double ratio) {
    return interval.low() <= ratio && ratio <= interval.high();
  }

  /**
   * The true ratio is 1.5, and runs of one host scatter about it. The share of intervals that hold it, and of those that hold the ratio of
   * a further run, is 95 % or more, within what so many trials tell.
   */
  @ParameterizedTest
  @CsvSource({"2, 6, 0.08, 0.05", "3, 6, 0.08, 0.05", "5, 6, 0.08, 0.05", "5, 12, 0.08, 0.10", "8, 3, 0.03, 0.10", "5, 6, 0.0, 0.05"})
  void theIntervalsHoldWhatTheySay(int runs, int pairs, double betweenRuns, double withinRun) {
    Random random = new Random(11);
    double truth = Math.log(1.5);
    int ofRatio = 0;
    int ofNext = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      List<List<Double>> all = new ArrayList<>();
      for (int i = 0; i <= runs; i++) {
        all.add(run(pairs, truth + betweenRuns * random.nextGaussian(), withinRun, random));
      }
      RatioOverRuns over = RatioOverRuns.of(List.of(all.subList(0, runs)));
      ofRatio += holds(Objects.requireNonNull(over.interval()), 1.5) ? 1 : 0;
      ofNext += holds(Objects.requireNonNull(over.next()), RatioOverRuns.centre(all.getLast())) ? 1 : 0;
    }
    double least = 0.95 - 3 * Math.sqrt(0.05 * 0.95 / TRIALS);
    assertThat((double) ofRatio / TRIALS).as("the ratio").isGreaterThan(least);
    assertThat((double) ofNext / TRIALS).as("the next run").isGreaterThan(least);
  }

  /** Where runs differ, the interval of one run misses the ratio more often than it holds it: that is what the pool is for. */
  @Test
  void theIntervalOfOneRunMissesWhatRunsDifferBy() {
    Random random = new Random(5);
    int held = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      List<Double> one = run(6, Math.log(1.5) + 0.08 * random.nextGaussian(), 0.02, random);
      PairedRatio ratio = PairedRatio.of(one, Collections.nCopies(6, 1.0));
      held += holds(Objects.requireNonNull(ratio.interval()), 1.5) ? 1 : 0;
    }
    assertThat((double) held / TRIALS).isLessThan(0.5);
  }

  @Test
  void everyRunCountsAlikeAndTheSameRunsGiveTheSame() {
    List<List<Double>> runs = List.of(List.of(2.0, 2.0, 2.0, 2.0, 2.0, 2.0), List.of(8.0));
    RatioOverRuns over = RatioOverRuns.of(List.of(runs));
    assertThat(over.ratio()).isCloseTo(4, within(1e-9));
    assertThat(RatioOverRuns.of(List.of(runs))).isEqualTo(over);
    Interval interval = Objects.requireNonNull(over.interval());
    // Two means, log 2 apart on each side: the standard error is log 2, and t of one degree of freedom 12.7.
    assertThat(Math.log(interval.high() / 4)).isCloseTo(12.706 * Math.log(2), within(0.5));
    Interval next = Objects.requireNonNull(over.next());
    assertThat(Math.log(next.high() / 4)).isCloseTo(12.706 * Math.log(2) * Math.sqrt(3), within(0.8));
  }

  @Test
  void runsThatAreAlikeGiveOnePoint() {
    RatioOverRuns over = RatioOverRuns.of(List.of(List.of(List.of(1.2, 1.2), List.of(1.2, 1.2), List.of(1.2))));
    assertThat(Objects.requireNonNull(over.interval()).low()).isCloseTo(1.2, within(1e-9));
    assertThat(Objects.requireNonNull(over.next()).high()).isCloseTo(1.2, within(1e-9));
  }

  /** Four runs, two on each of two hosts that differ: with hosts as a level there are two values, and as runs of one host four. */
  @Test
  void hostsAreALevelOfTheirOwn() {
    List<List<Double>> one = List.of(List.of(1.0, 1.01, 0.99), List.of(1.0, 1.02, 0.98));
    List<List<Double>> other = List.of(List.of(1.3, 1.31, 1.29), List.of(1.3, 1.28, 1.32));
    List<List<Double>> together = new ArrayList<>(one);
    together.addAll(other);
    Interval asRuns = Objects.requireNonNull(RatioOverRuns.of(List.of(together)).interval());
    Interval asHosts = Objects.requireNonNull(RatioOverRuns.of(List.of(one, other)).interval());
    assertThat(asHosts.high() / asHosts.low()).isGreaterThan(asRuns.high() / asRuns.low());
    assertThat(RatioOverRuns.of(List.of(one, other)).ratio()).isCloseTo(Math.sqrt(1.3), within(0.01));
  }

  @Test
  void oneRunHasNoIntervalOverRuns() {
    RatioOverRuns over = RatioOverRuns.of(List.of(List.of(List.of(2.0, 4.0))));
    assertThat(over.interval()).isNull();
    assertThat(over.next()).isNull();
    assertThat(over.ratio()).isCloseTo(Math.sqrt(8), within(1e-9));
    assertThatThrownBy(() -> RatioOverRuns.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RatioOverRuns.of(List.of(List.of(List.of(0.0))))).isInstanceOf(IllegalArgumentException.class);
  }
}
