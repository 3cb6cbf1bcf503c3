package echoladder.harness.report;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.report.page.MarkdownReport;
import echoladder.harness.report.plot.Plot;
import echoladder.harness.report.plot.Plots;
import echoladder.harness.report.table.CapacityText;
import echoladder.harness.report.table.TidyFigures;
import echoladder.harness.report.text.TerminalTable;
import echoladder.harness.results.CapacityRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Intervals, lower bounds and what gave way, in every report. */
class CapacityReportTest {
  private static final String SLOW =
      "{'reason': 'response-time-beyond-bound', 'detail': 'response time p99 was 30.0 ms'}, {'reason': 'server-saturated', 'detail': '0.4 % idle'}";

  private RunRecord run;

  /** The golden run, as if its rungs at 1,000 connections were the tries at the rates held. */
  @BeforeEach
  void searched() throws IOException {
    ObjectNode json = (ObjectNode) JsonMapper.shared().readTree(Files.readString(Path.of("src/test/resources/golden/run.json")));
    ((ObjectNode) json.get("study")).set("capacity", node("{'most_per_s': 256000, 'resolution': 0.05, 'tries': 24}"));
    for (JsonNode rung : json.get("rungs")) {
      ((ObjectNode) rung).set("stand", node("{'place': 1}"));
    }
    json.set(
        "capacity",
        node(
            "["
                + row("platform-threads", "5000, 'capacity_not_held_per_s': 5200", "found", ", 'gave_way': [" + SLOW + "]")
                + ","
                + row("floor", "5000, 'capacity_not_held_per_s': null", "undecided", ", 'at_least': 'it is the client\\u0027s ceiling', 'undecided_per_s': 5250")
                + "]"));
    run = RunFolder.parse(json.toString());
  }

  private static String row(String server, String rates, String end, String more) {
    return ("{'server': '%s', 'connections': 1000, 'capacity_held_per_s': %s, 'confirmed': true, 'end': '%s'%s, 'tries': ["
            + "{'rate_per_s': 5200, 'repeat': 1, 'length': 1, 'outcome': 'too-slow', 'why': [%s]},"
            + "{'rate_per_s': 5000, 'repeat': 1, 'length': 3, 'outcome': 'held'}]}")
        .formatted(server, rates, end, more, SLOW);
  }

  private static JsonNode node(String json) {
    return JsonMapper.shared().readTree(json.replace('\'', '"').replace("\\u0027", "'"));
  }

  private CapacityRecord row(String server) {
    return run.search(server, 1_000).orElseThrow();
  }

  @Test
  void itIsReadAsItWasWritten() {
    assertThat(RunFolder.parse(RunFolder.json(run))).isEqualTo(run);
    assertThat(run.asExpected()).isTrue();
    assertThat(row("floor").undecidedPerS()).isEqualTo(5_250);
  }

  @Test
  void aTerminalHasTheIntervals() {
    assertThat(TerminalTable.of(run, false).lines())
        .anyMatch(line -> line.matches("platform-threads +1,000 +5,000/s +5,200/s +[\\d.]+ \\(≤ [\\d.]+\\) .s +[\\d.]+ µs .* response-time-beyond-bound, server-saturated"))
        .anyMatch(line -> line.matches("floor +1,000 +≥ 5,000/s +– \\(undecided at 5,250/s\\) .* undecided"))
        .contains("floor, 1,000 connections: at least, as it is the client's ceiling.");
  }

  @Test
  void theReportHasThemWithEveryTry() {
    RunRecord shown = CapacityText.shown(run);
    assertThat(shown.rungs()).extracting(RungRecord::server).containsExactlyInAnyOrder("platform-threads", "floor");
    assertThat(MarkdownReport.of(shown))
        .contains(
            "**platform-threads** at 1,000 connections held 5,000/s and not 5,200/s.", "held at least 5,000/s.", "## Capacity",
            "| platform-threads | 1,000 | 5,000/s | 5,200/s |", "response-time-beyond-bound: response time p99 was 30.0 ms; server-saturated: 0.4 % idle",
            "A rate is held where server time p99 is at most ", "95 % of the rate is achieved", "searched rates up to 256,000 messages/s",
            "| platform-threads | 1,000 | 1 | 5,200/s | ", "| too slow | response-time-beyond-bound")
        .contains("floor, 1,000 connections: at least, as it is the client's ceiling.");
  }

  /** Each server has a rate of its own, so nothing but the rate is plotted over the connections. */
  @Test
  void thePlotHasTheIntervalsAlone() {
    List<Plot> plots = Plots.of(CapacityText.shown(run));
    assertThat(plots.getFirst().file()).isEqualTo("capacity.svg");
    assertThat(plots.getFirst().svg()).contains("<title>platform-threads, 1,000: 5,000/s</title>", "<title>floor, 1,000: ≥ 5,000/s</title>");
    assertThat(plots).extracting(Plot::file).containsExactly("capacity.svg", "memory-per-connection.svg");
  }

  /** Its tries have several rates; a heat map of them is not in the report. */
  @Test
  void itIsPublishedWithThePlotsOfItsReport(@TempDir Path dir) throws IOException {
    ObjectNode json = (ObjectNode) RunFolder.tree(run);
    json.get("rungs").forEach(rung -> ((ObjectNode) rung).putNull("histograms"));
    RunRecord whole = RunFolder.parse(json.toString());
    RunFolder folder = new RunFolder(Files.createDirectory(dir.resolve("run")));
    folder.replace("run.json", RunFolder.json(whole));
    ReportFiles.write(folder, whole);
    Path published = Publication.write(folder, whole, dir.resolve("reference"), Publication.Form.WITH_PLOTS);
    try (Stream<Path> files = Files.list(published)) {
      assertThat(files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".svg")).sorted())
          .containsExactly("capacity.svg", "memory-per-connection.svg");
    }
  }

  @Test
  void theFileOfFiguresHasBothRates() {
    assertThat(TidyFigures.of(run).lines())
        .anyMatch(line -> line.matches(".*,platform-threads,open-loop,1000,,found,,,,capacity_held_per_s,=,5000.0,1/s.*"))
        .anyMatch(line -> line.matches(".*,platform-threads,open-loop,1000,,found,,,,capacity_not_held_per_s,=,5200.0,1/s.*"))
        .anyMatch(line -> line.matches(".*,floor,open-loop,1000,,undecided,,,,capacity_held_per_s,>=,5000.0,1/s.*"))
        .anyMatch(line -> line.matches(".*,floor,open-loop,1000,,undecided,,,,capacity_not_held_per_s,=,,1/s.*"));
  }

  @Test
  void aSearchThatIsOpenFallsShort() {
    ObjectNode json = (ObjectNode) RunFolder.tree(run);
    ((ObjectNode) json.get("capacity").get(0)).put("end", "most-tries");
    assertThat(RunFolder.parse(json.toString()).asExpected()).isFalse();
  }
}
