package echoladder.harness.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.report.page.MarkdownReport;
import echoladder.harness.report.plot.Plot;
import echoladder.harness.report.plot.Plots;
import echoladder.harness.report.table.KnobLine.Conclusion;
import echoladder.harness.report.text.OtherKnobs;
import echoladder.harness.report.text.TerminalTable;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.study.EntrySettings;
import echoladder.harness.study.KnobEffect;
import echoladder.harness.study.Network;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What follows from the pairs of a knob, with made-up figures. */
class KnobLineTest {
  @BeforeAll
  static void likeTheLadder() {
    Locale.setDefault(Locale.ROOT);
  }

  private static KnobLine line(int pairs, IntToDoubleFunction cpu, IntToDoubleFunction rss) throws IOException {
    return KnobLine.of(TunedRuns.of(pairs, cpu, rss, json -> {})).getFirst();
  }

  @Test
  void sixPairsAreAScreen() throws IOException {
    KnobLine line = line(6, TunedRuns::less, TunedRuns::same);
    assertThat(line.conclusion()).isEqualTo(Conclusion.SCREENED);
    assertThat(KnobTable.conclusion(line)).isEqualTo("screened, not confirmed: less server CPU per echo");
    assertThat(line(6, TunedRuns::either, TunedRuns::same).conclusion()).isEqualTo(Conclusion.NO_DIFFERENCE_SHOWN);
    assertThat(line(5, TunedRuns::less, TunedRuns::same).conclusion()).isEqualTo(Conclusion.TOO_FEW);
  }

  /** Whether a knob is needed is told by one burst; what it does to times is not told in a lab. */
  @Test
  void whatABurstInALabHeldUnderBothValuesIsNotNeeded() throws IOException {
    KnobLine held = KnobLine.of(TunedRuns.of(1, TunedRuns::less, TunedRuns::same, KnobLineTest::burstInALab)).getFirst();
    assertThat(KnobTable.conclusion(held)).isEqualTo("not needed at 1,000: all were held under both values; the run may not be quoted for times");
    assertThat(KnobTable.sentence(List.of(held))).isEqualTo("Of 1 knob: 1 not needed.");
    Consumer<ObjectNode> lost =
        run -> {
          burstInALab(run);
          ((ObjectNode) run.at("/rungs/0")).put("verdict", "invalid");
        };
    assertThat(KnobLine.of(TunedRuns.of(1, TunedRuns::less, TunedRuns::same, lost)).getFirst().conclusion()).isEqualTo(Conclusion.TOO_FEW);
    assertThat(line(1, TunedRuns::less, TunedRuns::same).conclusion()).isEqualTo(Conclusion.TOO_FEW);
  }

  private static void burstInALab(ObjectNode run) {
    ((ObjectNode) run.at("/study/phases")).put("accept_stall_ns", 2_000_000_000L);
    ObjectNode lab = ((ObjectNode) run.get("environment")).putObject("lab");
    lab.put("kind", "user-mode-linux").put("kernel", "6.1").put("memory_bytes", 1).putArray("may_claim").add("memory");
    lab.putArray("may_not_claim").add("times").add("cpu");
  }

  /** A lab over a network with a delay compares times, and no CPU. */
  @Test
  void timesOverANetworkAreToldInALab() throws IOException {
    KnobLine far = KnobLine.of(TunedRuns.of(12, TunedRuns::less, TunedRuns::same, run -> overNetwork(run, 102e6))).getFirst();
    assertThat(KnobTable.conclusion(far)).isEqualTo("**helps**: less server time p50");
    assertThat(far.effects()).extracting(KnobEffect::figure).doesNotContain("server CPU per echo");
    assertThat(far.effects().getFirst().ratio()).isBetween(0.19, 0.22);
    // A fifth of 40 ms is below what a lab can tell.
    KnobLine near = KnobLine.of(TunedRuns.of(12, TunedRuns::less, TunedRuns::same, run -> overNetwork(run, 40e6))).getFirst();
    assertThat(near.effects()).extracting(KnobEffect::figure).doesNotContain("server time p50");
  }

