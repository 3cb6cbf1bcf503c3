package echoladder.harness.claims;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.claims.Outcome.Verdict;
import echoladder.harness.claims.Rule.Figure;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class EvaluationTest {
  private static StepRun run(String step, int repeat, long wallNs) {
    return new StepRun(
        step, repeat, List.of(step), "done", "", 0.1, JsonMapper.shared().readTree("{\"wall_ns\": %d}".formatted(wallNs)));
  }

  private static StepRun ended(String step, String by, String detail) {
    return new StepRun(step, 1, List.of(step), by, detail, null, JsonMapper.shared().readTree("{\"wall_ns\": 1}"));
  }

  private static Rule within(@Nullable Double least, @Nullable Double most) {
    return new Rule.Within(new Figure("a", "wall_ns"), null, least, most);
  }

  private static Rule ratio(@Nullable Double least, @Nullable Double most) {
    return new Rule.Within(new Figure("a", "wall_ns"), new Figure("b", "wall_ns"), least, most);
  }

  private static void decides(List<Rule> rules, List<StepRun> runs, Verdict verdict, boolean close) {
    Outcome outcome = Evaluation.of(rules, runs);
    assertThat(outcome.verdict()).as("%s", outcome).isEqualTo(verdict);
    assertThat(outcome.close()).as("%s", outcome).isEqualTo(close);
  }

  @Test
  void theMedianOfTheRepeatsDecides() {
    List<StepRun> runs = List.of(run("a", 1, 100), run("a", 2, 110), run("a", 3, 120));
    decides(List.of(within(null, 200.0)), runs, Verdict.HOLDS, false);
    decides(List.of(within(null, 50.0)), runs, Verdict.DOES_NOT_HOLD, false);
    decides(List.of(within(200.0, null)), runs, Verdict.DOES_NOT_HOLD, false);
    decides(List.of(within(50.0, 200.0)), runs, Verdict.HOLDS, false);
  }

  @Test
  void aBoundWithinATenthOfTheRangeIsClose() {
    List<StepRun> runs = List.of(run("a", 1, 100), run("a", 2, 110), run("a", 3, 120));
    decides(List.of(within(null, 115.0)), runs, Verdict.HOLDS, true);
    decides(List.of(within(null, 105.0)), runs, Verdict.DOES_NOT_HOLD, true);
    decides(List.of(within(null, 131.0)), runs, Verdict.HOLDS, true);
    decides(List.of(within(null, 133.0)), runs, Verdict.HOLDS, false);
  }

  @Test
  void ratiosAreOfTheSameRepeat() {
    List<StepRun> runs = List.of(run("a", 1, 100), run("b", 1, 50), run("a", 2, 1_000), run("b", 2, 500));
    Outcome outcome = Evaluation.of(List.of(ratio(1.5, null)), runs);
    assertThat(outcome.verdict()).isEqualTo(Verdict.HOLDS);
    assertThat(outcome.rules().getFirst().measured()).isEqualTo("2.00×");
  }

  @Test
  void oneClearFailureIsEnoughHoweverCloseTheRest() {
    List<StepRun> runs = List.of(run("a", 1, 100), run("b", 1, 100));
    decides(List.of(ratio(1.01, null), within(null, 10.0)), runs, Verdict.DOES_NOT_HOLD, false);
    decides(List.of(ratio(1.01, null), within(null, 1_000.0)), runs, Verdict.DOES_NOT_HOLD, true);
  }

  @Test
  void anOrderHoldsWhereEachIsAboveTheOneBefore() {
    List<StepRun> runs = List.of(run("a", 1, 100), run("b", 1, 300), run("c", 1, 200));
    Rule ascending = new Rule.Ascending(List.of(new Figure("a", "wall_ns"), new Figure("b", "wall_ns")));
    Rule not = new Rule.Ascending(List.of(new Figure("b", "wall_ns"), new Figure("c", "wall_ns")));
    decides(List.of(ascending), runs, Verdict.HOLDS, false);
    decides(List.of(not), runs, Verdict.DOES_NOT_HOLD, false);
  }

  @Test
  void theWayInWhichAStepEnds() {
    Rule fails = new Rule.Ends("a", List.of("error", "memory-guard"), null);
    decides(List.of(fails), List.of(ended("a", "error", "OutOfMemoryError")), Verdict.HOLDS, false);
    decides(List.of(fails), List.of(ended("a", "done", "")), Verdict.DOES_NOT_HOLD, false);
    decides(List.of(fails), List.of(ended("a", "done", ""), ended("a", "error", "x")), Verdict.DOES_NOT_HOLD, true);
    decides(
        List.of(new Rule.Ends("a", List.of("error"), "native")), List.of(ended("a", "error", "heap")), Verdict.DOES_NOT_HOLD, false);
  }

  @Test
  void whatDidNotComeToItsEndTellsNothing() {
    Outcome outcome = Evaluation.of(List.of(within(null, 10.0)), List.of(ended("a", "time-guard", "after 5 s")));
    assertThat(outcome.verdict()).isEqualTo(Verdict.CANNOT_BE_TOLD);
    assertThat(outcome.reason()).isEqualTo("a ended by time-guard: after 5 s");
    decides(
        List.of(new Rule.Ends("a", List.of("error"), null)),
        List.of(ended("a", "failed", "it is not there")),
        Verdict.CANNOT_BE_TOLD,
        false);
    decides(
        List.of(new Rule.Ends("a", List.of("error"), null)),
        List.of(ended("a", "time-guard", "after 5 s")),
        Verdict.CANNOT_BE_TOLD,
        false);
    decides(List.of(within(null, 10.0)), List.of(), Verdict.CANNOT_BE_TOLD, false);
  }

  @Test
  void timesThatOthersSpoiltTellNothingButMemoryDoes() {
    StepRun noisy = run("a", 1, 100).with(0.21);
    Outcome outcome = Evaluation.of(List.of(within(null, 10.0)), List.of(noisy));
    assertThat(outcome.verdict()).isEqualTo(Verdict.CANNOT_BE_TOLD);
    assertThat(outcome.reason()).isEqualTo("others had 21.0 % of the host's CPU while a ran: its times are theirs as much");
    StepRun memory =
        new StepRun("a", 1, List.of("a"), "done", "", 0.5, JsonMapper.shared().readTree("{\"rss_peak_bytes\": 100}"));
    decides(
        List.of(new Rule.Within(new Figure("a", "rss_peak_bytes"), null, null, 10.0)),
        List.of(memory),
        Verdict.DOES_NOT_HOLD,
        false);
  }

  @Test
  void theShareOfOthersIsWhatTheProcessDidNotHave() {
    HostCpu before = HostCpu.parse("cpu  100 0 50 800 50 0 0 0 0 0");
    HostCpu after = HostCpu.parse("cpu  150 0 60 860 60 5 5 10 0 0");
    // 150 ticks in all, of which 80 were busy and 50 this process's.
    assertThat(HostCpu.foreignShare(before, after, 500e6)).isEqualTo(30 / 150.0);
    assertThat(HostCpu.foreignShare(before, after, 900e6)).isZero();
    assertThat(HostCpu.foreignShare(before, after, null)).isNull();
  }
}
