package echoladder.harness.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormulaTest {
  private static final Map<String, Long> VALUES = Map.of("high", 60_999L, "low", 32_768L);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "high - low + 1|28232|60,999 - 32,768 + 1", "(high - low + 1) / 2|14116|(60,999 - 32,768 + 1) / 2", "2 + 3 * 4 - 1|13|2 + 3 * 4 - 1", "7 / 2|3|7 / 2",
        "min(high, low) * 15 / 100|4915|min(60,999, 32,768) * 15 / 100", "low|32768|32,768", "max(low, high)|60999|max(32,768, 60,999)", "10 - 3 - 2|5|10 - 3 - 2"
      })
  void hasItsValueAndShowsItsNumbers(String formula, long value, String shown) {
    assertThat(Formula.value(formula, VALUES)).isEqualTo(value);
    assertThat(Formula.shown(formula, VALUES)).isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "high -|ends too early", "high low|is not expected there", "none + 1|has no value; known: ", "(high|is missing", "2 % 3|cannot be read from",
        "high / 0|/ by zero", "9223372036854775807 + 1|cannot be read", "999999999999999999 * 100|overflow"
      })
  void isRefusedWithItsReason(String formula, String reason) {
    assertThatThrownBy(() -> Formula.value(formula, VALUES)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(reason);
  }
}