  /** And a time is a queue's where no processor was idle. */
  @Test
  void timesOfAFullLabAreNotTold() throws IOException {
    Consumer<ObjectNode> full =
        run -> {
          overNetwork(run, 102e6);
          run.get("rungs").forEach(
              rung ->
                  ((ObjectNode) rung).putArray("set_aside").addObject().put("reason", "host-saturated").put("detail", "1 % idle"));
        };
    KnobLine line = KnobLine.of(TunedRuns.of(12, TunedRuns::less, TunedRuns::same, full)).getFirst();
    assertThat(line.effects()).extracting(KnobEffect::figure).doesNotContain("server time p50");
    // Others may have had it all, which is noise and no reason of that kind.
    Consumer<ObjectNode> taken =
        run -> {
          overNetwork(run, 102e6);
          run.get("rungs").forEach(rung -> ((ObjectNode) rung).put("host_idle_share", 0.001));
        };
    assertThat(KnobLine.of(TunedRuns.of(12, TunedRuns::less, TunedRuns::same, taken)).getFirst().effects())
        .extracting(KnobEffect::figure).doesNotContain("server time p50");
  }

  private static void overNetwork(ObjectNode run, double fromNs) {
    ObjectNode lab = ((ObjectNode) run.get("environment")).putObject("lab");
    lab.put("kind", "user-mode-linux").put("kernel", "6.1").put("memory_bytes", 1).putArray("may_claim").add("memory").add("network_times");
    lab.putArray("may_not_claim").add("times").add("cpu");
    Network network = new Network(20_000_000, 0, 0, null, 0, 1500);
    EntrySettings nothing = EntrySettings.NONE;
    run.at("/study/servers").forEach(
        entry ->
            ((ObjectNode) entry).set(
                "settings",
                RunFolder.tree(new EntrySettings(Map.of(), nothing.server(), nothing.client(), null, null, network, Map.of()))));
    for (JsonNode rung : run.get("rungs")) {
      boolean changed = rung.get("server").asString().endsWith("profile");
      long ns = (long) (fromNs * (changed ? 0.2 : 1) * (1 + rung.get("repeat").asInt() / 1000.0 * (changed ? 1 : -1)));
      for (String at : List.of("p50", "p90", "p99", "p999", "p9999", "max")) {
        ((ObjectNode) rung).putNull("server_time_" + at + "_ns");
      }
      ((ObjectNode) rung).put("server_time_p50_ns", ns).put("server_time_max_ns", 3 * ns);
    }
  }

  /** A comparison names its settings: without this sentence a pair of the profile less one knob looks like one of the defaults. */
  @Test
  void theReportSaysWhatTheOtherKnobsHave() throws IOException {
    assertThat(told(_ -> {})).contains("No other knob is set in either entry of a pair.");
    Consumer<ObjectNode> less =
        run -> {
          ((ObjectNode) run.at("/study/servers/0/knob")).put("level", "all");
          ((ObjectNode) run.at("/study/servers/1/knob")).put("level", "less");
        };
    assertThat(told(less)).contains("All other knobs that this run sets have their second value in both entries of a pair.");
    Consumer<ObjectNode> burst = run -> ((ObjectNode) run.at("/study/phases")).put("accept_stall_ns", 2_000_000_000L);
    assertThat(told(burst)).contains("have their profile's value in both entries of a pair, but those of the whole host.");
  }

  /** On the page and on the terminal. */
  private static String told(Consumer<ObjectNode> change) throws IOException {
    RunRecord run = TunedRuns.of(12, TunedRuns::less, TunedRuns::same, change);
    String terminal = TerminalTable.of(run, false);
    assertThat(MarkdownReport.of(run)).contains(OtherKnobs.of(run).sentence());
    return terminal;
  }

  @Test
  void severalOfOneConclusionAreCountedInThePlural() throws IOException {
    KnobLine helps = line(12, TunedRuns::less, TunedRuns::same);
    assertThat(KnobTable.sentence(List.of(helps))).isEqualTo("Of 1 knob: 1 helps.");
    assertThat(KnobTable.sentence(List.of(helps, helps))).isEqualTo("Of 2 knobs: 2 help.");
  }

