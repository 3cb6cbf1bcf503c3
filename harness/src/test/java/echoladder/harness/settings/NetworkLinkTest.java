package echoladder.harness.settings;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.study.Network;
import org.junit.jupiter.api.Test;

/** What the trial of a network that was made waits for. NetworkIT makes networks. */
class NetworkLinkTest {
  private static int boundMs(long delayMs, long jitterMs) {
    return NetworkLink.tripBoundMs(new Network(delayMs * 1_000_000, jitterMs * 1_000_000, 0, null, 0, 1500));
  }

  /** A round trip takes as long as the study asks; a SYN that was lost has time to be sent again. */
  @Test
  void aRoundTripIsWaitedForLongerThanItsDelay() {
    assertThat(boundMs(0, 0)).isEqualTo(3_000);
    assertThat(boundMs(10_000, 10_000)).isEqualTo(23_000);
  }
}
