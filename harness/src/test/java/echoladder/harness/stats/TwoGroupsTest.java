package echoladder.harness.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TwoGroupsTest {
  /** Server CPU per echo of the 17 valid processes of virtual threads in the published run of async-vs-virtual. */
  private static final List<Double> PUBLISHED =
      List.of(
          39.73, 49.61, 49.67, 50.09, 50.28, 42.06, 43.20, 43.41, 49.15, 49.25, 50.25, 41.29, 41.41, 41.74, 41.81, 49.92, 50.46);

  private static List<Double> sample(int n, Random random, ToDoubleFunction<Random> value) {
    return Stream.generate(() -> value.applyAsDouble(random)).limit(n).toList();
  }

  @Test
  void thePublishedProcessesOfVirtualThreadsAreTwoGroups() {
    TwoGroups groups = TwoGroups.of(PUBLISHED).orElseThrow();
    assertThat(groups.low().count()).isEqualTo(8);
    assertThat(groups.low().least()).isEqualTo(39.73);
    assertThat(groups.low().most()).isEqualTo(43.41);
    assertThat(groups.high().count()).isEqualTo(9);
    assertThat(groups.high().least()).isEqualTo(49.15);
    assertThat(groups.high().most()).isEqualTo(50.46);
    assertThat(groups.p()).isLessThanOrEqualTo(TwoGroups.LEVEL);
    assertThat(groups.isHigh(49.15)).isTrue();
    assertThat(groups.isHigh(43.41)).isFalse();
    // A server's unit or the host's speed makes no other groups.
    assertThat(TwoGroups.of(PUBLISHED.stream().map(value -> value * 1000).toList()).orElseThrow().low().count()).isEqualTo(8);
  }

  @ParameterizedTest
  @ValueSource(ints = {6, 12, 17, 60})
  void oneModeIsHardlyEverTakenForTwo(int n) {
    Random random = new Random(7);
    int uniform = 0;
    int normal = 0;
    int skewed = 0;
    for (int trial = 0; trial < 1_000; trial++) {
      uniform += TwoGroups.of(sample(n, random, of -> 20 * Math.exp(0.3 * of.nextDouble()))).isPresent() ? 1 : 0;
      normal += TwoGroups.of(sample(n, random, of -> 20 * Math.exp(0.08 * of.nextGaussian()))).isPresent() ? 1 : 0;
      skewed += TwoGroups.of(sample(n, random, of -> 20 * Math.exp(-0.1 * Math.log(of.nextDouble())))).isPresent() ? 1 : 0;
    }
    // One in a thousand is expected of the uniform; of the others less, but where six values are split in halves.
    assertThat(List.of(uniform, normal, skewed)).allMatch(found -> found <= 6);
  }

  @ParameterizedTest
  @CsvSource({"6, 0.2, 0.01", "12, 0.2, 0.02", "18, 0.2, 0.02"})
  void groupsAreFound(int n, double apart, double within) {
    Random random = new Random(3);
    int found = 0;
    for (int trial = 0; trial < 60; trial++) {
      int[] at = {0};
      List<Double> values = sample(n, random, of -> 40 * Math.exp((at[0]++ % 2) * apart + within * of.nextGaussian()));
      found += TwoGroups.of(values).map(groups -> groups.low().count() == n / 2).orElse(false) ? 1 : 0;
    }
    // Some seven in ten of six processes, eight of twelve.
    assertThat(found).isGreaterThan(36);
  }

  @Test
  void whatIsNoGroupIsNone() {
    assertThat(TwoGroups.of(List.of())).isEmpty();
    assertThat(TwoGroups.of(List.of(1.0, 1.0, 2.0, 2.0, 2.0))).as("too few").isEmpty();
    assertThat(TwoGroups.of(List.of(20.0, 20.1, 20.2, 20.3, 20.4, 20.5, 20.6, 20.7, 20.8, 20.9, 40.0, 40.1))).as("two far out").isEmpty();
    assertThat(TwoGroups.of(List.of(0.0, 0.0, 0.0, 5.0, 5.0, 5.0))).as("no logarithm").isEmpty();
    Optional<TwoGroups> steps = TwoGroups.of(List.of(41.215, 41.215, 41.215, 41.247, 41.247, 41.247));
    assertThat(steps).as("steps of a histogram").isEmpty();
    assertThat(TwoGroups.of(List.of(5.0, 5.0, 5.0, 5.0, 5.0, 5.0))).as("all alike").isEmpty();
  }

  @Test
  void groupsWithoutAnySpreadAreFound() {
    TwoGroups groups = TwoGroups.of(List.of(5.0, 5.0, 5.0, 6.0, 6.0, 6.0)).orElseThrow();
    assertThat(groups.low().most()).isEqualTo(5);
    assertThat(groups.high().least()).isEqualTo(6);
  }
}
