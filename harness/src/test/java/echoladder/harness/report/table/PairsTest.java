package echoladder.harness.report.table;

import static echoladder.harness.report.table.PairedRuns.array;
import static echoladder.harness.report.table.PairedRuns.named;
import static echoladder.harness.report.table.PairedRuns.run;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.Results;
import echoladder.harness.lab.Quotable;
import echoladder.harness.metric.Figures;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.MemoryMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.RungReadings;
import echoladder.harness.metric.RuntimeMetrics;
import echoladder.harness.metric.Shown;
import echoladder.harness.probe.Figure;
import echoladder.harness.probe.Reading;
import echoladder.harness.report.page.HtmlReport;
import echoladder.harness.report.page.MarkdownReport;
import echoladder.harness.report.plot.RungPlots;
import echoladder.harness.report.text.OfferedText;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungKey;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Which servers are compared in pairs, and what is found, in {@link PairedRuns}. */
class PairsTest {
  @BeforeAll
  static void likeTheLadder() {
    Locale.setDefault(Locale.ROOT);
  }

  private static Pairs.Row cpu(RunRecord run) {
    return new Pairs(run).shown().getFirst();
  }

  private static String finding(RunRecord run) {
    return new PairsTable(new Pairs(run)).finding(cpu(run));
  }

  @Test
  void aRungWithEnoughPairsForAnIntervalGoesBeforeAHigherOneWithFew() throws IOException {
    Pairs.Row row = cpu(run(6, 1, json -> {}));
    assertThat(row.highest().connections()).isEqualTo(1_000);
    assertThat(row.pairs()).isEqualTo(6);
    assertThat(row.pooled()).isFalse();
    assertThat(finding(run(6, 1, json -> {}))).isEqualTo("a has less: screened, not confirmed");
    assertThat(cpu(run(6, 6, json -> {})).highest().connections()).isEqualTo(2_000);
    assertThat(cpu(run(5, 2, json -> {})).highest().connections()).isEqualTo(2_000);
    assertThat(cpu(run(2, 0, json -> {})).highest().connections()).isEqualTo(1_000);
  }

  @Test
  void aFigureThatIsNotAboveZeroHasNoRatioAndIsNotLeftOut() throws IOException {
    RunRecord run = run(6, 0, json -> ((ObjectNode) json.at("/rungs/2")).put("server_rss_bytes_per_connection", -3.0));
    Pairs.Row rss =
        new Pairs(run).shown().stream().filter(row -> row.figure().equals(MemoryMetrics.RSS_PER_CONNECTION)).findFirst().orElseThrow();
    assertThat(rss.pairs()).isEqualTo(6);
    assertThat(new PairsTable(new Pairs(run)).table().markdown())
        .contains("| RSS per connection | a | b | 1,000 | 6 | – | – | – | – | no ratio: not above 0 in 1 of 6 |");
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
            "a and b are the same server twice: of server CPU per echo 2 of 2 comparisons show a difference, of server time p50 0 of 2 comparisons show a difference, of "
                + "server time p99 0 of 2 comparisons show a difference, of server time p99.9 "
                + "0 of 2 comparisons show a difference, of service p99 0 of 2 comparisons show a difference, of send lateness p99 "
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
    assertThat(PairsFile.of(further, pairs).lines()).hasSize(1 + 8 * 3 + 2)
        .anyMatch(row -> row.contains(",server CPU per echo,a,b,2000,6,0.") && row.contains(",less,hodges-lehmann,2000,"));
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
    assertThat(OfferedText.of(run.study())).contains("a: ", "b: ", "1.00 KiB");
  }

  @Test
  void rungsWithOneRatioAreOneComparisonAndThoseWithAnotherAreNot() throws IOException {
    RunRecord alike = run(6, 6, json -> {});
    Pairs.Row row = cpu(alike);
    assertThat(row.rungs()).extracting(RungKey::connections).containsExactly(1_000, 2_000);
    assertThat(row.pairs()).isEqualTo(12);
    assertThat(finding(alike)).startsWith("a has less: stands (Holm's p ");
    assertThat(MarkdownReport.of(alike))
        .contains("| server CPU per echo | a | b | 1,000–2,000, 2 rungs | 12 | 0.460 (HL) |", "Several rungs: ")
        .containsPattern(" 1 of \\d stand\\.")
        .doesNotContain("A screen");
    assertThat(PairsFile.of(alike, new Pairs(alike)).lines().filter(line -> line.contains(",server CPU per echo,a,b,")))
        .hasSize(3)
        .last().asString().contains(",a,b,,12,0.", ",less,hodges-lehmann,1000 2000,");

    RunRecord other =
        run(6, 6, json -> {
          for (JsonNode rung : json.get("rungs")) {
            if (rung.get("connections").asInt() == 2_000 && rung.get("server").asString().equals("b")) {
              ((ObjectNode) rung).put("server_cpu_us_per_echo", 80.0 + rung.get("repeat").asInt());
            }
          }
        });
    assertThat(cpu(other).rungs()).extracting(RungKey::connections).containsExactly(2_000);
    assertThat(finding(other)).startsWith("a has less: screened, not confirmed; another ratio at another rung (p 0.00");
    assertThat(PairsFile.of(other, new Pairs(other)).lines().filter(line -> line.contains(",server CPU per echo,a,b,"))).hasSize(2);
  }

