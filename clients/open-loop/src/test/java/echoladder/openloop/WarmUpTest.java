package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WarmUpTest {
  private static final long SECOND_NS = 1_000_000_000L;

  private static WarmUp of(int minSeconds, int maxSeconds) {
    return new WarmUp(Duration.ofSeconds(minSeconds), Duration.ofSeconds(maxSeconds), 10, 0);
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
}
