package echoladder.harness.study;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KnobEffectTest {
  @ParameterizedTest
  @CsvSource({
    "1.0794, 1.041, 1.12, 1.08, 1.04–1.12", "1.0042, 1.0011, 1.0061, 1.004, 1.001–1.006", "0.998, 0.985, 0.9997, 0.9980, 0.9850–0.9997",
    "0.9979, 0.985, 0.99996, 0.9979, 0.9850–<1.000", "1.02, 1.0000003, 1.05, 1.020, >1.000–1.050",
    "1.001, 0.968, 1.11, 1.00, 0.968–1.11", "0.847, 0.823, 0.873, 0.847, 0.823–0.873"
  })
  void itsDigitsTellAnIntervalThatExcludesOne(double ratio, double low, double high, String estimate, String interval) {
    KnobEffect effect = new KnobEffect("CPU", 12, ratio, low, high, null, true);
    assertThat(effect.ratioText()).isEqualTo(estimate);
    assertThat(effect.intervalText()).isEqualTo(interval);
  }

  /** However sure a difference is, nobody acts on a half of a percent. */
  @Test
  void oneWithinOnePercentNeitherShowsNorStands() {
    KnobEffect slight = new KnobEffect("RSS", 12, 1.0036, 1.0006, 1.007, null, true);
    assertThat(slight.slight()).isTrue();
    assertThat(slight.shown()).isFalse();
    assertThat(slight.stands()).isFalse();
    KnobEffect more = new KnobEffect("RSS", 12, 1.008, 1.0006, 1.012, null, true);
    assertThat(more.slight()).isFalse();
    assertThat(more.shown()).isTrue();
    assertThat(more.stands()).isTrue();
    assertThat(new KnobEffect("RSS", 12, 0.995, 0.992, 0.999, null, true).stands()).isFalse();
    assertThat(new KnobEffect("RSS", 12, 1.0, 0.995, 1.005, null, false).slight()).as("none is shown").isFalse();
  }
}
