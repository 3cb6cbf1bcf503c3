package echoladder.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AmountsTest {
  @ParameterizedTest
  @CsvSource({"0, 0", "5000, 5000", "100k, 100000", "100K, 100000", "2.5k, 2500", "1m, 1000000", "0.001M, 1000", "999999999999999, 999999999999999"})
  void countsAreWhole(String text, long count) {
    assertThat(Amounts.count(text)).isEqualTo(count);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "k", "-5", "+5", "1.5", "1.0005k", "5 k", "5g", "1e3", "5/s", "100,000", "١", "999999999999999m"})
  void anythingElseIsNoCount(String text) {
    assertThatThrownBy(() -> Amounts.count(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'" + text + "' is not a count, as in 5000, 100k or 1m");
  }

  @ParameterizedTest
  @CsvSource({"5000, 5000", "5000/s, 5000", "5000 /s, 5000", "5k, 5000", "5k/s, 5000", "0.5/s, 0.5", "0.5, 0.5", "0, 0"})
  void ratesArePerSecond(String text, double perSecond) {
    assertThat(Amounts.perSecond(text).doubleValue()).isEqualTo(perSecond);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/s", "5/m", "5/s/s", "-5/s", "5 000/s", "fast"})
  void anythingElseIsNoRate(String text) {
    assertThatThrownBy(() -> Amounts.perSecond(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'" + text + "' is not a rate per second, as in 5000, 5000/s or 5k/s");
  }
}
