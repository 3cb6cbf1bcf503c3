package echoladder.servers.kit.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DurationTextTest {
  @ParameterizedTest
  @CsvSource({"500ms, 500, 500ms", "5s, 5000, 5s", "1m, 60000, 60s", "0s, 0, 0s", "1500ms, 1500, 1500ms", "60m, 3600000, 3600s"})
  void readsWhatServersAreGiven(String text, long ms, String shortest) {
    assertThat(new DurationText().convert(text)).hasMillis(ms);
    assertThat(DurationText.of(new DurationText().convert(text))).isEqualTo(shortest);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "s", "-1s", "1.5s", "5 s", "5h", "PT5S", "61m", "9999999m", "99999999999s"})
  void refusesTheRestAndShowsIt(String text) {
    assertThatThrownBy(() -> new DurationText().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("'" + text + "'");
  }
}
