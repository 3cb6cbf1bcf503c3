package echoladder.harness.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PooledRatioTest {
  private static final int TRIALS = 1_000;

  private static PooledRatio.OfRung rung(int pairs, double ratio, Random random) {
    List<Double> first = new ArrayList<>();
    for (int i = 0; i < pairs; i++) {
      first.add(ratio * Math.exp(0.08 * random.nextGaussian()));
    }
    return new PooledRatio.OfRung(first, Collections.nCopies(pairs, 1.0));
  }

  private static PooledRatio pooled(int rungs, int pairs, IntToDoubleFunction ratio, Random random) {
    List<PooledRatio.OfRung> all = new ArrayList<>();
    for (int i = 0; i < rungs; i++) {
      all.add(rung(pairs, ratio.applyAsDouble(i), random));
    }
    return Objects.requireNonNull(PooledRatio.of(all));
  }

  private static double shareThatDiffers(int rungs, int pairs, IntToDoubleFunction ratio) {
    Random random = new Random(3);
    int differs = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      differs += pooled(rungs, pairs, ratio, random).differsOverRungs() ? 1 : 0;
    }
    return (double) differs / TRIALS;
  }

  /** Five rungs of three, as the published study of six servers has, and two of six. */
  @ParameterizedTest
  @CsvSource({"5, 3", "2, 6", "20, 6"})
  void rungsWithOneRatioAreToldApartInOneOfTwenty(int rungs, int pairs) {
    assertThat(shareThatDiffers(rungs, pairs, _ -> 2.8)).isLessThanOrEqualTo(0.05 + 3 * Math.sqrt(0.05 * 0.95 / TRIALS));
  }

  @Test
  void aRungWithAnotherRatioIsFound() {
    assertThat(shareThatDiffers(5, 3, i -> i == 4 ? 1.5 : 1)).as("one rung of five").isGreaterThan(0.5);
    assertThat(shareThatDiffers(5, 3, i -> 1 + 0.15 * i)).as("a ratio that grows").isGreaterThan(0.9);
    assertThat(shareThatDiffers(2, 6, i -> 1 + 0.3 * i)).as("two rungs").isGreaterThan(0.9);
  }

  @Test
  void theOneRatioIsThatOfAllPairs() {
    PooledRatio pooled =
        Objects.requireNonNull(
            PooledRatio.of(
                List.of(
                    new PooledRatio.OfRung(List.of(2.0, 2.2, 1.8), List.of(1.0, 1.0, 1.0)),
                    new PooledRatio.OfRung(List.of(4.2, 3.8, 4.0), List.of(2.0, 2.0, 2.0)),
                    new PooledRatio.OfRung(List.of(2.1, 1.9, 2.05), List.of(1.0, 1.0, 1.0)))));
    assertThat(pooled.differsOverRungs()).isFalse();
    PairedRatio same =
        PairedRatio.of(List.of(2.0, 2.2, 1.8, 2.1, 1.9, 2.0, 2.1, 1.9, 2.05), Collections.nCopies(9, 1.0));
    assertThat(pooled.ratio().pairs()).isEqualTo(9);
    assertThat(pooled.ratio().ratio()).isCloseTo(same.ratio(), within(1e-12));
    assertThat(pooled.ratio().p()).isEqualTo(same.p());
    assertThat(Objects.requireNonNull(pooled.ratio().interval()).low())
        .isCloseTo(Objects.requireNonNull(same.interval()).low(), within(1e-12));
  }

  /** With so few values, groups that lie wholly apart are no less likely than 5 %, so that "one ratio" would be said of any. */
  @ParameterizedTest
  @CsvSource({"'3,3', false", "'4,4', true", "'2,2,2', false", "'3,3,3', true", "'6', false", "'1,1,1,1,1,1', false", "'1,6', false"})
  void ofTooFewNothingIsSaid(String sizes, boolean told) {
    Random random = new Random(1);
    List<PooledRatio.OfRung> rungs =
        Arrays.stream(sizes.split(",")).map(size -> rung(Integer.parseInt(size), 1, random)).toList();
    assertThat(PooledRatio.of(rungs) != null).isEqualTo(told);
  }

  /** Hollander, Wolfe, Chicken, table A.12: three groups of three have H of 5.69 or more with a chance of 0.029, and of 7.2 with 0.004. */
  @Test
  void theChanceIsThatOfTheTables() {
    double p = KruskalWallis.p(List.of(new double[] {1, 2, 3}, new double[] {4, 5, 6}, new double[] {7, 8, 9}));
    assertThat(p).as("the farthest: 6 of 1,680 orders").isCloseTo(6 / 1680.0, within(0.002));
    double nearly = KruskalWallis.p(List.of(new double[] {1, 2, 4}, new double[] {3, 5, 7}, new double[] {6, 8, 9}));
    // Sums 7, 15 and 23: H = 12/90 (49 + 225 + 529)/3 - 30 = 5.69, of which the tables have 0.029.
    assertThat(nearly).isCloseTo(0.029, within(0.006));
    assertThat(KruskalWallis.p(List.of(new double[] {1, 1}, new double[] {1, 1}))).as("all alike").isEqualTo(1);
  }
}
