package echoladder.harness.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Protocol;
import echoladder.harness.Derived;
import echoladder.harness.RunSchema;
import echoladder.harness.judgement.FloorComparison;
import echoladder.harness.judgement.StopRule;
import echoladder.harness.report.plot.Plot;
import echoladder.harness.report.plot.Plots;
import echoladder.harness.report.text.TerminalTable;
import echoladder.harness.results.ClimbRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Reports of a committed run folder with made-up figures that shows everything a run can contain. With
 * {@code -Dupdate=true} the expected files are written anew, to be read before they are committed.
 */
class GoldenReportTest {
  private static final Path FOLDER = Path.of("src/test/resources/golden");

  private final RunRecord run = new RunFolder(FOLDER).read();

  @BeforeAll
  static void likeTheLadder() {
    Locale.setDefault(Locale.ROOT);
  }

  private static void isGolden(String file, String text) throws IOException {
    Derived.follows(GoldenReportTest.class, FOLDER.resolve(file), text);
  }

  @Test
  void theReport() throws IOException {
    isGolden("REPORT.md", MarkdownReport.of(run));
  }

  @Test
  void theTable() throws IOException {
    isGolden("table.txt", TerminalTable.of(run, false));
  }

  @Test
  void thePlotsForReadmes() throws IOException {
    List<Plot> plots = Plots.of(run);
    assertThat(plots)
        .extracting(Plot::file)
        .containsExactly("response-time.svg", "cpu-per-echo.svg", "memory-per-connection.svg");
    for (Plot plot : plots) {
      isGolden(plot.file(), plot.svg());
    }
  }

  @Test
  void coloursAreAroundTheSameText() {
    String plain = TerminalTable.of(run, false);
    String coloured = TerminalTable.of(run, true);
    assertThat(coloured).contains("\033[31mINVALID").contains("\033[32mvalid");
    assertThat(coloured.replaceAll("\033\\[\\d+m", "")).isEqualTo(plain);
  }

  @Test
  void theRunFitsTheSchemaAndItself() throws IOException {
    assertThat(RunSchema.complaints(Files.readString(FOLDER.resolve("run.json")))).isEmpty();
    List<ClimbRecord> climbs = StopRule.climbs(run.study(), run.rungs(), false);
    assertThat(climbs).isEqualTo(run.climbs());
    assertThat(FloorComparison.of(run.rungs(), FloorComparison.floors(run.study(), Set.of("floor"), label -> Protocol.TCP))).isEqualTo(run.rungs());
  }

  @Test
  void theSchemaRefusesWhatIsNotInTheRecord() throws IOException {
    String json = Files.readString(FOLDER.resolve("run.json"));
    for (String[] change :
        new String[][] {
          {"\"run_id\":", "\"id\":"},
          {"\"server_rss_bytes\":", "\"server_rss_kb\":"},
          {"\"verdict\": \"valid\"", "\"verdict\": \"fine\""},
          {"\"reason\": \"unanswered\"", "\"reason\": \"bad luck\""},
          {"\"response_time_p99_ns\":", "\"response_time_p99_ms\":"},
          {"\"host_idle_share\":", "\"host_idle\":"}
        }) {
      assertThat(json).contains(change[0]);
      assertThat(RunSchema.complaints(json.replace(change[0], change[1]))).as(change[1]).isNotEmpty();
    }
  }
}
