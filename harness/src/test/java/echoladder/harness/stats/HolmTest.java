package echoladder.harness.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HolmTest {
  /** R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm"). */
  @Test
  void isWhatOthersCompute() {
    List<Double> adjusted = Holm.adjusted(List.of(0.01, 0.04, 0.03, 0.005));
    assertThat(adjusted).hasSize(4);
    List<Double> expected = List.of(0.03, 0.06, 0.06, 0.02);
    for (int i = 0; i < 4; i++) {
      assertThat(adjusted.get(i)).isCloseTo(expected.get(i), within(1e-12));
    }
    assertThat(Holm.adjusted(List.of())).isEmpty();
    assertThat(Holm.adjusted(List.of(0.2))).containsExactly(0.2);
    assertThat(Holm.adjusted(List.of(0.7, 0.9))).containsExactly(1.0, 1.0);
  }

  /** The least p of six pairs stands alone and beside no second comparison; that of twelve among a hundred. */
  @Test
  void sixPairsScreenAndTwelveConfirm() {
    double six = of(6).p();
    double twelve = of(12).p();
    assertThat(six).isEqualTo(2 / 64.0);
    assertThat(twelve).isEqualTo(2 / 4096.0);
    assertThat(Holm.stands(Holm.adjusted(List.of(six)).getFirst())).isTrue();
    assertThat(Holm.stands(Holm.adjusted(List.of(six, six)).getFirst())).isFalse();
    assertThat(Holm.adjusted(Collections.nCopies(100, twelve))).allMatch(Holm::stands);
    assertThat(Holm.canStand(6, 1)).isTrue();
    assertThat(Holm.canStand(6, 2)).isFalse();
    assertThat(Holm.canStand(12, 102)).isTrue();
    assertThat(Holm.canStand(12, 103)).isFalse();
    assertThat(of(6).confirms()).isFalse();
    assertThat(of(12).confirms()).isTrue();
  }

  private static PairedRatio of(int pairs) {
    return PairedRatio.of(Collections.nCopies(pairs, 2.0), Collections.nCopies(pairs, 1.0));
  }

  /** Ten comparisons of a server with itself: by themselves they show a difference in every third table, by Holm in one of twenty. */
  @Test
  void aTableOfServersAlikeShowsADifferenceInOneOfTwenty() {
    Random random = new Random(5);
    int tables = 2_000;
    int alone = 0;
    int among = 0;
    for (int table = 0; table < tables; table++) {
      List<Double> p = new ArrayList<>();
      for (int comparison = 0; comparison < 10; comparison++) {
        List<Double> first = new ArrayList<>();
        for (int pair = 0; pair < 12; pair++) {
          first.add(Math.exp(0.1 * random.nextGaussian()));
        }
        p.add(PairedRatio.of(first, Collections.nCopies(12, 1.0)).p());
      }
      alone += p.stream().anyMatch(Holm::stands) ? 1 : 0;
      among += Holm.adjusted(p).stream().anyMatch(Holm::stands) ? 1 : 0;
    }
    assertThat((double) alone / tables).isGreaterThan(0.25);
    // Three standard errors of the simulation itself.
    assertThat((double) among / tables).isLessThanOrEqualTo(0.05 + 3 * Math.sqrt(0.05 * 0.95 / tables));
  }
}