  @Test
  void aTableOfSixPairsIsAScreenAndOneOfTwelveSaysWhatStands() throws IOException {
    String screen = MarkdownReport.of(run(6, 0, json -> {}));
    assertThat(screen)
        .containsPattern("\\*\\*A screen:\\*\\* (\\d) of the \\1 comparisons with an interval have fewer than 12 pairs\\.")
        .contains("`--set repeats=12`")
        .contains("Can see: the difference that so many pairs find in 80 of 100 runs")
        .doesNotContain("Holm's");
    // By itself p is 2 x 70 / 2^12 = 0.034, as the lower ranks sum up to 12; among all comparisons it does not stand.
    RunRecord twelve =
        run(12, 0, json -> {
          for (JsonNode rung : json.get("rungs")) {
            int repeat = rung.get("repeat").asInt();
            if (rung.get("server").asString().equals("b")) {
              ((ObjectNode) rung).put("server_rss_bytes_per_connection", repeat < 5 ? 1000.0 - 30 * repeat : 1000.0 + 20 * repeat);
            }
          }
        });
    assertThat(new PairsTable(new Pairs(twelve)).table().markdown())
        .containsPattern("server CPU per echo \\| a .* a has less: stands \\(Holm's p 0\\.00")
        .containsPattern("RSS per connection \\| a .* a has less: does not stand \\(Holm's p 0\\.[12]");
    assertThat(MarkdownReport.of(twelve)).containsPattern(" 1 of \\d stand\\.").doesNotContain("A screen");
    assertThat(MarkdownReport.of(run(5, 0, json -> {}))).contains("range only, fewer than 6 pairs", "(median)").doesNotContain("(HL)", "A screen");
  }

  private static ObjectNode load(JsonNode run, int entry, String cpus, long spinNs) {
    ObjectNode load = ((ObjectNode) run.at("/study/load")).deepCopy().put("cpus", cpus).put("spin_ns", spinNs);
    ((ObjectNode) run.at("/study/servers/" + entry)).set("load", load);
    return load;
  }

  @Test
  void aServerIsComparedWithItselfOnOtherProcessorsAndNoOtherServerIs() throws IOException {
    RunRecord placed = run(6, 0, json -> load(json, 1, "apart", 0));
    assertThat(cpu(placed)).extracting(Pairs.Row::first, Pairs.Row::second, Pairs.Row::pairs).containsExactly("a", "b", 6);
    assertThat(new Pairs(placed).withThemselves()).as("they differ in their processors").isEmpty();
    RunRecord reference =
        run(6, 0, json -> {
          load(json, 1, "apart", 0);
          List.of(0, 1).forEach(i -> ((ObjectNode) json.at("/servers/" + i)).put("role", "reference"));
        });
    assertThat(new Pairs(reference).shown()).as("the floor too").hasSameSizeAs(new Pairs(placed).shown());
    RunRecord another =
        run(6, 0, json -> {
          load(json, 1, "apart", 0);
          ((ObjectNode) json.at("/study/servers/1")).put("server", "another");
        });
    assertThat(new Pairs(another).shown()).isEmpty();
    assertThat(new Pairs(run(6, 0, json -> load(json, 1, "apart", 0).put("message_bytes", 1024))).shown()).isEmpty();
  }

  @Test
  void whereTheClientPollsInPartTimesAreOfThoseEntriesAndAllElseIsOfTheOthers() throws IOException {
    RunRecord run =
        run(6, 0, json -> {
          ArrayNode entries = array(json.at("/study/servers"));
          ArrayNode servers = array(json.get("servers"));
          ArrayNode rungs = array(json.get("rungs"));
          for (String label : List.of("a", "b")) {
            entries.add(named(json.at("/study/servers/0"), "label", label + "2"));
            servers.add(named(json.at("/servers/0"), "label", label + "2"));
            load(json, entries.size() - 1, "shared", 1_000_000);
          }
          for (JsonNode rung : List.copyOf(rungs.values())) {
            rungs.add(named(rung, "server", rung.get("server").asString() + "2"));
          }
        });
    assertThat(new Pairs(run).shown()).isNotEmpty().allSatisfy(
        row -> {
          boolean time = row.figure().claim() == Quotable.TIMES;
          assertThat(List.of(row.first(), row.second())).isEqualTo(time ? List.of("a2", "b2") : List.of("a", "b"));
        });
    assertThat(new Pairs(run).shown()).extracting(Pairs.Row::figure).contains(Shown.P99, LoadMetrics.SERVER_CPU);
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
        .contains("| involuntary switches per echo | a | b |", "| server | connections | server time p99.9 |", " | involuntary switches per echo | slab per connection |");
    String html = HtmlReport.of(run, pairs, RungPlots.read(run, new RunFolder(PairedRuns.GOLDEN.resolveSibling(""))));
    assertThat(html)
        .contains("<th scope=\"row\">involuntary switches per echo</th>", "<th scope=\"col\" class=\"n\">involuntary switches per echo</th>");
  }

  private static RungReadings switches(long atStart, long atEnd) {
    Reading start = new Reading(0);
    start.put(Figure.SERVER_INVOLUNTARY_SWITCHES, atStart);
    Reading end = new Reading(10_000_000_000L);
    end.put(Figure.SERVER_INVOLUNTARY_SWITCHES, atEnd);
    return new RungReadings(start, start, end, null, Results.good(1_000), false, false, true, null, null, false);
  }
}
