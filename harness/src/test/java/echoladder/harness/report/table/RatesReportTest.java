package echoladder.harness.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.compare.ProcessGroups;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.report.page.MarkdownReport;
import echoladder.harness.report.plot.Plot;
import echoladder.harness.report.plot.Plots;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRepeats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A run whose rungs have rates: the committed one of made-up figures, its contenders at two rates in three repeats each. */
class RatesReportTest {
  private RunRecord run;

  @BeforeAll
  static void likeTheLadder() {
    Locale.setDefault(Locale.ROOT);
  }

  /** At 1,000/s a costs 20 and b 40, at 9,000/s 10 and 30; b does not carry 9,000/s with 2,000 connections. */
  @BeforeEach
  void withRates() throws IOException {
    ObjectNode json = (ObjectNode) JsonMapper.shared().readTree(Files.readString(Path.of("src/test/resources/golden/run.json")));
    ObjectNode study = (ObjectNode) json.get("study");
    study.put("repeats", 3).set("rungs", JsonMapper.shared().valueToTree(List.of(1000, 2000)));
    ((ObjectNode) study.get("load")).putNull("total_per_s").set("totals_per_s", JsonMapper.shared().valueToTree(List.of(1000.0, 9000.0)));
    ((ObjectNode) study.get("thresholds")).put("cpu_drift_share_most", 0.2);
    JsonNode server = json.at("/servers/0");
    JsonNode entry = json.at("/study/servers/0");
    JsonNode valid = json.at("/rungs/0");
    json.putArray("servers").add(copy(server, "label", "a").put("role", "contender")).add(copy(server, "label", "b").put("role", "contender"));
    study.putArray("servers").add(copy(entry, "label", "a")).add(copy(entry, "label", "b"));
    json.putArray("climbs");
    ArrayNode rungs = json.putArray("rungs");
    for (int connections : List.of(1000, 2000)) {
      for (int repeat = 1; repeat <= 3; repeat++) {
        for (String label : List.of("a", "b")) {
          // The high rate first, as a seed may draw it.
          rungs.add(rung(valid, label, connections, repeat, 9_000, 1));
          rungs.add(rung(valid, label, connections, repeat, 1_000, 2));
          rungs.add(rung(valid, label, connections, repeat, 9_000, 3));
        }
      }
    }
    run = RunFolder.parse(json.toString());
  }

  private static ObjectNode rung(JsonNode valid, String label, int connections, int repeat, double rate, int place) {
    double cost = (label.equals("a") ? 0 : 20) + (rate < 5_000 ? 20 : 10);
    ObjectNode rung = copy(valid, "server", label).put("connections", connections).put("repeat", repeat).put("rate_per_s", rate);
    // The second repeat's process drifted.
    rung.put("server_cpu_us_per_echo", place == 3 ? cost * (repeat == 2 ? 2 : 1.1) : cost).put("server_cpu_multiple_of_floor", cost / 10);
    rung.putObject("stand").put("place", place).put("drift_check", place == 3);
    if (label.equals("b") && connections == 2_000 && rate > 5_000) {
      rung.put("verdict", "saturated");
    }
    return rung;
  }

  private static ObjectNode copy(JsonNode node, String key, String label) {
    return ((ObjectNode) node).deepCopy().put(key, label);
  }

  private static String ladder(RunRecord run) {
    return ReportTables.ladder(run, ProcessGroups.of(run), ReportTables.ladderFigures(run), ReportTables.Width.BRIEF).markdown();
  }

  @Test
  void eachRateIsARowAndChecksForDriftAreInNone() {
    assertThat(RungRepeats.of(run.rungs())).hasSize(8).allMatch(rung -> rung.rungs().size() == 3);
    List<String> ladder = ladder(run).lines().skip(2).toList();
    assertThat(ladder).hasSize(8);
    assertThat(ladder.getFirst()).startsWith("| a | 1,000 | 1,000 |").contains("20.0 µs");
    assertThat(ladder.get(1)).startsWith("| a | 1,000 | 9,000 |").contains("10.0 µs");
    assertThat(ladder.getLast()).startsWith("| b | 2,000 | 9,000 |").contains("saturated");
  }

  @Test
  void ratesOfPushAreInDeliveries() throws IOException {
    assertThat(ladder(run)).contains("| messages/s |").doesNotContain("deliveries/s");
    ObjectNode json = (ObjectNode) RunFolder.tree(run);
    ((ObjectNode) json.at("/study/load")).put("publish", "all");
    RunRecord pushed = RunFolder.parse(json.toString());
    assertThat(ladder(pushed)).contains("| deliveries/s |").doesNotContain("messages/s");
    assertThat(DriftTable.of(pushed).markdown()).contains("| deliveries/s |");
  }

  @Test
  void pairsAreOfOneRate() {
    List<Pairs.Row> rows =
        new Pairs(run).all().stream().filter(row -> row.figure().equals(LoadMetrics.SERVER_CPU)).toList();
    assertThat(rows).extracting(row -> row.highest().load()).containsExactly("1,000 at 1,000/s", "1,000 at 9,000/s", "2,000 at 1,000/s");
    assertThat(rows).allMatch(row -> row.pairs() == 3);
    assertThat(rows.stream().map(row -> row.ratio() == null ? 0 : row.ratio().ratio())).containsExactly(0.5, 1 / 3.0, 0.5);
    List<String> file = PairsFile.of(run, new Pairs(run)).lines().toList();
    assertThat(file.getFirst()).endsWith(",rung_rate_per_s");
    assertThat(file).anyMatch(line -> line.contains(",a,b,1000,3,") && line.endsWith(",9000"));
  }

  @Test
  void aStandThatDriftedIsNamed() {
    List<String> rows = DriftTable.of(run).markdown().lines().skip(2).toList();
    assertThat(rows).hasSize(12);
    assertThat(rows.getFirst()).startsWith("| a | 1,000 | 9,000 | 1 | 1.10 |").endsWith("| within 20.0 % |");
    assertThat(rows.get(1)).startsWith("| a | 1,000 | 9,000 | 2 | 2.00 |").endsWith("| **drifted beyond 20.0 %** |");
    assertThat(rows.getLast()).startsWith("| b | 2,000 |").endsWith("| no check: one of both is not valid |");
    assertThat(MarkdownReport.of(run)).contains("## Drift within a stand");
  }

  @Test
  void linesAreOverTheRateAndTheMapSaysWhatIsSaturated() {
    List<Plot> plots = Plots.of(run);
    assertThat(plots).extracting(Plot::file).contains("cpu-over-rate.svg", "cost-heat-map.svg").doesNotContain("cpu-per-echo.svg");
    Plot lines = plots.stream().filter(plot -> plot.file().equals("cpu-over-rate.svg")).findFirst().orElseThrow();
    assertThat(lines.tables()).hasSize(2);
    assertThat(lines.svg()).contains("<title>a, 9,000: 10.0 µs", "<title>b, 1,000: 40.0 µs", "(saturated)</title>");
    Plot map = plots.stream().filter(plot -> plot.file().equals("cost-heat-map.svg")).findFirst().orElseThrow();
    assertThat(map.tables().keySet()).containsExactly("a", "b");
    assertThat(List.copyOf(map.tables().values()).getFirst().markdown()).contains("| 1,000 | 2.00× | 1.00× |");
    assertThat(List.copyOf(map.tables().values()).getLast().markdown()).contains("| 1,000 | 4.00× | 3.00× |", "| 2,000 | 4.00× | saturated |");
  }
}
