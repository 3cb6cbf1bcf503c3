package echoladder.harness.report;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.metric.Shown;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A percentile that lateness or gaps may explain is marked, or dropped with all above it; the rung stays. */
class QuotedPercentilesTest {
  /** The golden run, with these shares at the floor's 1,000 connections. */
  private static RunRecord run(String share, Double value) throws IOException {
    ObjectNode json = (ObjectNode) JsonMapper.shared().readTree(Files.readString(Path.of("src/test/resources/golden/run.json")));
    for (JsonNode rung : json.get("rungs")) {
      if (rung.get("server").asString().equals("floor") && rung.get("connections").asInt() == 1_000) {
        ((ObjectNode) rung).put("response_time_p90_late_share", 0.02).put(share, value);
      }
    }
    return RunFolder.parse(json.toString());
  }

  private static RungRecord floor(RunRecord run) {
    return run.rungs().stream().filter(r -> r.server().equals("floor") && r.connections() == 1_000).findFirst().orElseThrow();
  }

  private static String line(RunRecord run) {
    return TerminalTable.of(run, false).lines().filter(l -> l.matches("floor +1,000 .*")).findFirst().orElseThrow();
  }

  @Test
  void upToATenthIsNotWorthAMark() throws IOException {
    RunRecord run = run("response_time_p99_late_share", 0.1);
    assertThat(line(run)).doesNotContain("‡");
    assertThat(MarkdownReport.of(run)).doesNotContain("‡");
  }

  @Test
  void aboveATenthItIsMarkedWithTheFigure() throws IOException {
    for (String share : new String[] {"response_time_p99_late_share", "response_time_p99_gap_share"}) {
      RunRecord run = run(share, 0.23);
      assertThat(Shown.P99.of(floor(run))).isNotNull();
      assertThat(line(run)).containsPattern("µs ‡23.0 %").endsWith("valid");
      assertThat(MarkdownReport.of(run)).contains("‡23.0 %", "‡: that part of the messages beyond the percentile");
    }
  }

  @Test
  void aboveAHalfItIsDroppedWithAllAboveItAndTheRungStays() throws IOException {
    RunRecord run = run("response_time_p99_late_share", 0.61);
    RungRecord floor = floor(run);
    assertThat(floor.valid()).isTrue();
    assertThat(Shown.P50.of(floor)).isNotNull();
    assertThat(Shown.P99.of(floor)).isNull();
    assertThat(Shown.P999.of(floor)).isNull();
    assertThat(Shown.MAX.of(floor)).isNull();
    assertThat(line(run)).contains("– ‡61.0 %").endsWith("valid");
    assertThat(TidyFigures.of(run)).contains(",floor,open-loop,1000,1,measured,valid,,,response_time_p99_ns,=,,ns");
    assertThat(RunFolder.json(run)).contains("\"response_time_p99_late_share\" : 0.61");
  }

  /** The median of those that are left would be one that its own outcome picked. */
  @Test
  void ofSeveralRepeatsItIsQuotedOnlyIfEachMayQuoteIt() throws IOException {
    ObjectNode json = (ObjectNode) JsonMapper.shared().readTree(RunFolder.json(run("response_time_p99_late_share", 0.23)));
    ((ObjectNode) json.get("study")).put("repeats", 2);
    ObjectNode again = null;
    for (JsonNode rung : json.get("rungs")) {
      if (rung.get("server").asString().equals("floor") && rung.get("connections").asInt() == 1_000) {
        again = ((ObjectNode) rung.deepCopy()).put("repeat", 2).put("response_time_p99_late_share", 0.61);
      }
    }
    ((ArrayNode) json.get("rungs")).add(again);
    RunRecord run = RunFolder.parse(json.toString());
    assertThat(line(run)).contains("– ‡61.0 %").endsWith("valid");
    assertThat(MarkdownReport.of(run)).contains("Of several repeats a percentile is quoted only if each of them may quote it.");
    List<Measurement> floor = Measurement.all(run).stream().filter(m -> m.rung().server().equals("floor")).toList();
    Panel plot =
        LadderPanels.panel(Shown.P99, "", Across.CONNECTIONS, Map.of(0, floor), m -> m.rung().connections()).orElseThrow();
    assertThat(plot.lines().getFirst().marks()).extracting(Panel.Mark::place).isNotEmpty().doesNotContain(1_000);
  }
}
