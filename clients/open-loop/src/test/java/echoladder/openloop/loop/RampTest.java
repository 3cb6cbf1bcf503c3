package echoladder.openloop.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RampTest {
  @ParameterizedTest
  @CsvSource({"-50, 10", "0, 10", "1000, 10", "5000, 50", "10000, 100", "800000, 100"})
  void itsEndIsLookedForTheRarerTheLongerItLasts(long lastedMs, long waitMs) {
    assertThat(Ramp.lookNs(lastedMs * 1_000_000)).isEqualTo(waitMs * 1_000_000);
  }
}
