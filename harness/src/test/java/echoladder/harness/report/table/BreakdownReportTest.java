package echoladder.harness.report.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.breakdown.Parts;
import echoladder.harness.breakdown.UnitCost;
import echoladder.harness.report.page.MarkdownReport;
import echoladder.harness.report.plot.FlameGraph;
import echoladder.harness.report.plot.Plot;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A run that makes a sum of parts: f costs 20 µs, v 50, and w, which is v with one option more, 45; v's second repeat is not
 * valid. w has one more of each counted thing than f, but for half a KiB.
 */
class BreakdownReportTest {
  private static final Map<String, Double> COST = Map.of("f", 20.0, "v", 50.0, "w", 45.0);

  /** In µs: with the counts they come to 24. */
  private static final Map<UnitCost, Double> UNIT =
      Map.of(
          UnitCost.READ_NOTHING, 1.0, UnitCost.EPOLL_CTL, 2.0, UnitCost.EPOLL_WAIT, 1.0, UnitCost.SWITCH, 6.0, UnitCost.CARRIER_WAKE, 3.0,
          UnitCost.VIRTUAL_TURN, 9.0, UnitCost.ALLOCATED_KIB, 4.0);

  private ObjectNode json = JsonMapper.shared().createObjectNode();

  @BeforeAll
  static void likeTheLadder() {
    Locale.setDefault(Locale.ROOT);
  }

  @BeforeEach
  void withABreakdown() throws IOException {
    json = (ObjectNode) JsonMapper.shared().readTree(Files.readString(Path.of("src/test/resources/golden/run.json")));
    ObjectNode study = (ObjectNode) json.get("study");
    study.put("repeats", 3).set("rungs", JsonMapper.shared().valueToTree(List.of(1000)));
    ObjectNode breakdown = study.putObject("breakdown").put("above", "f").put("within", 0.15);
    breakdown.putArray("chain").add("v").add("w");
    breakdown.putArray("profiles").addObject().put("kind", "syscalls");
    JsonNode server = json.at("/servers/0");
    JsonNode entry = json.at("/study/servers/0");
    JsonNode valid = json.at("/rungs/0");
    ArrayNode servers = json.putArray("servers");
    ArrayNode entries = study.putArray("servers");
    ArrayNode rungs = json.putArray("rungs");
    ArrayNode profiles = json.putArray("profiles");
    json.putArray("climbs");
    for (String label : List.of("f", "v", "w")) {
      servers.add(copy(server, "label", label));
      ObjectNode of = copy(entry, "label", label);
      if (label.equals("w")) {
        of.putObject("options").put("poller-mode", "1");
      }
      entries.add(of);
      for (int repeat = 1; repeat <= 3; repeat++) {
        ObjectNode rung = rung(valid, label, repeat);
        if (label.equals("v") && repeat == 2) {
          rung.put("verdict", "invalid").put("server_cpu_us_per_echo", 500.0);
        }
        rungs.add(rung);
      }
      profiles.add(profile(rung(valid, label, 4), label.equals("f") ? 0 : 1));
    }
    ObjectNode costs = json.putObject("unit_costs").put("cpus", "0");
    ArrayNode each = costs.putArray("rates").addObject().put("rate_per_s", valid.get("rate_per_s").asDouble()).putArray("costs");
    UNIT.forEach((of, us) -> each.addObject().put("name", of.id()).put("us", us));
  }

  private static ObjectNode rung(JsonNode valid, String label, int repeat) {
    // The second repeat of each is dearer, and would tell where it counted.
    double cost = COST.getOrDefault(label, 0.0) + (repeat == 2 ? 7 : 0);
    return copy(valid, "server", label)
        .put("connections", 1_000)
        .put("repeat", repeat)
        .put("server_cpu_us_per_echo", cost)
        .put("server_voluntary_switches_per_echo", label.equals("f") ? 1.0 : 2.0)
        .put("server_allocated_bytes_per_echo", label.equals("f") ? 0.0 : 512.0);
  }

  private static ObjectNode profile(ObjectNode rung, int more) {
    ObjectNode profile = JsonMapper.shared().createObjectNode().put("kind", "syscalls");
    // Watched, it costs far more: nothing of that may be seen but in its own table.
    profile.set("rung", rung.put("server_cpu_us_per_echo", 400.0));
    ArrayNode counts = profile.putObject("watched").put("seconds", 4.5).put("echoes", 22_500.0).putArray("counts");
    counts.addObject().put("name", "read").put("per_echo", 1.0 + more).put("failed_per_echo", (double) more);
    counts.addObject().put("name", "write").put("per_echo", 1.0).put("failed_per_echo", 0.0);
    counts.addObject().put("name", "epoll_ctl").put("per_echo", (double) more).put("failed_per_echo", 0.0);
    counts.addObject().put("name", more == 0 ? "epoll_pwait2" : "epoll_wait").put("per_echo", 0.5 + more).put("failed_per_echo", 0.0);
    counts.addObject().put("name", "mmap").put("per_echo", 0.002).put("failed_per_echo", 0.0);
    return profile;
  }

