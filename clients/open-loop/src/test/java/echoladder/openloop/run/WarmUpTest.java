package echoladder.openloop.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WarmUpTest {
  private static final long SECOND_NS = 1_000_000_000L;

  private static WarmUp of(int minSeconds, int maxSeconds) {
    WarmUp warmUp = new WarmUp(Duration.ofSeconds(minSeconds), Duration.ofSeconds(maxSeconds), 10, 0);
    // Ten echoes in a second tell nothing of what an echo costs.
    warmUp.cpu(0, 0);
    warmUp.cpu(10, 1);
    return warmUp;
  }

  @Test
  void whatWasCompiledBeforeIsNoneOfItsBusiness() {
    WarmUp warmUp = of(0, 1);
    // A millisecond after the start; the client's compilers were busy for 0.2 s since it was started.
    warmUp.compilers(SECOND_NS / 1000, 0.2, null);
    assertThat(warmUp.over(SECOND_NS / 2, 10)).isFalse();
    assertThat(warmUp.over(SECOND_NS, 10)).isTrue();
    assertThat(warmUp.missing(10))
        .isEqualTo("it ended after 1.0 s, before the JIT compilers had been watched for a second");
  }

  @Test
  void endsOnceTheCompilersOfBothAreQuiet() {
    WarmUp warmUp = of(0, 30);
    warmUp.compilers(0, 0.2, 3.0);
    warmUp.compilers(SECOND_NS, 0.25, 3.5);
    assertThat(warmUp.over(SECOND_NS, 10)).isFalse();
    assertThat(warmUp.missing(10)).isEqualTo("JIT compilers were still busy for 50 % of the last second of 30.0 s (bound 10 %)");
    warmUp.compilers(2 * SECOND_NS, 0.26, 3.51);
    assertThat(warmUp.over(2 * SECOND_NS, 9)).isFalse();
    assertThat(warmUp.missing(9)).isEqualTo("9 of 10 echoes seen within 30.0 s");
    assertThat(warmUp.over(2 * SECOND_NS, 10)).isTrue();
    assertThat(warmUp.missing(10)).isNull();
  }

  @Test
  void aServerThatBeginsToTellLaterIsWatchedForASecondToo() {
    WarmUp warmUp = of(0, 30);
    warmUp.compilers(0, 0.2, null);
    warmUp.compilers(SECOND_NS, 0.2, 4.0);
    assertThat(warmUp.over(SECOND_NS, 10)).isFalse();
    warmUp.compilers(2 * SECOND_NS, 0.2, 4.0);
    assertThat(warmUp.over(2 * SECOND_NS, 10)).isTrue();
  }

  @Test
  void itsMinimumHolds() {
    WarmUp warmUp = of(3, 30);
    warmUp.compilers(0, 0, null);
    warmUp.compilers(SECOND_NS, 0, null);
    assertThat(warmUp.over(2 * SECOND_NS, 10)).isFalse();
    assertThat(warmUp.over(3 * SECOND_NS, 10)).isTrue();
  }

  @Test
  void waitsUntilTheCpuOfAnEchoFallsNoMore() {
    WarmUp warmUp = new WarmUp(Duration.ZERO, Duration.ofSeconds(30), 10, 0);
    warmUp.compilers(0, 0, null);
    warmUp.compilers(SECOND_NS, 0, null);
    // Per second 2,000 echoes, at 50, 40, 30, 29 and 31 us each.
    long[] cpuNs = {0, 100_000_000, 180_000_000, 240_000_000, 298_000_000, 360_000_000};
    for (int i = 0; i < cpuNs.length; i++) {
      assertThat(warmUp.over(2 * SECOND_NS, 10_000)).as("after %d s", i).isFalse();
      warmUp.cpu(2_000L * i, cpuNs[i]);
    }
    assertThat(warmUp.over(2 * SECOND_NS, 10_000)).isTrue();
  }

  /** At 2,000 echoes/s a polling client takes 500 us for each; the server falls from 60 to 40 us, a tenth of that a second. */
  @Test
  void aPollingClientDoesNotHideThatTheServerIsStillWarmingUp() {
    assertThat(overAfterFall(true)).isFalse();
    assertThat(overAfterFall(false)).as("both together hardly fall").isTrue();
  }

  private static boolean overAfterFall(boolean polls) {
    WarmUp warmUp = new WarmUp(Duration.ZERO, Duration.ofSeconds(30), 10, 0);
    warmUp.compilers(0, 0, null);
    warmUp.compilers(SECOND_NS, 0, null);
    long serverNs = 0;
    for (int second = 0; second < 5; second++) {
      warmUp.cpu(2_000L * second, WarmUp.watchedNs(second * SECOND_NS, serverNs, polls));
      serverNs += 2_000L * (60_000 - 5_000 * second);
    }
    return warmUp.over(2 * SECOND_NS, 10_000);
  }

  @Test
  void atItsMaximumItEndsAnywayAndTheSteadyStateTells() {
    WarmUp falling = new WarmUp(Duration.ZERO, Duration.ofSeconds(3), 10, 0);
    falling.compilers(0, 0, null);
    falling.compilers(SECOND_NS, 0, null);
    falling.cpu(0, 0);
    falling.cpu(2_000, 100_000_000);
    falling.cpu(4_000, 180_000_000);
    assertThat(falling.over(2 * SECOND_NS, 4_000)).isFalse();
    assertThat(falling.over(3 * SECOND_NS, 4_000)).isTrue();
    assertThat(falling.missing(4_000)).isNull();
  }
}