  @Test
  void twelvePairsConfirmWhatStandsAmongAll() throws IOException {
    KnobLine helps = line(12, TunedRuns::less, TunedRuns::same);
    assertThat(helps.conclusion()).isEqualTo(Conclusion.HELPS);
    assertThat(KnobTable.conclusion(helps)).isEqualTo("**helps**: less server CPU per echo");
    assertThat(helps.effects().getFirst().ratio()).isBetween(0.9, 0.92);
    KnobLine harms = line(12, TunedRuns::same, TunedRuns::more);
    assertThat(harms.conclusion()).isEqualTo(Conclusion.HARMS);
    assertThat(KnobTable.conclusion(harms)).isEqualTo("**harms**: more RSS per connection");
    KnobLine trades = line(12, TunedRuns::less, TunedRuns::more);
    assertThat(trades.conclusion()).isEqualTo(Conclusion.TRADES);
    assertThat(KnobTable.conclusion(trades)).isEqualTo("**trades**: less server CPU per echo for more RSS per connection");
  }

  /** As the entries of a wall stand: first the value that the other is held against. */
  @Test
  void anEffectIsThatOfTheValueThatIsAskedAboutWhicheverStandsFirst() throws IOException {
    RunRecord turned =
        TunedRuns.of(
            12, TunedRuns::less, TunedRuns::more,
            json -> {
              for (JsonNode of : List.of(json.get("servers"), json.at("/study/servers"))) {
                ArrayNode two = (ArrayNode) of;
                two.add(two.remove(0));
              }
            });
    KnobLine line = KnobLine.of(turned).getFirst();
    assertThat(KnobTable.conclusion(line)).isEqualTo("**trades**: less server CPU per echo for more RSS per connection");
    assertThat(line.effects().getFirst().ratio()).isBetween(0.9, 0.92);
    assertThat(line.effects().getFirst().low()).isLessThan(line.effects().getFirst().high());
  }

  @Test
  void noDifferenceShownSaysHowSmallAOneCouldHaveBeenSeen() throws IOException {
    KnobLine line = line(12, TunedRuns::either, TunedRuns::same);
    assertThat(line.conclusion()).isEqualTo(Conclusion.NO_DIFFERENCE_SHOWN);
    assertThat(KnobTable.conclusion(line)).matches("no difference shown; could have seen \\d\\S* % in server CPU per echo, .*");
  }

  /** A difference that some pair contradicts does not stand beside other comparisons: twelve pairs are no screen either. */
  @Test
  void whatTwelvePairsShowAndHolmDoesNotLetStandIsNoDifference() throws IOException {
    // Ranks 2, 4 and 5 of twelve contradict: p is 0.027, below 0.05 alone and above it among five comparisons.
    KnobLine line = line(12, repeat -> 1 + (repeat == 2 || repeat == 4 || repeat == 5 ? 1 : -1) * repeat / 250.0, TunedRuns::same);
    assertThat(line.effects().getFirst().shown()).isTrue();
    assertThat(line.effects().getFirst().stands()).isFalse();
    assertThat(line.conclusion()).isEqualTo(Conclusion.NO_DIFFERENCE_SHOWN);
  }

  @Test
  void whatCannotBeToldSaysWhy() throws IOException {
    RunRecord run =
        TunedRuns.of(6, TunedRuns::less, TunedRuns::same, json -> ((ObjectNode) json.at("/study/tuned/0")).put("untold", "it has one value for the whole host"));
    assertThat(KnobTable.conclusion(KnobLine.of(run).getFirst())).isEqualTo("cannot be told here: it has one value for the whole host");
  }

  @Test
  void aKnobWithoutWhichTheConnectionsAreNotHeldIsNeeded() throws IOException {
    RunRecord run = TunedRuns.of(6, TunedRuns::same, TunedRuns::same, json -> TunedRuns.needed(json, "cork"));
    KnobLine line = KnobLine.of(run).getFirst();
    assertThat(line.conclusion()).isEqualTo(Conclusion.NEEDED);
    assertThat(KnobTable.conclusion(line)).isEqualTo("**needed** from 1,000 on: net.core.somaxconn");
    assertThat(line.evidence()).contains("listen_overflows 12 → 0");
  }

