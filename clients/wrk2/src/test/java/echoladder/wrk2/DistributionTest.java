package echoladder.wrk2;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.wrk2.Distribution.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** What several processes measured, as one. */
class DistributionTest {
  /** As HdrHistogram prints it: five steps for each halving of what lies beyond. */
  private static Distribution of(double[] times) {
    double[] sorted = times.clone();
    Arrays.sort(sorted);
    List<Step> steps = new ArrayList<>();
    double beyond = 1;
    int part = 0;
    while (true) {
      double share = 1 - beyond + part * beyond / 10;
      int count = Math.clamp((int) Math.ceil(share * sorted.length), 1, sorted.length);
      steps.add(new Step(sorted[count - 1], count));
      if (count == sorted.length) {
        break;
      }
      part++;
      if (part == 5) {
        part = 0;
        beyond /= 2;
      }
    }
    double mean = Arrays.stream(sorted).average().orElseThrow();
    return new Distribution(Map.of(), sorted.length, mean, sorted[sorted.length - 1], steps);
  }

  private static double[] times(Random random, int count, double scale) {
    return random.doubles(count).map(u -> -scale * Math.log(1 - u)).toArray();
  }

  @Test
  void itsPercentilesAreBoundsFromAboveAndAStepAtMostTooHigh() {
    Random random = new Random(7);
    for (int round = 0; round < 50; round++) {
      double[] fast = times(random, 20_000, 100);
      double[] slow = times(random, 5_000 + 100 * round, 1_000);
      double[] all = new double[fast.length + slow.length];
      System.arraycopy(fast, 0, all, 0, fast.length);
      System.arraycopy(slow, 0, all, fast.length, slow.length);
      Arrays.sort(all);
      Distribution together = Distribution.together(List.of(of(fast), of(slow)));
      assertThat(together.count()).isEqualTo(all.length);
      assertThat(together.maxUs()).isEqualTo(all[all.length - 1]);
      assertThat(together.meanUs()).isCloseTo(Arrays.stream(all).average().orElseThrow(), Offset.offset(1e-6));
      for (double percent : new double[] {50, 90, 99, 99.9}) {
        double bound = Objects.requireNonNull(together.usByPercent().get(percent));
        double exact = all[(int) Math.ceil(percent / 100 * all.length - 1e-6) - 1];
        // A step of each spectrum further: a fifth of what lies beyond, twice.
        double further = 1 - (1 - percent / 100) * 0.5;
        assertThat(bound).isBetween(exact, all[(int) Math.ceil(further * all.length) - 1]);
      }
    }
  }

  @Test
  void oneProcessKeepsWhatItSaid() {
    Distribution alone = new Distribution(Map.of(50.0, 12.0), 3, 12, 13, List.of());
    assertThat(Distribution.together(List.of(alone))).isSameAs(alone);
  }

  @Test
  void withoutASpectrumThereAreNoPercentilesOfSeveral() {
    Distribution silent = new Distribution(Map.of(50.0, 12.0), 3, 12, 13, List.of());
    Distribution together = Distribution.together(List.of(silent, of(new double[] {1, 2, 3})));
    assertThat(together.usByPercent()).isEmpty();
    assertThat(together.maxUs()).isEqualTo(13);
    assertThat(together.count()).isEqualTo(6);
  }
}
