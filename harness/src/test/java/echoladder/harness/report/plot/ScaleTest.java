package echoladder.harness.report.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScaleTest {
  /** A forest plot is read by what lies left and right of 1, and how far. */
  @ParameterizedTest
  @ValueSource(doubles = {1.05, 1.3, 2, 40})
  void ratiosLieAboutOneInTheMiddle(double farthest) {
    Scale scale = Scale.ofRatios(farthest);
    assertThat(scale.ticks()).containsExactly(1 / farthest, 1.0, farthest);
    assertThat(scale.at(1)).isEqualTo(0.5, within(1e-9));
    assertThat(scale.at(farthest)).isEqualTo(0.5 + 0.5 / 1.05, within(1e-9));
    assertThat(scale.at(1 / farthest)).isEqualTo(0.5 - 0.5 / 1.05, within(1e-9));
    assertThat(scale.at(Math.sqrt(farthest))).isEqualTo(0.5 + 0.25 / 1.05, within(1e-9));
  }
}
