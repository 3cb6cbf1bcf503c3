package echoladder.harness.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.common.Refusal;
import echoladder.harness.report.table.PairedRuns;
import echoladder.harness.results.RunRecord;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Runs of made-up figures: a takes 20 µs per echo, b takes 41, 42 and so on, one more in each repeat. */
class JudgementTest {
  private static final String CPU = "server_cpu_us_per_echo";

  @BeforeAll
  static void likeTheLadder() {
    Locale.setDefault(Locale.ROOT);
  }

  /** So many repeats at 1,000 connections alone. */
  private static RunRecord run(int repeats, Consumer<ObjectNode> change, String... conditions) throws IOException {
    return PairedRuns.run(
        repeats, 0,
        json -> {
          ObjectNode study = (ObjectNode) json.get("study");
          study.putArray("rungs").add(1000);
          ArrayNode failIf = study.putArray("fail_if");
          List.of(conditions).forEach(failIf::add);
          change.accept(json);
        });
  }

  private static void rungs(ObjectNode run, Predicate<ObjectNode> which, Consumer<ObjectNode> change) {
    for (JsonNode rung : run.get("rungs")) {
      if (which.test((ObjectNode) rung)) {
        change.accept((ObjectNode) rung);
      }
    }
  }

  private static boolean ofB(ObjectNode rung, int most) {
    return rung.get("server").asString().equals("b") && rung.get("repeat").asInt() <= most;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "b/a server_cpu_us_per_echo > 1.05|1|FAILS: b/a server CPU per echo is 2.17 (2.05–2.30, 96.9 %, 6 of 6 pairs), all above 1.05",
        "b/a server_cpu_us_per_echo > 2.5|0|passes: b/a server CPU per echo is 2.17 (2.05–2.30, 96.9 %, 6 of 6 pairs), not above 2.5",
        "b/a server_cpu_us_per_echo > 2.2|4|CANNOT BE TOLD: b/a server CPU per echo is 2.17 (2.05–2.30, 96.9 %, 6 of 6 pairs), and 2.2 lies within",
        "a/b server_cpu_us_per_echo < 0.5|1|FAILS: a/b server CPU per echo is 0.460 (0.435–0.488, 96.9 %, 6 of 6 pairs), all below 0.5",
        "b server_cpu_us_per_echo > 30us|1|FAILS: b server CPU per echo is 43.5 µs (41.0 µs–46.0 µs, 96.9 %, 6 of 6 repeats), all above 30.0 µs",
        "b server_cpu_us_per_echo > 0.05ms|0|passes: b server CPU per echo is 43.5 µs (41.0 µs–46.0 µs, 96.9 %, 6 of 6 repeats), not above 50.0 µs",
        "a server_time_p99_ns > 2ms|0|passes: a server time p99 is 124 µs (124 µs–124 µs, 96.9 %, 6 of 6 repeats), not above 2.00 ms",
        "a unanswered > 0|0|not above 0",
        "a/b server_live_heap_bytes > 2|0|passes",
      })
  void theIntervalDecides(String condition, int status, String said) throws IOException {
    RunRecord run = run(6, json -> {}, condition);
    assertThat(Judgement.of(run)).singleElement().satisfies(
        judgement -> assertThat(judgement.sentence()).startsWith("fail-if '" + condition + "', 1,000 connections: ").contains(said));
    assertThat(Judgement.status(run)).isEqualTo(status);
  }

  /** What is not given passes nothing. */
  @Test
  void tooFewPairsCannotBeToldWhateverTheOthersSay() throws IOException {
    RunRecord run =
        run(6, json -> rungs(json, rung -> ofB(rung, 1), rung -> rung.put("host_speed", 1.4)), "b/a " + CPU + " > 5", "b/a " + CPU + " > 1.05");
    assertThat(Judgement.of(run)).allSatisfy(
        judgement -> {
          assertThat(judgement.outcome()).isEqualTo(Judgement.Outcome.UNTOLD);
          assertThat(judgement.sentence())
              .contains("CANNOT BE TOLD: 5 of 6 pairs tell server CPU per echo, and an interval needs 6; b has 1 without the figure");
        });
    assertThat(Judgement.status(run)).isEqualTo(Judgement.UNTOLD_STATUS);
  }

  @Test
  void aServerThatDoesNotCarryTheLoadIsNoPass() throws IOException {
    RunRecord run =
        run(8, json -> rungs(json, rung -> ofB(rung, 3), rung -> rung.put("verdict", "saturated")), "b/a " + CPU + " > 5");
    assertThat(Judgement.of(run).getFirst().sentence()).contains("5 of 8 pairs tell", "b has 3 saturated");
    assertThat(Judgement.status(run)).isEqualTo(4);
  }

  /** A ratio of two such times says nothing of the servers; a time by itself is an upper bound. */
  @Test
  void whatTheHostsGapsMayExplainFailsNothing() throws IOException {
    Consumer<ObjectNode> gaps = json -> rungs(json, rung -> true, rung -> rung.put("server_time_p99_gap_share", 0.9));
    assertThat(Judgement.status(run(6, gaps, "b server_time_p99_ns > 100us"))).isEqualTo(4);
    assertThat(Judgement.status(run(6, gaps, "b server_time_p99_ns > 2ms"))).isZero();
    assertThat(Judgement.status(run(6, gaps, "b/a server_time_p99_ns > 2"))).isEqualTo(4);
    assertThat(Judgement.of(run(6, gaps, "b/a server_time_p99_ns > 2")).getFirst().sentence())
        .contains("0 of 6 pairs tell server time p99", "b has 6 in which the host's own gaps may explain it");
  }

  @Test
  void oneThatFailsOutweighsOneThatCannotBeTold() throws IOException {
    assertThat(Judgement.status(run(6, json -> {}, "b/a " + CPU + " > 2.2", "b/a " + CPU + " > 1.05"))).isEqualTo(1);
    assertThat(Judgement.status(run(6, json -> {}, "b/a " + CPU + " > 2.2", "b/a " + CPU + " > 5"))).isEqualTo(4);
  }

  /** Whoever stops a run when its figures please has no interval of 95 %. */
  @Test
  void anInterruptedRunCannotTell() throws IOException {
    RunRecord run = run(6, json -> json.put("status", "interrupted"), "b/a " + CPU + " > 5");
    assertThat(Judgement.of(run).getFirst().sentence()).contains("the run did not come to its end");
    assertThat(Judgement.status(run)).isEqualTo(4);
  }

  /** A rung that is lost to noise is no reason to fail where the pairs that are left suffice. */
  @Test
  void conditionsAloneDecideWhereThereAreAny() throws IOException {
    Consumer<ObjectNode> oneInvalid = json -> rungs(json, rung -> ofB(rung, 1), rung -> rung.put("verdict", "invalid"));
    assertThat(Judgement.status(run(7, oneInvalid, "b/a " + CPU + " > 5"))).isZero();
    assertThat(Judgement.status(run(7, oneInvalid))).isEqualTo(1);
  }

  @Test
  void aStudyThatCannotBeJudgedIsRefusedBeforehand() throws IOException {
    RunRecord few = run(3, json -> {}, "b/a " + CPU + " > 5");
    assertThatThrownBy(() -> Condition.of(few.study()))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("has 3 repeats, and an interval of 95 % needs 6; give --set repeats=6 or more; see docs/regression-guard.md");
  }
}
