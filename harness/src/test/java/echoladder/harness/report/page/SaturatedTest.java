package echoladder.harness.report.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.Shown;
import echoladder.harness.report.plot.Plot;
import echoladder.harness.report.plot.Plots;
import echoladder.harness.report.table.TidyFigures;
import echoladder.harness.report.text.TerminalTable;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.linux.output.TerminalStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A load that could not be carried is a result, of which no percentile is quoted. */
class SaturatedTest {
  private RunRecord run;

  /** The golden run, whose platform threads left messages unanswered at 10,000 on a full host; every other rung is valid. */
  @BeforeEach
  void saturated() throws IOException {
    ObjectNode json = (ObjectNode) JsonMapper.shared().readTree(Files.readString(Path.of("src/test/resources/golden/run.json")));
    for (JsonNode rung : json.get("rungs")) {
      boolean full = rung.get("server").asString().equals("platform-threads") && rung.get("connections").asInt() == 10_000;
      if (full) {
        ((ObjectNode) rung).put("verdict", "saturated");
      } else if (rung.has("verdict")) {
        ((ObjectNode) rung).put("verdict", "valid").set("verdict_reasons", JsonMapper.shared().createArrayNode());
      }
    }
    run = RunFolder.parse(json.toString());
  }

  private RungRecord rung() {
    return run.rungs().stream().filter(RungRecord::saturated).findFirst().orElseThrow();
  }

  @Test
  void itsTimesAreNotQuotedAndItsCostIsShown() {
    assertThat(Shown.TIMES_PLOTTED).allSatisfy(time -> assertThat(time.of(rung())).isNull());
    assertThat(LoadMetrics.SERVER_CPU.of(rung())).isNotNull();
    assertThat(TerminalTable.of(run, false).lines())
        .anyMatch(line -> line.matches("platform-threads +10,000 +– +– +[\\d.]+ µs .*  saturated"))
        .contains("platform-threads 10,000: saturated: unanswered, host-saturated");
    assertThat(TerminalTable.of(run, true)).contains("\033[33msaturated").doesNotContain("INVALID");
  }

  /** What stdout lets through to a terminal are the colours of this table. */
  @Test
  void itsColourReachesTheTerminal() {
    String coloured = TerminalTable.of(run, true);
    ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    TerminalStream.before(new PrintStream(terminal, true, UTF_8)).print(coloured);
    assertThat(terminal.toString(UTF_8)).isEqualTo(coloured);
  }

  @Test
  void aRunOfValidAndSaturatedRungsCameOutAsItShould() {
    assertThat(run.asExpected()).isTrue();
  }

  @Test
  void exclusionsAreCountedForEachServer() {
    assertThat(MarkdownReport.of(run))
        .contains(
            "| platform-threads | 2 | 1 | 1 | 0 | unanswered, host-saturated |", "| floor | 2 | 2 | 0 | 0 |  |",
            "| platform-threads 10,000 | saturated | unanswered |");
  }

  /** The line ends at a bar, at the height of its last value; where there is a value it is a hollow mark. */
  @Test
  void itIsTheEndOfTheServersLine() {
    List<Plot> plots = Plots.of(run);
    assertThat(plots.getFirst().svg())
        .contains("<title>platform-threads, 10,000: saturated</title>", "dashed to a bar: saturated, not carried");
    assertThat(plots.getFirst().tables().values()).anySatisfy(table -> assertThat(table.markdown()).contains("| saturated |"));
    assertThat(plots.get(1).svg()).contains("(saturated)</title>");
  }

  @Test
  void theFileOfFiguresSaysSo() {
    List<String> rows = TidyFigures.of(run).lines().filter(line -> line.contains(",saturated,")).toList();
    assertThat(rows).anyMatch(line -> line.contains(",response_time_p99_ns,>=,,ns") || line.contains(",response_time_p99_ns,=,,ns"));
    assertThat(rows).anyMatch(line -> line.matches(".*,server_cpu_us_per_echo,=,[\\d.]+,us/echo"));
  }
}
