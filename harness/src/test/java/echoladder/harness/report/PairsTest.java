package echoladder.harness.report;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.Results;
import echoladder.harness.metric.Figures;
import echoladder.harness.metric.MemoryMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.RungReadings;
import echoladder.harness.metric.RuntimeMetrics;
import echoladder.harness.probe.Figure;
import echoladder.harness.probe.Reading;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** With the committed run of made-up figures, whose two contenders are made to have repeats at 1,000 and 2,000. */
class PairsTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/run.json");

  @BeforeAll
  static void likeTheLadder() {
    Locale.setDefault(Locale.ROOT);
  }

  /** Repeats of contenders a and b: that many at 1,000, then that many at 2,000. */
  private static RunRecord run(int low, int high, Consumer<ObjectNode> change) throws IOException {
    ObjectNode run = (ObjectNode) JsonMapper.shared().readTree(Files.readString(GOLDEN));
    JsonNode valid = run.at("/rungs/0");
    JsonNode server = run.at("/servers/0");
    ObjectNode study = (ObjectNode) run.get("study");
    JsonNode entry = run.at("/study/servers/0");
    study.put("repeats", Math.max(low, high)).set("rungs", array(JsonMapper.shared().valueToTree(List.of(1000, 2000))));
    run.putArray("servers").add(named(server, "label", "a").put("role", "contender"))
        .add(named(server, "label", "b").put("role", "contender"));
    study.putArray("servers").add(named(entry, "label", "a")).add(named(entry, "label", "b"));
    run.putArray("climbs");
    ArrayNode rungs = run.putArray("rungs");
    for (int connections : List.of(1000, 2000)) {
      for (int repeat = 1; repeat <= (connections == 1000 ? low : high); repeat++) {
        for (String label : List.of("a", "b")) {
          rungs.add(
              named(valid, "server", label)
                  .put("connections", connections)
                  .put("repeat", repeat)
                  .put("server_cpu_us_per_echo", label.equals("a") ? 20.0 : 40.0 + repeat)
                  .put("server_rss_bytes_per_connection", 1000.0));
        }
      }
    }
    change.accept(run);
    return RunFolder.parse(run.toString());
  }

  private static ArrayNode array(JsonNode node) {
    return (ArrayNode) node;
  }

  private static ObjectNode named(JsonNode node, String key, String label) {
    return ((ObjectNode) node).deepCopy().put(key, label);
  }

  private static Pairs.Row cpu(RunRecord run) {
    return new Pairs(run).shown().getFirst();
  }

  @Test
  void aRungWithEnoughPairsForAnIntervalGoesBeforeAHigherOneWithFew() throws IOException {
    Pairs.Row row = cpu(run(6, 1, json -> {}));
    assertThat(row.connections()).isEqualTo(1_000);
    assertThat(row.pairs()).isEqualTo(6);
    assertThat(Pairs.finding(row)).isEqualTo("a has less");
    assertThat(cpu(run(6, 6, json -> {})).connections()).isEqualTo(2_000);
    assertThat(cpu(run(5, 2, json -> {})).connections()).isEqualTo(2_000);
    assertThat(cpu(run(2, 0, json -> {})).connections()).isEqualTo(1_000);
  }

  @Test
  void aFigureThatIsNotAboveZeroHasNoRatioAndIsNotLeftOut() throws IOException {
    RunRecord run = run(6, 0, json -> ((ObjectNode) json.at("/rungs/2")).put("server_rss_bytes_per_connection", -3.0));
    Pairs.Row rss =
        new Pairs(run).shown().stream().filter(row -> row.figure().equals(MemoryMetrics.RSS_PER_CONNECTION)).findFirst().orElseThrow();
    assertThat(rss.pairs()).isEqualTo(6);
    assertThat(List.of(Pairs.ratio(rss), Pairs.range(rss), Pairs.interval(rss))).containsOnly("–");
    assertThat(Pairs.finding(rss)).isEqualTo("no ratio: not above 0 in 1 of 6");
  }

  @Test
  void ofALabOnlyWhatItMayBeQuotedForIsCompared() throws IOException {
    RunRecord run =
        run(
            6, 0,
            json -> {
              ObjectNode lab = ((ObjectNode) json.get("environment")).putObject("lab");
              lab.put("kind", "user-mode-linux").put("kernel", "6.1").put("memory_bytes", 1).putArray("may_claim").add("memory");
              lab.putArray("may_not_claim").add("times");
            });
    assertThat(new Pairs(run).shown()).extracting(Pairs.Row::figure).containsExactly(MemoryMetrics.RSS_PER_CONNECTION);
  }

  @Test
  void aServerTwiceIsCountedOverAllRungs() throws IOException {
    List<String> counted = new Pairs(run(6, 6, json -> {})).withThemselves();
    assertThat(counted)
        .containsExactly(
            "a and b are the same server twice: of server CPU per echo 2 of 2 comparisons show a difference, of response p99 "
                + "0 of 2 comparisons show a difference, of RSS per connection 0 of 2 comparisons show a difference, of "
                + "involuntary switches per echo 0 of 2 comparisons show a difference.");
    assertThat(new Pairs(run(6, 5, json -> {})).withThemselves().getFirst()).contains("1 of 1", "0 of 1");
    RunRecord two = run(6, 6, json -> ((ObjectNode) json.at("/study/servers/1")).put("server", "another"));
    assertThat(new Pairs(two).withThemselves()).isEmpty();
    assertThat(MarkdownReport.of(two)).doesNotContain("same server twice");
    assertThat(MarkdownReport.of(run(6, 6, json -> {}))).contains(counted.getFirst());
  }

  @Test
  void onAxesWhatDiffersInMoreThanOneThingIsInTheFileAlone() throws IOException {
    RunRecord run =
        run(
            6, 6,
            json -> {
              point((ObjectNode) json.at("/study/servers/0"), "netty", "Serial");
              point((ObjectNode) json.at("/study/servers/1"), "netty", "G1");
            });
    assertThat(new Pairs(run).leftOut()).isZero();
    RunRecord further = run(6, 6, json -> {
      point((ObjectNode) json.at("/study/servers/0"), "netty", "Serial");
      point((ObjectNode) json.at("/study/servers/1"), "jdk", "G1");
    });
    Pairs pairs = new Pairs(further);
    assertThat(pairs.shown()).isEmpty();
    assertThat(pairs.leftOut()).isEqualTo(1);
    assertThat(MarkdownReport.of(further)).contains("1 pairs that differ in more", "`pairs.csv`");
    assertThat(PairsFile.of(further, pairs).lines()).hasSize(1 + 4 * 2)
        .anyMatch(row -> row.contains(",server CPU per echo,a,b,2000,6,0.") && row.endsWith(",less"));
  }

  private static void point(ObjectNode entry, String server, String gc) {
    entry.putObject("point").put("server", server).putObject("values").put("gc", gc);
  }

  @Test
  void serversWithDifferentLoadsAreNoPair() throws IOException {
    RunRecord run =
        run(
            6, 0,
            json -> {
              ObjectNode load = ((ObjectNode) json.at("/study/load")).deepCopy().put("message_bytes", 1024);
              ((ObjectNode) json.at("/study/servers/1")).set("load", load);
            });
    assertThat(new Pairs(run).shown()).isEmpty();
    assertThat(Summary.load(run.study())).contains("a: ", "b: ", "1.00 KiB");
  }

  /** A figure of the catalogue on its whole way: from what is read of a server to all that is made of a run. */
  @Test
  void involuntarySwitchesPerEchoAreInAllThatIsMadeOfARun() throws IOException {
    Metric figure = RuntimeMetrics.INVOLUNTARY_SWITCHES_PER_ECHO;
    assertThat(Figures.measured(switches(100, 1_100)).value(figure)).isEqualTo(1_000.0 / 50_000);
    // Threads that ended took their counts with them.
    assertThat(Figures.measured(switches(1_100, 100)).value(figure)).isNull();

    RunRecord run =
        run(6, 0, json -> {
          for (JsonNode rung : json.get("rungs")) {
            ((ObjectNode) rung).put(figure.name(), rung.path("server").asString().equals("a") ? 0.02 : 0.05);
          }
        });
    assertThat(RunFolder.parse(RunFolder.json(run)).rungs()).isEqualTo(run.rungs()).allMatch(rung -> figure.of(rung) != null);
    Pairs pairs = new Pairs(run);
    assertThat(PairsFile.of(run, pairs)).contains(",involuntary switches per echo,a,b,1000,6,0.4");
    assertThat(TidyFigures.of(run)).contains("," + figure.name() + ",=,0.02,1/echo\n");
    assertThat(MarkdownReport.of(run))
        .contains("| involuntary switches per echo | a | b |", "| server | connections | involuntary switches per echo |");
    String html = HtmlReport.of(run, pairs, RungPlots.read(run, new RunFolder(GOLDEN.resolveSibling(""))));
    assertThat(html)
        .contains("<th scope=\"row\">involuntary switches per echo</th>", "<th scope=\"col\" class=\"n\">involuntary switches per echo</th>");
  }

  private static RungReadings switches(long atStart, long atEnd) {
    Reading start = new Reading(0);
    start.put(Figure.SERVER_INVOLUNTARY_SWITCHES, atStart);
    Reading end = new Reading(10_000_000_000L);
    end.put(Figure.SERVER_INVOLUNTARY_SWITCHES, atEnd);
    return new RungReadings(start, start, end, null, Results.good(1_000), false, false, true);
  }
}
