package echoladder.openloop.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import echoladder.client.LoadResult.Drift;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class ThirdsTest {
  private static final long SECOND_NS = 1_000_000_000L;
  private static final long START = 500;

  private static Histogram of(long ns, int count) {
    Histogram histogram = Recorders.emptyHistogram();
    histogram.recordValueWithCount(ns, count);
    return histogram;
  }

  /** Nine seconds; what the server took by then, in ms, at the borders of the thirds. */
  private static Thirds thirds(long echoesPerS, long... cpuMs) {
    Thirds thirds = new Thirds(START, 9 * SECOND_NS);
    for (int i = 0; i < 4; i++) {
      assertThat(thirds.due(START + 3L * i * SECOND_NS - 1)).isFalse();
      assertThat(thirds.due(START + 3L * i * SECOND_NS)).isTrue();
      thirds.look(3 * echoesPerS * i, cpuMs[i] * 1_000_000);
    }
    assertThat(thirds.due(START + 30 * SECOND_NS)).isFalse();
    return thirds;
  }

  @Test
  void theLastThirdIsHeldAgainstTheFirst() {
    Thirds thirds = thirds(4_000, 100, 500, 900, 1_200);
    for (int second = 0; second < 9; second++) {
      long from = START + second * SECOND_NS;
      thirds.interval(from, from + SECOND_NS, of(second < 3 ? 400_000 : second < 6 ? 9_000_000 : 100_000, 1_000));
    }
    // Before it, over a border, and after it: in neither third.
    thirds.interval(START - 1, START + 10, of(SECOND_NS, 1_000));
    thirds.interval(START + 2 * SECOND_NS, START + 4 * SECOND_NS, of(SECOND_NS, 1_000));
    thirds.interval(START + 8 * SECOND_NS, START + 10 * SECOND_NS, of(SECOND_NS, 1_000));
    Drift drift = thirds.drift();
    assertThat(drift.serverCpuLastThirdMultipleOfFirst()).isCloseTo(0.75, within(1e-9));
    assertThat(drift.responseTimeP99LastThirdMultipleOfFirst()).isCloseTo(0.25, within(1e-3));
  }

  @Test
  void whatStandsOnTooLittleIsUnknown() {
    assertThat(thirds(3_000, 100, 500, 900, 1_200).drift()).as("9,000 echoes a third").isEqualTo(Drift.UNKNOWN);
    Thirds stopped = new Thirds(START, 9 * SECOND_NS);
    stopped.look(0, 0L);
    stopped.look(10_000, 100L);
    assertThat(stopped.drift()).isEqualTo(Drift.UNKNOWN);
    Thirds brief = new Thirds(START, 5 * SECOND_NS);
    for (int i = 0; i < 4; i++) {
      brief.look(100_000L * i, 1_000_000L * i * i);
    }
    assertThat(brief.drift()).as("thirds of 1.7 s").isEqualTo(Drift.UNKNOWN);
  }
}
