package echoladder.harness.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.compare.ProcessGroups;
import echoladder.harness.report.page.MarkdownReport;
import echoladder.harness.report.plot.Plot;
import echoladder.harness.report.plot.Plots;
import echoladder.harness.report.table.PairedRuns;
import echoladder.harness.results.RunRecord;
import java.io.IOException;
import java.util.Locale;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Runs of made-up figures in which a takes 20 µs per echo, and b 41, 42 and so on, one more in each repeat. */
class TwoServersTextTest {
  @BeforeAll
  static void likeTheLadder() {
    Locale.setDefault(Locale.ROOT);
  }

  private static RunRecord asked(int repeats, Consumer<ObjectNode> change) throws IOException {
    return PairedRuns.run(
        repeats, 0,
        json -> {
          ((ObjectNode) json.get("study")).putArray("fail_if").add("b/a server_cpu_us_per_echo > 1.05");
          ((ObjectNode) json.get("study")).putArray("rungs").add(1000);
          ((ObjectNode) json.at("/study/load")).put("idle", "poll");
          for (JsonNode rung : json.get("rungs")) {
            ((ObjectNode) rung).put("server_cpus", "0").put("client_cpus", "1").put("client_helper_cpus", "0-1");
          }
          change.accept(json);
        });
  }

  @Test
  void oneSentenceHasTheIntervalAndAllThatItHoldsFor() throws IOException {
    RunRecord run = asked(6, json -> {});
    assertThat(TwoServersText.of(run, ProcessGroups.of(run)))
        .isEqualTo(
            "**b takes 2.17 times the server CPU per echo of a** (interval 2.05–2.30 at 96.9 %, 6 of 6 pairs: b costs more), with 1,000"
                + " connections and 5,000 messages/s of 64 B, server on processors 0 and client on 1, idle processors poll, on 2 processors of"
                + " Some CPU, Linux 6.12.0. 6 pairs with this spread show a difference of 8.0 % in 80 of 100 runs.");
    assertThat(TwoServersText.judgements(run)).singleElement().asString().contains("FAILS: b/a server CPU per echo is 2.17");
  }

  @Test
  void theReportBeginsWithItAndItsPlot() throws IOException {
    RunRecord run = asked(6, json -> {});
    assertThat(MarkdownReport.of(run))
        .containsSubsequence("**b takes 2.17 times", "- fail-if 'b/a", "](a-or-b.svg)", "## The ladder", "## Servers in pairs");
    Plot plot = Plots.ofTwo(run).orElseThrow();
    assertThat(plot.svg()).contains("2.17 (2.05–2.30), 6 pairs", "server CPU per echo: 2.17");
    assertThat(plot.tables().get("Ratios of b to a")).satisfies(table -> assertThat(table.markdown()).contains("| server CPU per echo | 6 | 2.17 |"));
  }

  @Test
  void whatTooFewPairsGiveIsNoAnswer() throws IOException {
    RunRecord run = asked(7, json -> {
      for (int i = 0; i < 4; i++) {
        ((ObjectNode) json.at("/rungs/" + i)).put("host_speed", 1.4);
      }
    });
    assertThat(TwoServersText.of(run, ProcessGroups.of(run)))
        .startsWith("**b against a cannot be told:** 5 of 7 pairs give server CPU per echo, and an interval needs 6, with 1,000 connections");
    assertThat(TwoServersText.judgements(run)).singleElement().asString().contains("CANNOT BE TOLD");
  }

  private static String underLoad(Consumer<ObjectNode> load) throws IOException {
    RunRecord run = asked(6, json -> load.accept((ObjectNode) json.at("/study/load")));
    return TwoServersText.of(run, ProcessGroups.of(run));
  }

  @Test
  void whatWasPushedOrSealedOrNotReadIsSaid() throws IOException {
    assertThat(underLoad(load -> load.put("publish", "all"))).contains("with 1,000 connections and 5,000 deliveries/s of 64 B, server on");
    assertThat(underLoad(load -> load.put("tls", "1.2").put("slow_readers", 0.1)))
        .contains(
            "5,000 messages/s of 64 B, 10.0 % of the connections that send read nothing from the steady state on, TLS 1.2, server on");
  }

  /** Other runs have their tables, as before. */
  @Test
  void aRunThatAsksSomethingElseHasNoSuchSentence() throws IOException {
    RunRecord run = PairedRuns.run(6, 0, json -> {});
    assertThat(TwoServersText.of(run, ProcessGroups.of(run))).isEmpty();
    assertThat(Plots.ofTwo(run)).isEmpty();
    assertThat(MarkdownReport.of(run)).doesNotContain("a-or-b.svg", "fail-if");
  }
}
