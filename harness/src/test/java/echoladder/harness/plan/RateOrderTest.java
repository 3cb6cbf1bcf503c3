package echoladder.harness.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RateOrderTest {
  private static final List<Double> RATES = List.of(1_000.0, 2_000.0, 5_000.0, 10_000.0);

  @Test
  void isDrawnFromSeedAndRepeatAlone() {
    List<Double> order = RateOrder.of(RATES, 7, 3);
    assertThat(order).containsExactlyInAnyOrderElementsOf(RATES).isEqualTo(RateOrder.of(RATES, 7, 3));
  }

  @Test
  void repeatsAndSeedsHaveDifferentOnes() {
    assertThat(IntStream.rangeClosed(1, 40).mapToObj(repeat -> RateOrder.of(RATES, 1, repeat)).distinct().count())
        .as("of 24 orders").isGreaterThan(12);
    assertThat(IntStream.rangeClosed(1, 40).mapToObj(seed -> RateOrder.of(RATES, seed, 1)).distinct().count())
        .as("of 24 orders").isGreaterThan(12);
    // Each rate comes first in some repeat: 40 draws leave one of four out with a chance of one in 25,000.
    assertThat(IntStream.rangeClosed(1, 40).mapToObj(repeat -> RateOrder.of(RATES, 1, repeat).getFirst()).distinct())
        .hasSize(RATES.size());
  }
}
