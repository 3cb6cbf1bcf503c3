package echoladder.harness.claims;

import static echoladder.harness.claims.Certainty.CLEAR;
import static echoladder.harness.claims.Certainty.CLOSE;
import static echoladder.harness.claims.Certainty.ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.claims.ClaimOutcome.Holding;
import echoladder.harness.claims.Rule.StepFigure;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class EvaluationTest {
  private static StepRun run(String step, int repeat, long wallNs) {
    return new StepRun(
        step, repeat, List.of(step), "done", "", 0.1, JsonMapper.shared().readTree("{\"wall_ns\": %d}".formatted(wallNs)), null, null);
  }

  private static StepRun ended(String step, String by, String detail) {
    return new StepRun(step, 1, List.of(step), by, detail, null, JsonMapper.shared().readTree("{\"wall_ns\": 1}"), null, null);
  }

  private static Rule within(@Nullable Double least, @Nullable Double most) {
    return new Rule.Within(new StepFigure("a", "wall_ns"), null, least, most);
  }

  private static Rule ratio(@Nullable Double least, @Nullable Double most) {
    return new Rule.Within(new StepFigure("a", "wall_ns"), new StepFigure("b", "wall_ns"), least, most);
  }

  private static void decides(
      List<Rule> rules, List<StepRun> runs, Holding holding, @Nullable Certainty certainty) {
    ClaimOutcome outcome = Evaluation.of(rules, List.of(), runs);
    assertThat(outcome.holding()).as("%s", outcome).isEqualTo(holding);
    assertThat(outcome.certainty()).as("%s", outcome).isEqualTo(certainty);
  }

  private static List<StepRun> repeats(long... wallNs) {
    return IntStream.range(0, wallNs.length).mapToObj(i -> run("a", i + 1, wallNs[i])).toList();
  }

  @Test
  void theMedianOfTheRepeatsDecides() {
    List<StepRun> runs = repeats(100, 110, 120);
    decides(List.of(within(null, 200.0)), runs, Holding.HOLDS, CLEAR);
    decides(List.of(within(null, 50.0)), runs, Holding.DOES_NOT_HOLD, CLEAR);
    decides(List.of(within(200.0, null)), runs, Holding.DOES_NOT_HOLD, CLEAR);
    decides(List.of(within(50.0, 200.0)), runs, Holding.HOLDS, CLEAR);
  }

  @Test
  void aBoundWithinTheRangeWidenedByItsWidthIsClose() {
    List<StepRun> runs = repeats(100, 110, 120);
    decides(List.of(within(null, 115.0)), runs, Holding.HOLDS, CLOSE);
    decides(List.of(within(null, 105.0)), runs, Holding.DOES_NOT_HOLD, CLOSE);
    decides(List.of(within(null, 140.0)), runs, Holding.HOLDS, CLOSE);
    decides(List.of(within(null, 141.0)), runs, Holding.HOLDS, CLEAR);
    decides(List.of(within(79.0, null)), runs, Holding.HOLDS, CLEAR);
    decides(List.of(within(80.0, null)), runs, Holding.HOLDS, CLOSE);
  }

  @Test
  void ofOneMeasurementABoundBesideItIsClose() {
    decides(List.of(within(null, 105.9)), repeats(100), Holding.HOLDS, CLOSE);
    decides(List.of(within(null, 106.1)), repeats(100), Holding.HOLDS, ONCE);
    decides(List.of(within(null, 94.4)), repeats(100), Holding.DOES_NOT_HOLD, CLOSE);
    decides(List.of(within(null, 94.2)), repeats(100), Holding.DOES_NOT_HOLD, ONCE);
    decides(List.of(within(95.0, null)), repeats(100), Holding.HOLDS, CLOSE);
    decides(List.of(within(0.0, null)), repeats(0), Holding.HOLDS, CLOSE);
    decides(List.of(within(null, 20.0)), repeats(0), Holding.HOLDS, ONCE);
  }

  @Test
  void ofOneMeasurementItIsSaidThatNothingElseIsKnown() {
    decides(List.of(within(null, 110.0)), repeats(100), Holding.HOLDS, ONCE);
    decides(List.of(within(null, 1_000.0)), repeats(100), Holding.HOLDS, ONCE);
    ClaimOutcome outcome = Evaluation.of(List.of(within(null, 80.0)), List.of(), repeats(100));
    assertThat(outcome.words()).isEqualTo("does not hold (measured once)");
    assertThat(outcome.rules().getFirst().margin()).isEqualTo(1.25);
  }

  @Test
  void fromSixRepeatsOnAnIntervalDecides() {
    List<StepRun> runs = repeats(100, 101, 102, 103, 104, 200);
    ClaimOutcome outcome = Evaluation.of(List.of(within(null, 199.0)), List.of(), runs);
    assertThat(outcome.rules().getFirst().measured()).contains("100 ns–200 ns, 97 % interval of 6");
    decides(List.of(within(null, 199.0)), runs, Holding.HOLDS, CLOSE);
    decides(List.of(within(null, 201.0)), runs, Holding.HOLDS, CLEAR);
    List<StepRun> eight = repeats(100, 101, 102, 103, 104, 105, 106, 900);
    // The interval leaves the one that is far off out; the range would not.
    decides(List.of(within(null, 800.0)), eight, Holding.HOLDS, CLEAR);
  }

  @Test
  void noRepeatsDifferWhereAllAreZero() {
    decides(List.of(within(null, 20.0)), repeats(0, 0, 0, 0, 0, 0), Holding.HOLDS, CLEAR);
  }

  @Test
  void whatStandsBesideDecidesNothing() {
    List<Rule.Shown> beside = List.of(Rule.Shown.parse("a.wall_ns"), Rule.Shown.parse("b.wall_ns / a.wall_ns"), Rule.Shown.parse("c.wall_ns"));
    List<StepRun> runs = List.of(run("a", 1, 100), run("b", 1, 300));
    assertThat(Evaluation.of(List.of(within(null, 200.0)), beside, runs).beside())
        .containsExactly("a.wall_ns: 100 ns", "b.wall_ns / a.wall_ns: 3.00×");
  }

  @Test
  void ratiosAreOfTheSameRepeat() {
    List<StepRun> runs = List.of(run("a", 1, 100), run("b", 1, 50), run("a", 2, 1_000), run("b", 2, 500));
    ClaimOutcome outcome = Evaluation.of(List.of(ratio(1.5, null)), List.of(), runs);
    assertThat(outcome.holding()).isEqualTo(Holding.HOLDS);
    assertThat(outcome.rules().getFirst().measured()).isEqualTo("2.00× (2.00×–2.00×, range of 2)");
  }

  @Test
  void oneClearFailureIsEnoughHoweverCloseTheRest() {
    List<StepRun> runs = List.of(run("a", 1, 100), run("b", 1, 100), run("a", 2, 101), run("b", 2, 100));
    decides(List.of(ratio(1.01, null), within(null, 10.0)), runs, Holding.DOES_NOT_HOLD, CLEAR);
    decides(List.of(ratio(1.01, null), within(null, 1_000.0)), runs, Holding.DOES_NOT_HOLD, CLOSE);
  }

  @Test
  void anOrderHoldsWhereEachIsAboveTheOneBefore() {
    List<StepRun> runs = List.of(run("a", 1, 100), run("b", 1, 300), run("c", 1, 200));
    Rule ascending = new Rule.Ascending(List.of(new StepFigure("a", "wall_ns"), new StepFigure("b", "wall_ns")));
    Rule not = new Rule.Ascending(List.of(new StepFigure("b", "wall_ns"), new StepFigure("c", "wall_ns")));
    decides(List.of(ascending), runs, Holding.HOLDS, ONCE);
    decides(List.of(not), runs, Holding.DOES_NOT_HOLD, ONCE);
  }

  @Test
  void aRunThatCameThroughWithHardlyAnyMemoryLeftCouldHaveEndedByIt() {
    Rule byMemory = new Rule.Ends("a", List.of("error", "memory-guard"), null);
    decides(List.of(byMemory), List.of(held(900)), Holding.DOES_NOT_HOLD, CLOSE);
    decides(List.of(byMemory), List.of(held(500)), Holding.DOES_NOT_HOLD, ONCE);
    decides(List.of(new Rule.Ends("a", List.of("done"), null)), List.of(held(900)), Holding.HOLDS, ONCE);
  }

  private static StepRun held(int bytes) {
    String figures = "{\"held_peak_bytes\": %d, \"memory_limit_bytes\": 1000}".formatted(bytes);
    return new StepRun("a", 1, List.of("a"), "done", "", null, JsonMapper.shared().readTree(figures), null, null);
  }

  @Test
  void theWayInWhichAStepEnds() {
    Rule fails = new Rule.Ends("a", List.of("error", "memory-guard"), null);
    decides(List.of(fails), List.of(ended("a", "error", "OutOfMemoryError")), Holding.HOLDS, ONCE);
    decides(List.of(fails), List.of(ended("a", "done", "")), Holding.DOES_NOT_HOLD, ONCE);
    decides(List.of(fails), List.of(ended("a", "done", ""), ended("a", "error", "x")), Holding.DOES_NOT_HOLD, CLOSE);
    decides(
        List.of(new Rule.Ends("a", List.of("error"), "native")), List.of(ended("a", "error", "heap")), Holding.DOES_NOT_HOLD, ONCE);
  }

  @Test
  void whatDidNotComeToItsEndTellsNothing() {
    ClaimOutcome outcome = Evaluation.of(List.of(within(null, 10.0)), List.of(), List.of(ended("a", "time-guard", "after 5 s")));
    assertThat(outcome.holding()).isEqualTo(Holding.CANNOT_BE_TOLD);
    assertThat(outcome.reason()).isEqualTo("a ended by time-guard: after 5 s");
    decides(
        List.of(new Rule.Ends("a", List.of("error"), null)),
        List.of(ended("a", "failed", "it is not there")),
        Holding.CANNOT_BE_TOLD,
        null);
    decides(
        List.of(new Rule.Ends("a", List.of("error"), null)),
        List.of(ended("a", "time-guard", "after 5 s")),
        Holding.CANNOT_BE_TOLD,
        null);
    decides(List.of(within(null, 10.0)), List.of(), Holding.CANNOT_BE_TOLD, null);
  }

  @Test
  void timesThatOthersSpoiltTellNothingButMemoryDoes() {
    StepRun noisy = run("a", 1, 100).with(0.21);
    ClaimOutcome outcome = Evaluation.of(List.of(within(null, 10.0)), List.of(), List.of(noisy));
    assertThat(outcome.holding()).isEqualTo(Holding.CANNOT_BE_TOLD);
    assertThat(outcome.reason()).isEqualTo("others had 21.0 % of the host's CPU while a ran: its times are theirs as much");
    StepRun memory =
        new StepRun("a", 1, List.of("a"), "done", "", 0.5, JsonMapper.shared().readTree("{\"rss_peak_bytes\": 100}"), null, null);
    decides(
        List.of(new Rule.Within(new StepFigure("a", "rss_peak_bytes"), null, null, 10.0)),
        List.of(memory),
        Holding.DOES_NOT_HOLD,
        ONCE);
  }
}
