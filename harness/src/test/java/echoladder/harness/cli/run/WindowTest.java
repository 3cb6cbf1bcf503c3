package echoladder.harness.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.report.text.Screen;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who says how wide a line is: COLUMNS, the terminal, nobody. */
class WindowTest {
  @ParameterizedTest
  @CsvSource({
      "'', 80, 80", "'', 160, 160", "'', 0, 100", "80, 160, 80", "160, 0, 160", "0, 80, 80", "wide, 80, 80", "-80, 90, 90", "'', 7, 40",
      "99999999999, 80, 80", "999999, 80, 1000"
  })
  void columnsAre(String preferred, int ofTerminal, int expected) {
    assertThat(Window.of(Map.of("COLUMNS", preferred), true, ofTerminal).columns()).isEqualTo(expected);
  }

  @Test
  void onlyATerminalFoldsLinesAndHasColours() {
    Map<String, String> variables = Map.of("TERM", "xterm");
    assertThat(Window.of(variables, true, 80)).isEqualTo(new Screen(80, true, true));
    assertThat(Window.of(variables, false, 0)).isEqualTo(new Screen(100, false, false));
  }
}
