package echoladder.harness.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.report.text.TerminalTable;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Colours are for terminals whose user wants them. */
class ColoursTest {
  @Test
  void aTerminalHasThem() {
    assertThat(Colours.wanted(Map.of("TERM", "xterm"), true)).isTrue();
    assertThat(Colours.wanted(Map.of(), true)).isTrue();
    assertThat(Colours.wanted(Map.of("TERM", "xterm"), false)).isFalse();
    assertThat(Colours.wanted(Map.of("TERM", "dumb"), true)).isFalse();
  }

  /** By no-color.org any value counts but an empty one. */
  @ParameterizedTest
  @ValueSource(strings = {"1", "0", "false"})
  void noColorTakesThemAway(String value) {
    assertThat(Colours.wanted(Map.of("TERM", "xterm", "NO_COLOR", value), true)).isFalse();
    assertThat(Colours.wanted(Map.of("TERM", "xterm", "NO_COLOR", ""), true)).isTrue();
  }

  @Test
  void withoutThemATableHasNoControlCharacters() throws IOException {
    RunRecord run = RunFolder.parse(Files.readString(Path.of("src/test/resources/golden/run.json")));
    assertThat(TerminalTable.of(run, true)).contains("\033[");
    assertThat(TerminalTable.of(run, false)).doesNotContain("\033").isNotBlank();
  }
}
