package echoladder.harness.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PairedRatioTest {
  private static final int TRIALS = 4_000;

  private static List<Double> values(int n, IntToDoubleFunction of) {
    List<Double> values = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      values.add(of.applyAsDouble(i));
    }
    return values;
  }

  /** Noise as repeats have it: relative, a little skewed, with an outlier in ten. */
  private static double noise(Random random) {
    return Math.exp(0.03 * random.nextGaussian() + (random.nextInt(10) == 0 ? 0.15 * random.nextDouble() : 0));
  }

  /** The share of trials with that finding, for two subjects whose true ratio is known and a host that does as told. */
  private static double share(Finding wanted, int pairs, double ratio, IntToDoubleFunction host) {
    Random random = new Random(7);
    int found = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      List<Double> first = values(pairs, i -> 30 * ratio * host.applyAsDouble(i) * noise(random));
      List<Double> second = values(pairs, i -> 30 * host.applyAsDouble(i) * noise(random));
      found += PairedRatio.of(first, second).finding() == wanted ? 1 : 0;
    }
    return (double) found / TRIALS;
  }

  private static Interval interval(PairedRatio ratio) {
    return Objects.requireNonNull(ratio.interval());
  }

  @ParameterizedTest
  @ValueSource(ints = {6, 10, 20})
  void ofTwoAlikeAtMostOneInTwentyDiffers(int pairs) {
    double alike = share(Finding.NO_DIFFERENCE_SHOWN, pairs, 1, i -> 1);
    // Three standard errors of the simulation itself.
    assertThat(alike).isGreaterThanOrEqualTo(0.95 - 3 * Math.sqrt(0.05 * 0.95 / TRIALS));
  }

  @Test
  void fivePercentAreFoundWithTenPairs() {
    assertThat(share(Finding.MORE, 10, 1.05, i -> 1)).isGreaterThan(0.65);
    assertThat(share(Finding.LESS, 10, 1 / 1.05, i -> 1)).isGreaterThan(0.65);
    assertThat(share(Finding.LESS, 10, 1.05, i -> 1)).isLessThan(0.001);
  }

  @Test
  void aHostThatDriftsByAThirdHidesNothingAndInventsNothing() {
    IntToDoubleFunction drift = i -> 1 + i / 30.0;
    assertThat(share(Finding.MORE, 10, 1.05, drift)).isGreaterThan(0.65);
    assertThat(share(Finding.NO_DIFFERENCE_SHOWN, 10, 1, drift)).isGreaterThan(0.93);
  }

  @Test
  void theIntervalHoldsTheTrueRatioAsOftenAsItSays() {
    Random random = new Random(11);
    int held = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      List<Double> first = values(8, i -> 1.05 * noise(random));
      List<Double> second = values(8, i -> noise(random));
      Interval of = interval(PairedRatio.of(first, second));
      held += of.low() <= 1.05 && 1.05 <= of.high() ? 1 : 0;
    }
    assertThat((double) held / TRIALS).isGreaterThanOrEqualTo(0.95 - 3 * Math.sqrt(0.05 * 0.95 / TRIALS));
  }

  /** Hollander, Wolfe, Chicken, table A.4: the number of Walsh averages left out on each side at 95 %. */
  @ParameterizedTest
  @CsvSource({"6, 0, 0.96875", "7, 2, 0.953125", "8, 3, 0.9609375", "10, 8, 0.951171875", "20, 52, 0.95156"})
  void theIntervalIsThatOfTheTables(int n, int outside, double confidence) {
    // No two Walsh averages of these logarithms are the same.
    List<Double> first = values(n, i -> Math.exp(0.01 * Math.pow(1.7, i)));
    Interval found = interval(PairedRatio.of(first, Collections.nCopies(n, 1.0)));
    List<Double> walsh = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      for (int j = i; j < n; j++) {
        walsh.add(0.01 * (Math.pow(1.7, i) + Math.pow(1.7, j)) / 2);
      }
    }
    Collections.sort(walsh);
    assertThat(Math.log(found.low())).isCloseTo(walsh.get(outside), within(1e-6));
    assertThat(Math.log(found.high())).isCloseTo(walsh.get(walsh.size() - 1 - outside), within(1e-6));
    assertThat(found.confidence()).isCloseTo(confidence, within(1e-5)).isGreaterThanOrEqualTo(0.95);
  }

  @Test
  void pIsThatOfTheSignedRankTest() {
    PairedRatio seven = PairedRatio.of(List.of(1.02, 1.05, 0.99, 1.08, 1.03, 1.06, 1.01), Collections.nCopies(7, 1.0));
    // Ranks 3, 5, -2, 7, 4, 6, 1: the lower sum is 2, of which three of 128 are at most as much.
    assertThat(seven.p()).isCloseTo(2 * 3 / 128.0, within(1e-12));
    assertThat(PairedRatio.of(List.of(1.0, 1.0), List.of(1.0, 1.0)).p()).isEqualTo(1);
    assertThat(PairedRatio.of(List.of(2.0), List.of(1.0)).deviation()).isZero();
    assertThat(PairedRatio.of(List.of(Math.E, 1.0), List.of(1.0, 1.0)).deviation()).isCloseTo(Math.sqrt(0.5), within(1e-12));
  }

  @ParameterizedTest
  @ValueSource(ints = {6, 9, 12})
  void pIsAtMostFivePercentWhereTheIntervalExcludesOneAndNowhereElse(int pairs) {
    Random random = new Random(3);
    for (int trial = 0; trial < 500; trial++) {
      // Rounded, so that some ratios are 1 and some are the same.
      PairedRatio of = PairedRatio.of(values(pairs, _ -> Math.round(20 * noise(random) * noise(random)) / 20.0 + 0.05), values(pairs, _ -> 1));
      assertThat(of.p() <= 0.05).as("%s", of).isEqualTo(of.finding() != Finding.NO_DIFFERENCE_SHOWN);
    }
  }

  @Test
  void fewerThanSixPairsGiveTheirRangeAndNoFinding() {
    PairedRatio five = PairedRatio.of(List.of(2.0, 4.0, 3.0, 2.2, 2.4), List.of(1.0, 1.0, 1.0, 1.0, 1.0));
    assertThat(five.interval()).isNull();
    assertThat(five.finding()).isEqualTo(Finding.TOO_FEW);
    assertThat(five.ratio()).isCloseTo(2.4, within(1e-12));
    assertThat(five.least()).isCloseTo(2, within(1e-12));
    assertThat(five.most()).isCloseTo(4, within(1e-12));
  }

  @Test
  void whatIsNoRatioIsRefused() {
    assertThatThrownBy(() -> PairedRatio.of(List.of(), List.of())).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> PairedRatio.of(List.of(1.0), List.of(0.0))).hasMessageContaining("above 0");
    assertThatThrownBy(() -> PairedRatio.of(List.of(1.0, 2.0), List.of(1.0))).hasMessageContaining("not pairs");
  }

  @Test
  void aSpreadIsMedianAndRange() {
    assertThat(Spread.of(List.of(3, 1, 2))).isEqualTo(new Spread(3, 2, 1, 3));
    assertThat(Spread.of(List.of(4L, 1L))).isEqualTo(new Spread(2, 2.5, 1, 4));
    assertThatThrownBy(() -> Spread.of(List.of())).isInstanceOf(IllegalArgumentException.class);
  }
}
