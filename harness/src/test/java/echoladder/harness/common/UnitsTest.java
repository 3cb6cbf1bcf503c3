package echoladder.harness.common;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnitsTest {
  /** As the ticks of an axis that is logarithmic: two of them may not be the same. */
  @Test
  void aNumberHasAsManyDigitsAsItNeeds() {
    assertThat(Units.plain(0.000_001)).isEqualTo("0.000001");
    assertThat(Units.plain(0.0001)).isEqualTo("0.0001");
    assertThat(Units.plain(0)).isEqualTo("0");
    assertThat(Units.plain(12)).isEqualTo("12");
    assertThat(Units.plain(1_234.5)).isEqualTo("1,234.5");
  }
}
