package echoladder.harness.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.Percentile;
import echoladder.harness.metric.ServerTimes;
import echoladder.harness.metric.Shown;
import echoladder.harness.report.page.MarkdownReport;
import echoladder.harness.report.text.TerminalTable;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Every time is a bracket: the server time, and the response time as its upper bound. Nothing is withheld for the client's sake. */
class ServerTimeCellsTest {
  /** The golden run with other figures of the floor at 1,000 connections. */
  private static RunRecord run(Consumer<ObjectNode> change) throws IOException {
    ObjectNode json = (ObjectNode) JsonMapper.shared().readTree(Files.readString(Path.of("src/test/resources/golden/run.json")));
    for (JsonNode rung : json.get("rungs")) {
      if (rung.get("server").asString().equals("floor") && rung.get("connections").asInt() == 1_000) {
        change.accept((ObjectNode) rung);
      }
    }
    return RunFolder.parse(json.toString());
  }

  private static RungRecord floor(RunRecord run) {
    return run.rungs().stream().filter(r -> r.server().equals("floor") && r.connections() == 1_000).findFirst().orElseThrow();
  }

  private static String p99(Consumer<ObjectNode> change) throws IOException {
    return RungText.cell(floor(run(change)), Shown.P99);
  }

  private static Consumer<ObjectNode> times(@Nullable Long serverNs, @Nullable Long responseNs) {
    return rung -> rung.put("server_time_p99_ns", serverNs).put("response_time_p99_ns", responseNs);
  }

  @Test
  void theBoundStandsBesideWhereItIsMoreThanATenthAway() throws IOException {
    assertThat(p99(times(310_000L, 2_800_000L))).isEqualTo("0.31 (≤ 2.80) ms");
    assertThat(p99(times(310_000L, 342_000L))).isEqualTo("310 (≤ 342) µs");
    assertThat(p99(times(310_000L, 341_000L))).isEqualTo("310 µs");
    assertThat(p99(times(41_200L, 1_200_000_000L))).isEqualTo("41.2 µs (≤ 1.20 s)");
  }

  /** As load tools of others and older runs have it. */
  @Test
  void withoutStampsTheBoundStandsAlone() throws IOException {
    assertThat(p99(times(null, 2_800_000L))).isEqualTo("≤ 2.80 ms");
    assertThat(p99(times(null, null))).isEqualTo("–");
  }

  /** However much of the response time was the client's, the server time is given. */
  @Test
  void theClientsLatenessWithholdsNothing() throws IOException {
    Consumer<ObjectNode> late = rung -> rung.put("response_time_p50_late_share", 0.9).put("response_time_p99_late_share", 0.99);
    RunRecord run = run(times(310_000L, 2_800_000L).andThen(late));
    assertThat(RungText.cell(floor(run), Shown.P99)).isEqualTo("0.31 (≤ 2.80) ms");
    assertThat(LoadMetrics.RESPONSE.at(Percentile.P99).value(floor(run))).isEqualTo(2_800_000.0);
    assertThat(TerminalTable.of(run, false)).contains("0.31 (≤ 2.80) ms", "≤: at most.");
  }

  @Test
  void whatTheHostsGapsExplainIsMarkedAndGiven() throws IOException {
    assertThat(p99(times(310_000L, 320_000L).andThen(rung -> rung.put("server_time_p99_gap_share", 0.5)))).isEqualTo("310 µs");
    Consumer<ObjectNode> gaps = times(310_000L, 320_000L).andThen(rung -> rung.put("server_time_p99_gap_share", 0.51));
    assertThat(p99(gaps)).isEqualTo("310 µs°");
    assertThat(MarkdownReport.of(run(gaps))).contains("°: the host's gaps.");
  }

  @Test
  void aLoadThatWasNotCarriedHasNoTimes() throws IOException {
    assertThat(p99(rung -> rung.put("verdict", "saturated"))).isEqualTo("–");
  }

  @Test
  void aRunIsToldInServerTimeWhereOneOfItsRungsHasIt() throws IOException {
    RunRecord run = run(rung -> {});
    assertThat(ServerTimes.of(run.rungs())).isEqualTo(LoadMetrics.SERVER_TIME);
    RunRecord without = RunFolder.parse(Files.readString(Path.of("src/test/resources/golden/run.json")).replaceAll("(\"server_time_\\w+_ns\": )\\d+", "$1null"));
    assertThat(ServerTimes.of(without.rungs())).isEqualTo(LoadMetrics.RESPONSE);
    assertThat(ServerTimes.in(without.rungs(), Shown.P50)).isEqualTo(LoadMetrics.RESPONSE.at(Percentile.P50));
    assertThat(MarkdownReport.of(without)).contains("## Three times", "this run has no stamps of the kernel");
    assertThat(MarkdownReport.of(run)).contains("## Four times");
  }
}
