package echoladder.harness.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GroupRatioTest {
  private static final int TRIALS = 4_000;

  private static List<Double> group(int n, double centre, Random random) {
    List<Double> values = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      values.add(centre * Math.exp(0.03 * random.nextGaussian()));
    }
    return values;
  }

  @ParameterizedTest
  @CsvSource({"4, 4", "3, 5", "6, 6", "10, 10"})
  void theIntervalHoldsTheTrueRatioAsOftenAsItSays(int n, int m) {
    Random random = new Random(3);
    int held = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      Interval of = Objects.requireNonNull(GroupRatio.of(group(n, 40, random), group(m, 42, random)).interval());
      assertThat(of.confidence()).isGreaterThanOrEqualTo(0.95);
      held += of.low() <= 1.05 && 1.05 <= of.high() ? 1 : 0;
    }
    assertThat((double) held / TRIALS).isGreaterThanOrEqualTo(0.95 - 3 * Math.sqrt(0.05 * 0.95 / TRIALS));
  }

  @Test
  void fivePercentAreFoundWithTenRepeatsOfEach() {
    Random random = new Random(5);
    int more = 0;
    int less = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      Finding finding = GroupRatio.of(group(10, 40, random), group(10, 42, random)).finding();
      more += finding == Finding.MORE ? 1 : 0;
      less += finding == Finding.LESS ? 1 : 0;
    }
    assertThat((double) more / TRIALS).isGreaterThan(0.8);
    assertThat((double) less / TRIALS).isLessThan(0.001);
  }

  /** By counting: 1 of 70 orders of four and four has no pair out of order; of three and three it is 1 of 20. */
  @Test
  void theFewestThatHaveAnIntervalAreFourAndFour() {
    List<Double> low = List.of(1.0, 1.1, 1.3, 1.7);
    List<Double> high = List.of(2.0, 2.2, 2.6, 3.4);
    Interval interval = Objects.requireNonNull(GroupRatio.of(low, high).interval());
    assertThat(interval.confidence()).isCloseTo(1 - 2.0 / 70, within(1e-12));
    assertThat(interval.low()).isCloseTo(2.0 / 1.7, within(1e-12));
    assertThat(interval.high()).isCloseTo(3.4, within(1e-12));
    assertThat(GroupRatio.of(low, high).finding()).isEqualTo(Finding.MORE);
    assertThat(GroupRatio.of(high, low).finding()).isEqualTo(Finding.LESS);
    GroupRatio three = GroupRatio.of(low.subList(0, 3), high.subList(0, 3));
    assertThat(three.interval()).isNull();
    assertThat(three.finding()).isEqualTo(Finding.TOO_FEW);
    assertThat(three.ratio()).isCloseTo(2, within(1e-12));
  }

  @Test
  void whatIsNoRatioIsRefused() {
    assertThatThrownBy(() -> GroupRatio.of(List.of(), List.of(1.0))).hasMessageContaining("needs both");
    assertThatThrownBy(() -> GroupRatio.of(List.of(0.0), List.of(1.0))).hasMessageContaining("above 0");
  }

  /** As many repeats as a study may have, in a heap that the recurrence's every step would fill. */
  @Test
  void aHundredRepeatsOfEachNeedLittleMemory() {
    List<Double> first = IntStream.rangeClosed(1, 100).mapToObj(i -> 100.0 + i).toList();
    List<Double> second = first.stream().map(value -> value * 1.5).toList();
    GroupRatio ratio = GroupRatio.of(first, second);
    assertThat(ratio.ratio()).isCloseTo(1.5, Offset.offset(0.05));
    assertThat(Objects.requireNonNull(ratio.interval()).confidence()).isBetween(0.95, 0.951);
  }
}
