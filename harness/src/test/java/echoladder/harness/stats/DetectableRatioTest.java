package echoladder.harness.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DetectableRatioTest {
  private static final double DEVIATION = 0.09;

  private static List<Double> sample(int pairs, double ratio, Random random) {
    List<Double> values = new ArrayList<>();
    for (int i = 0; i < pairs; i++) {
      values.add(ratio * Math.exp(DEVIATION * random.nextGaussian()));
    }
    return values;
  }

  /** Whole comparisons of servers whose true ratio is the one that is said to be seen, by the interval that reports have. */
  @ParameterizedTest
  @ValueSource(ints = {6, 7, 10, 12, 15, 30, 39, 40, 60})
  void whatADesignIsSaidToSeeItFindsInEightyOfAHundred(int pairs) {
    double ratio = DetectableRatio.of(pairs, DEVIATION);
    Random random = new Random(17);
    int trials = 2_000;
    int more = 0;
    int less = 0;
    for (int trial = 0; trial < trials; trial++) {
      more += PairedRatio.of(sample(pairs, ratio, random), Collections.nCopies(pairs, 1.0)).finding() == Finding.MORE ? 1 : 0;
      less += PairedRatio.of(sample(pairs, 1 / ratio, random), Collections.nCopies(pairs, 1.0)).finding() == Finding.LESS ? 1 : 0;
    }
    assertThat((double) more / trials).isCloseTo(DetectableRatio.POWER, within(0.03));
    assertThat((double) less / trials).isCloseTo(DetectableRatio.POWER, within(0.03));
  }

  /** Six logarithms on one side: each with chance 0.8^(1/6) = 0.9635, the normal distribution's at 1.793. */
  @Test
  void ofSixPairsItIsInTheTables() {
    assertThat(Math.log(DetectableRatio.of(6, 1))).isCloseTo(1.793, within(0.03));
    assertThat(DetectableRatio.of(6, 0.0923)).as("by a deviation of 0.0923").isCloseTo(1.18, within(0.005));
    assertThatThrownBy(() -> DetectableRatio.of(5, 0.1)).hasMessageContaining("5 pairs");
  }

  @Test
  void theSpreadIsThatOfAllComparisonsTogether() {
    Random random = new Random(23);
    List<PairedRatio> ratios = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      ratios.add(PairedRatio.of(sample(6, 1 + i, random), Collections.nCopies(6, 1.0)));
    }
    assertThat(DetectableRatio.deviation(ratios)).isCloseTo(DEVIATION, within(0.005));
  }
}