  /**
   * Figures of the steady state count too: medians of the rungs for a figure, growth for a counter, and a dash for what no rung
   * has.
   */
  @Test
  void theRowsOwnFiguresAreItsEvidence() throws IOException {
    RunRecord run =
        TunedRuns.of(
            6, TunedRuns::same, TunedRuns::same,
            json -> {
              ((ObjectNode) json.at("/study/tuned/0")).putArray("figures").add("server_gc_count").add("tcp_autocorkings");
              for (JsonNode rung : json.get("rungs")) {
                boolean from = rung.get("server").asString().endsWith("default");
                ObjectNode of = (ObjectNode) rung;
                of.put("server_gc_count", from ? 40 : 7);
                ObjectNode limits = of.putObject("limits");
                limits.putArray("met");
                limits.putArray("doctor");
                limits.putArray("server_said");
                ObjectNode kernel = limits.putObject("kernel");
                if (from) {
                  kernel.putObject("tcp_autocorkings").put("before", 5).put("after", 1_205).put("most", 1_205);
                }
              }
            });
    assertThat(KnobLine.of(run).getFirst().evidence()).isEqualTo("server_gc_count 40 → 7, tcp_autocorkings 1,200 → 0");
    assertThat(MarkdownReport.of(run)).contains("server_gc_count 40 → 7");
  }

  /** One table of both runs: what the screen showed of a knob that is not measured again is in the record. */
  @Test
  void whatAnEarlierRunShowedIsInTheTableToo() throws IOException {
    RunRecord run =
        TunedRuns.of(
            12, TunedRuns::less, TunedRuns::same,
            json -> {
              ObjectNode other = ((ObjectNode) json.at("/study/tuned/0")).deepCopy().put("name", "rmem");
              other.putArray("screened").addObject().put("figure", "server CPU per echo").put("pairs", 6).put("ratio", 1.0)
                  .put("low", 0.97).put("high", 1.03).put("detectable", 1.04).put("stands", false);
              ((ArrayNode) json.at("/study/tuned")).add(other);
            });
    List<KnobLine> lines = KnobLine.of(run);
    assertThat(lines).extracting(KnobLine::conclusion).containsExactly(Conclusion.HELPS, Conclusion.NO_DIFFERENCE_SHOWN);
    assertThat(KnobTable.conclusion(lines.get(1))).isEqualTo("no difference shown; could have seen 4.0 % in server CPU per echo");
    assertThat(MarkdownReport.of(run))
        .contains("## Knobs", "Of 2 knobs: 1 helps, 1 without a difference shown.", "| cork: `net.ipv4.tcp_autocorking` | 1 → 0 | small writes |");
  }

  @Test
  void thePlotHasARowForEachKnobAndAColumnForEachFigure() throws IOException {
    RunRecord run = TunedRuns.of(12, TunedRuns::less, TunedRuns::more, json -> {});
    assertThat(Plots.of(run)).extracting(Plot::file).containsExactly("knobs.svg");
    Plot plot = Plots.of(run).getFirst();
    assertThat(plot.svg()).contains(">cork<", ">server CPU per echo<", ">RSS per connection<", "#009e73", "#d55e00");
    assertThat(plot.tables()).containsKeys("server CPU per echo", "RSS per connection");
    assertThat(TerminalTable.of(run, false)).contains("trades: less server CPU per echo for more RSS per connection");
  }

  /** Only the two values of a knob are compared, whatever else is alike. */
  @ParameterizedTest
  @CsvSource({"2, 0", "6, 5"})
  void onlyThePairsOfAKnobAreCompared(int pairs, int withInterval) throws IOException {
    Pairs of = new Pairs(TunedRuns.of(pairs, TunedRuns::less, TunedRuns::same, json -> {}));
    assertThat(of.shown()).hasSize(5).allSatisfy(row -> assertThat(row.first()).isEqualTo("floor-cork-profile"));
    assertThat(of.shown().stream().filter(row -> row.ratio() != null && row.ratio().interval() != null)).hasSize(withInterval);
  }
}