  private static ObjectNode copy(JsonNode node, String key, String label) {
    return ((ObjectNode) node).deepCopy().put(key, label);
  }

  private RunRecord run() {
    return RunFolder.parse(json.toString());
  }

  @Test
  void thePartsOfTheChainAndTheCountsAddUp() {
    Parts sum = Parts.of(run()).getFirst();
    assertThat(sum.repeats()).as("those in which all are valid").isEqualTo(2);
    assertThat(sum.measured()).isEqualTo(new Parts.Difference(30, 30, 30));
    assertThat(sum.parts().getFirst().name()).isEqualTo("poller-mode=1");
    assertThat(sum.parts().getFirst().us()).isEqualTo(5);
    assertThat(sum.parts().subList(1, sum.parts().size())).extracting(Parts.Part::us).containsExactly(1.0, 2.0, 1.0, 6.0, 3.0, 9.0, 2.0);
    assertThat(sum.sumUs()).isEqualTo(29);
  }

  @Test
  void theReportSaysWhetherTheSumMeetsTheMeasuredCost() {
    String report = MarkdownReport.of(run());
    assertThat(report)
        .contains("v above f: the parts come to 29.0 µs of 30.0 µs, 96.7 %. That is within 15.0 % of the measured cost; 2 repeats.")
        .contains("| poller-mode=1 | A/B |", "turns of virtual threads | count | 1.00 | 9.00 µs | 9.00 µs | 30.0 % |", "**sum**", "**measured**");
    ((ObjectNode) json.at("/study/breakdown")).put("within", 0.01);
    assertThat(MarkdownReport.of(run())).contains("That is **not within** 1.0 % of the measured cost");
  }

  @Test
  void aPartThatIsNotKnownLeavesTheSumUnknown() {
    ((ArrayNode) json.get("profiles")).remove(0);
    Parts sum = Parts.of(run()).getFirst();
    assertThat(sum.sumUs()).isNull();
    assertThat(PartsTable.sentences(run())).singleElement().asString().contains("no sum, as these parts are not known: reads that find nothing;");
    json.remove("unit_costs");
    assertThat(PartsTable.sentences(run())).singleElement().asString().contains("switches of kernel threads that wait");
    ((ArrayNode) json.get("rungs")).forEach(rung -> ((ObjectNode) rung).put("verdict", "invalid"));
    assertThat(PartsTable.sentences(run())).singleElement().asString().contains("no sum, as there is no repeat");
  }

  @Test
  void whatProfilersSawStandsApartAndIsNeverQuoted() {
    String report = MarkdownReport.of(run());
    assertThat(report)
        .contains("**None of their figures is quoted, paired or pooled.**")
        .contains("| read | 1,000 | 1.00 | 2.00 (1.00 failed) | 2.00 (1.00 failed) |", "| epoll_ctl | 1,000 | 0 | 1.00 | 1.00 |")
        .doesNotContain("| mmap |");
    assertThat(report.lines().filter(line -> line.contains("400 µs"))).as("in the table of the extra repeats alone").hasSize(3).allMatch(line -> line.contains("| syscalls | 4.5 s | 400 µs |"));
    assertThat(report.lines().filter(line -> line.startsWith("| v | 1,000 | syscalls"))).singleElement().asString().contains("50.0 µs");
    assertThat(new Pairs(run()).all()).allMatch(row -> row.pairs() <= 3);
    assertThat(TidyFigures.of(run())).doesNotContain(",400.0");
  }

  @Test
  void aSumOfServersThatThereAreNotIsRefused() {
    ((ObjectNode) json.at("/study/breakdown")).put("above", "nobody");
    assertThatThrownBy(this::run).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("nobody");
  }

  @Test
  void aFlameGraphHasFramesByTheirSharesAndLeavesSliversOut() {
    var key = run().rungs().getFirst().key();
    Plot plot = FlameGraph.plot(key, Map.of("loop;run_[j];read;ksys_read_[k]", 600L, "loop;run_[j]", 398L, "other;<odd>&", 2L));
    assertThat(plot.file()).isEqualTo("flame-f-1000.svg");
    assertThat(plot.svg()).contains("<title>loop: 998, 99.8 %</title>", "<title>ksys_read: 600, 60.0 %</title>").doesNotContain("<odd>", "other: ");
    assertThat(plot.tables().values()).singleElement().satisfies(table -> assertThat(table.markdown()).contains("| ksys_read | 600 | 60.0 % |", "| run | 398 | 39.8 % |"));
  }
}
