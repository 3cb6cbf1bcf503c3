package echoladder.harness.judgement;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.ReasonCode;
import echoladder.harness.Results;
import echoladder.harness.Rungs;
import echoladder.harness.Studies;
import echoladder.harness.results.ClimbRecord.End;
import echoladder.harness.results.ClimbRecord;
import echoladder.harness.results.RungKey;
import echoladder.harness.results.RungRecord.Status;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.StandPlace;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Where the climb of a server of several rates ends. */
class EndedClimbsTest {
  private static final Study STUDY =
      Studies.of(
          List.of(Study.Entry.plain("a", "a", "open-loop", Map.of()), Study.Entry.plain("b", "b", "open-loop", Map.of())),
          List.of(10, 20),
          Studies.totals(1_000.0, 5_000.0, 9_000.0),
          new Study.Phases(5_000, 1, 1, 1, null, 1, 1, 0, 0));

  private static RungKey key(String server, int connections, double rate) {
    return new RungKey(server, connections, rate, 1, false);
  }

  private static boolean tried(EndedClimbs ended, String server, int connections, double rate) {
    return ended.of(key(server, connections, rate)) == null;
  }

  @Test
  void aRateThatWasNotHeldEndsTheHigherOnesAtThatConnectionCountAlone() {
    EndedClimbs ended = new EndedClimbs(STUDY);
    ended.add(key("a", 10, 5_000), new StopRule.Why(End.NOT_HELD, "because"));
    assertThat(tried(ended, "a", 10, 1_000)).isTrue();
    assertThat(tried(ended, "a", 10, 5_000)).isFalse();
    assertThat(tried(ended, "a", 10, 9_000)).isFalse();
    assertThat(tried(ended, "a", 20, 9_000)).isTrue();
    assertThat(tried(ended, "b", 10, 9_000)).isTrue();
    assertThat(ended.of(key("a", 10, 9_000).repeat(2))).isNotNull();
  }

  @Test
  void theLowestRateEndsTheHigherConnectionCountsToo() {
    EndedClimbs ended = new EndedClimbs(STUDY);
    ended.add(key("a", 10, 1_000), new StopRule.Why(End.NOT_HELD, "because"));
    assertThat(tried(ended, "a", 10, 9_000)).isFalse();
    assertThat(tried(ended, "a", 20, 1_000)).isFalse();
    assertThat(tried(ended, "b", 20, 1_000)).isTrue();
  }

  @Test
  void whatDoesNotDependOnTheRateEndsTheClimbAtAnyOfThem() {
    EndedClimbs ended = new EndedClimbs(STUDY);
    ended.add(key("a", 10, 9_000), new StopRule.Why(End.OUT_OF_REACH, "descriptors"));
    assertThat(tried(ended, "a", 10, 1_000)).isFalse();
    assertThat(tried(ended, "a", 20, 1_000)).isFalse();
  }

  @Test
  void aServerOfOneRateEndsAsEver() {
    EndedClimbs ended = new EndedClimbs(StopRuleTest.STUDY);
    ended.add(new RungKey("a", 10, null, 1, false), new StopRule.Why(End.NOT_HELD, "because"));
    assertThat(ended.of(new RungKey("a", 20, null, 1, false))).isNotNull();
    assertThat(ended.of(new RungKey("floor", 20, null, 1, false))).isNull();
  }

  private static RungRecord rung(int connections, double rate, @Nullable ReasonCode why, boolean driftCheck) {
    RungRecord plain = why == null ? StopRuleTest.rung("a", connections, Results.good(connections)) : StopRuleTest.invalid("a", connections, why);
    return Rungs.measured(planned(connections, rate, driftCheck), Objects.requireNonNull(plain.load()), plain.figures());
  }

  private static RungRecord.Planned planned(int connections, double rate, boolean driftCheck) {
    return new RungRecord.Planned("a", connections, 1, rate, new StandPlace(1, driftCheck));
  }

  private static RungRecord notTried(int connections, double rate) {
    return RungRecord.notMeasured(planned(connections, rate, false), Status.NOT_ATTEMPTED, "the climb of this server had ended");
  }

  @Test
  void theRecordSaysHowFarEachConnectionCountGot() {
    List<RungRecord> rungs = new ArrayList<>();
    // In the order of the stand, which is not that of the rates.
    rungs.add(rung(10, 5_000, null, false));
    rungs.add(rung(10, 9_000, ReasonCode.OFFERED_RATE_NOT_REACHED, false));
    rungs.add(rung(10, 1_000, null, false));
    rungs.add(rung(10, 5_000, ReasonCode.OFFERED_RATE_NOT_REACHED, true));
    rungs.add(rung(20, 5_000, ReasonCode.OFFERED_RATE_NOT_REACHED, false));
    rungs.add(notTried(20, 9_000));
    assertThat(StopRule.climbs(STUDY, rungs, false).getFirst().end()).isEqualTo(End.UNFINISHED);
    rungs.add(rung(20, 1_000, null, false));
    ClimbRecord climb = StopRule.climbs(STUDY, rungs, false).getFirst();
    assertThat(climb.end()).isEqualTo(End.TOP_OF_STUDY);
    assertThat(climb.highestValidConnections()).isEqualTo(20);
    assertThat(climb.rates())
        .extracting(
            ClimbRecord.OfRates::connections, ClimbRecord.OfRates::highestValidPerS, ClimbRecord.OfRates::endedAtPerS,
            ClimbRecord.OfRates::end)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(10, 5_000.0, 9_000.0, End.NOT_HELD),
            org.assertj.core.groups.Tuple.tuple(20, 1_000.0, 5_000.0, End.NOT_HELD));
  }

  @Test
  void aLowestRateThatWasNotHeldEndsTheClimb() {
    List<RungRecord> rungs =
        List.of(rung(10, 1_000, ReasonCode.OFFERED_RATE_NOT_REACHED, false), notTried(10, 5_000), notTried(10, 9_000), notTried(20, 1_000));
    ClimbRecord climb = StopRule.climbs(STUDY, rungs, false).getFirst();
    assertThat(climb.end()).isEqualTo(End.NOT_HELD);
    assertThat(climb.endedAtConnections()).isEqualTo(10);
    assertThat(climb.highestValidConnections()).isNull();
  }
}
