package echoladder.harness.report.plot;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.Browser;
import echoladder.harness.RunSchema;
import echoladder.harness.compare.ProcessGroups;
import echoladder.harness.report.ReportFiles;
import echoladder.harness.report.text.OfferedText;
import echoladder.harness.report.text.Summary;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.study.AxisPoint;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What a report shows of a study with axes: a made-up run of two servers on two axes, and of a floor on one of them. */
class AxisReportTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/run.json");

  @TempDir private Path dir;

  @BeforeAll
  static void likeTheLadder() {
    Locale.setDefault(Locale.ROOT);
  }

  /** At 1,000 connections, twice each; p99 is 1 ms for G1 and half of that for Serial. */
  private static RunRecord run() throws IOException {
    RunRecord golden = RunFolder.parse(Files.readString(GOLDEN));
    ObjectNode measured =
        (ObjectNode) RunFolder.tree(golden.rungs().stream().filter(RungRecord::valid).findFirst().orElseThrow());
    ObjectNode run = (ObjectNode) RunFolder.tree(golden);
    ObjectNode like = (ObjectNode) run.get("servers").get(0);
    ObjectNode study = (ObjectNode) run.get("study");
    study.put("repeats", 2).putArray("rungs").add(1_000);
    ArrayNode entries = study.putArray("servers");
    ArrayNode servers = run.putArray("servers");
    ArrayNode rungs = run.putArray("rungs");
    run.putArray("climbs");
    for (String server : List.of("floor", "virtual-threads", "netty")) {
      for (String gc : server.equals("floor") ? List.of("") : List.of("Serial", "G1")) {
        for (String share : List.of("1", "0.01")) {
          Map<String, String> values = new LinkedHashMap<>();
          if (!gc.isEmpty()) {
            values.put("gc", gc);
          }
          values.put("active_share", share);
          AxisPoint point = new AxisPoint(server, values);
          ObjectNode entry = entries.addObject();
          entry.put("label", point.label()).put("server", server).put("client", "open-loop");
          entry.putObject("options");
          ObjectNode on = entry.putObject("point").put("server", server).putObject("values");
          values.forEach(on::put);
          servers.add(
              like.deepCopy().put("label", point.label()).put("role", server.equals("floor") ? "reference" : "contender"));
          for (int repeat = 1; repeat <= 2; repeat++) {
            rungs.add(
                measured.deepCopy().put("server", point.label()).put("connections", 1_000).put("repeat", repeat)
                    .put("server_time_p99_ns", gc.equals("Serial") ? 500_000 : 1_000_000).put("response_time_p99_ns", 1_040_000));
          }
        }
      }
    }
    return RunFolder.parse(run.toString());
  }

  @Test
  void eachAxisHasThePlotsOfTheMainFiguresALineForEachServerAndItsOtherValues() throws IOException {
    RunRecord run = run();
    assertThat(RunSchema.complaints(RunFolder.json(run))).isEmpty();
    Map<String, List<Panel>> axes = AxisPanels.of(run);
    assertThat(axes.keySet()).containsExactly("active_share", "gc");
    assertThat(axes.getOrDefault("gc", List.of())).extracting(Panel::title)
        .containsExactly("Server time, p99, 1,000 connections", "Server CPU per echo, 1,000 connections", "RSS per connection, 1,000 connections", "Live heap per connection, 1,000 connections");
    Panel p99 = axes.getOrDefault("gc", List.of()).getFirst();
    List<Series> series = AxisLine.series(run);
    assertThat(p99.lines()).extracting(line -> series.get(line.series()).label())
        .containsExactly(
            "virtual-threads-active-share-1", "virtual-threads-active-share-0.01", "netty-active-share-1",
            "netty-active-share-0.01");
    assertThat(p99.lines()).allSatisfy(
        line -> assertThat(line.marks()).extracting(Panel.Mark::value).containsExactly(500_000.0, 1_000_000.0));
    assertThat(p99.lines().getFirst().marks()).allMatch(mark -> mark.repeats() == 2);
    assertThat(axes.getOrDefault("active_share", List.of()).getFirst().lines()).extracting(line -> series.get(line.series()).label())
        .containsExactly("floor", "virtual-threads-serial", "virtual-threads-g1", "netty-serial", "netty-g1");
  }

  /** Entries whose loads differ in that alone would else read as one load told twice. */
  @Test
  void aLoadIsToldWithItsProcessorsAndWhetherItsClientPolls() throws IOException {
    ObjectNode run = (ObjectNode) RunFolder.tree(run());
    ObjectNode load = (ObjectNode) run.at("/study/load");
    ((ObjectNode) run.at("/study/servers/0")).set("load", load.deepCopy().put("cpus", "apart"));
    ((ObjectNode) run.at("/study/servers/1")).set("load", load.deepCopy().put("spin_ns", 200_000));
    String told = OfferedText.of(RunFolder.parse(run.toString()).study());
    assertThat(told)
        .contains("seed 1; ")
        .contains("floor-active-share-1: processors apart, the client sleeps until a send is due.")
        .contains("processors shared, the client polls from 200 µs before a send is due.")
        .contains("netty-g1-active-share-0.01: processors shared, the client sleeps until a send is due.")
        .containsOnlyOnce("64 B each").containsOnlyOnce("processors apart").containsOnlyOnce("polls")
        .doesNotContain("halt", "stay");
  }

  /** Ten sentences would not be read; of one server's four settings the least and the most are. */
  @Test
  void climbsThatEndAlikeAreToldTogether() throws IOException {
    ObjectNode run = (ObjectNode) RunFolder.tree(run());
    ArrayNode climbs = run.putArray("climbs");
    for (JsonNode server : run.get("servers")) {
      String label = server.get("label").asString();
      String name = label.replaceFirst("(-serial|-g1)?-active.*", "");
      ((ObjectNode) server).put("name", name).put("title", name);
      climbs.addObject().put("server", label).put("highest_valid_connections", 1_000).put("end", "top-of-study")
          .putNull("ended_at_connections").put("reason", "the highest rung of the study");
    }
    RunRecord alike = RunFolder.parse(run.toString());
    String answer = Summary.of(alike, ProcessGroups.of(alike));
    assertThat(answer)
        .contains("**netty** carried 1,000 connections in each of 4 settings, the study's highest rung.")
        .contains("Server time p99: 0.50 (≤ 1.04) ms (netty-serial-active-share-")
        .contains(" to 1.00 ms (netty-g1-active-share-")
        .contains("**virtual-threads** carried 1,000 connections in each of 4 settings")
        .contains("**floor (floor-active-share-1)** carried", "**floor (floor-active-share-0.01)** carried");
    assertThat(answer.split("carried", -1)).as(answer).hasSize(1 + 4);
    run.at("/study").findParents("active_share").forEach(load -> ((ObjectNode) load).put("publish", "all"));
    RunRecord pushed = RunFolder.parse(run.toString());
    assertThat(Summary.of(pushed, ProcessGroups.of(pushed)))
        .contains("**netty** carried 1,000 connections in each of 4 settings", " Server CPU per delivery: ")
        .doesNotContain("Server time", " Server CPU per echo: ");
  }

  @Test
  void whatIsMadeOfOneServerHasItsColourInShades() throws IOException {
    List<String> colours = Palette.colours(run());
    assertThat(colours).doesNotHaveDuplicates().hasSize(2 + 4 + 4);
    assertThat(Palette.shade("#0072b2", 0, 1)).isEqualTo("#0072b2");
    assertThat(Palette.shade("#0072b2", 0, 2)).isEqualTo("#00446b");
    assertThat(Palette.shade("#0072b2", 2, 3)).isEqualTo("#66aad1");
    assertThat(Palette.hues(run())).containsOnlyKeys("floor", "virtual-threads", "netty").containsEntry("netty", "#d55e00");
  }

  @Test
  void thePlotsStandBesideTheReportAndInIt() throws IOException {
    RunRecord run = run();
    ReportFiles.write(new RunFolder(dir), run);
    assertThat(Files.readString(dir.resolve("over-gc.svg"))).contains(">Serial</text>", ">G1</text>", "…tive-share-0.01</text>");
    assertThat(Files.readString(dir.resolve("over-active_share.svg"))).contains(">0.01</text>");
    assertThat(Files.readString(dir.resolve("REPORT.md"))).contains("(over-gc.svg)", "(over-active_share.svg)");
    assertThat(Files.readString(dir.resolve("report.html")))
        .contains(" over gc</title>", "<th scope=\"row\" class=\"n\">Serial</th><td class=\"n\">500\u00a0µs (500\u00a0µs to\u00a0500\u00a0µs)</td>")
        .contains("<title>netty-active-share-1, Serial: 500 µs (500 µs to 500 µs)</title>");
    assertThat(Files.readAllLines(dir.resolve("results.csv")).getFirst()).endsWith(",axis_server,axis_active_share,axis_gc");
  }

  @Needs(Need.CHROMIUM)
  @Test
  void aBrowserDrawsThem() throws IOException, InterruptedException {
    ReportFiles.write(new RunFolder(dir), run());
    for (int width : new int[] {1280, 390}) {
      JsonNode seen = Browser.look(dir.resolve("report.html"), dir, width);
      Browser.isWhole(seen);
      assertThat(seen.get("plots"))
          .filteredOn(plot -> plot.get("label").asString().contains(" over "))
          .filteredOn(plot -> plot.get("panels").asInt() == 4)
          .extracting(plot -> plot.get("label").asString().replaceFirst(".* over ", ""))
          .contains("active_share", "gc");
    }
  }
}
