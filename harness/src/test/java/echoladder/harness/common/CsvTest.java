package echoladder.harness.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvTest {
  @Test
  void rowsHaveTheCellsOfTheirHeader() {
    assertThat(Csv.rows("a,b\n1,\n\"x, \"\"y\"\"\nz\",2\r\n")).isEqualTo(List.of(Map.of("a", "1", "b", ""), Map.of("a", "x, \"y\"\nz", "b", "2")));
    assertThat(Csv.rows("a,b\n1,")).isEqualTo(List.of(Map.of("a", "1", "b", "")));
    assertThat(Csv.rows("a,b\n1,2")).hasSize(1);
    assertThat(Csv.rows("a\n")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "with, comma", "with \"quotes\"", "two\nlines", ""})
  void aCellThatIsWrittenIsRead(String text) {
    assertThat(Csv.rows("a,b\n" + Csv.cell(text) + ",end\n")).isEqualTo(List.of(Map.of("a", text, "b", "end")));
  }

  /** Whoever lost a quote has the rest of the file in one cell. */
  @Test
  void aCellMayBeAsLongAsTheFile() {
    String text = "x, \"\"y\"\" ".repeat(50_000);
    assertThat(Csv.rows("a\n\"" + text + "\"\n")).isEqualTo(List.of(Map.of("a", text.replace("\"\"", "\""))));
    assertThatThrownBy(() -> Csv.rows("a\n\"" + text)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("row 1 cannot be read");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a,b\n1\n", "a\n1,2\n", "a\n\"open\n", "a\n\"x\"y\n", "a\nx\"y\n"})
  void whatIsNoTableIsSaid(String text) {
    assertThatThrownBy(() -> Csv.rows(text)).isInstanceOf(IllegalArgumentException.class).hasMessageMatching("it is empty.*|row \\d+ .*");
  }
}
