package echoladder.harness.published;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.report.table.TunedRuns;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The lines of a run of one knob, with made-up figures. */
class KnobVerdictsTest {
  private static final int CELLS = KnobVerdicts.HEADER.split(",", -1).length;

  @Test
  void eachFigureWithAnIntervalHasALine() throws IOException {
    List<String> lines = KnobVerdicts.lines(TunedRuns.of(12, TunedRuns::less, TunedRuns::same, _ -> {})).toList();
    assertThat(lines).allSatisfy(line -> assertThat(line.split(",", -1)).hasSize(CELLS).contains("cork", "1", "0", "helps", "12"));
    assertThat(lines).filteredOn(line -> line.contains("server CPU per echo")).singleElement().asString().contains(",12,0.90", ",true,");
  }

  @Test
  void aKnobWithTooFewPairsHasOneLineWithoutAFigure() throws IOException {
    assertThat(KnobVerdicts.lines(TunedRuns.of(3, TunedRuns::less, TunedRuns::same, _ -> {})))
        .singleElement().asString().endsWith(",cork,1,0,too-few,,,,,,,,,,default");
  }
}
