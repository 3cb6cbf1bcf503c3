package echoladder.harness.judgement;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadResult;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.harness.Results;
import echoladder.harness.Rungs;
import echoladder.harness.Studies;
import echoladder.harness.limits.KnownLimit;
import echoladder.harness.limits.MetLimit;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.results.ClimbRecord.End;
import echoladder.harness.results.ClimbRecord;
import echoladder.harness.results.LimitsRecord;
import echoladder.harness.results.RungRecord.Status;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.RungRepeats;
import echoladder.harness.study.Study;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class StopRuleTest {
  static final Study STUDY =
      Studies.of(
          List.of(Study.Entry.plain("a", "a", "open-loop", Map.of()), Study.Entry.plain("floor", "floor", "open-loop", Map.of())),
          List.of(10, 20),
          Studies.total(5_000),
          new Study.Phases(5_000, 1, 1, 1, null, 1, 1, 0, 0));

  static RungRecord rung(String server, int connections, LoadResult load) {
    return Rungs.measured(new RungRecord.Planned(server, connections, 1, 5_000, null), load, JudgeTest.host(0.3, 0.0, 0.1));
  }

  static RungRecord invalid(String server, int connections, ReasonCode... reasons) {
    return rung(
        server,
        connections,
        Results.of(
            connections, 50_000, 50_000, 0, Results.TIMES, 40.0,
            Arrays.stream(reasons).map(r -> new Reason(r, "because of " + r.id())).toList()));
  }

  private static StopRule.@Nullable Why at(RungRecord... repeats) {
    return StopRule.at(new RungRepeats(List.of(repeats)), STUDY.withRepeats(repeats.length));
  }

  private static @Nullable End end(RungRecord rung) {
    StopRule.Why why = at(rung);
    return why == null ? null : why.end();
  }

  @ParameterizedTest
  @EnumSource(ReasonCode.class)
  void onlyWhatTheServerCouldNotHoldEndsItsClimb(ReasonCode reason) {
    End expected =
        switch (reason) {
          case SERVER_DIED, SERVER_NOT_READY -> End.SERVER_FAILED;
          case CONNECTIONS_MISSING, CONNECTIONS_LOST, CONNECTIONS_SILENT, ECHO_MISMATCH, UNANSWERED, OFFERED_RATE_NOT_REACHED,
              ERROR_RESPONSES, SERVER_SILENT, ANSWER_WITHOUT_END, DELIVERIES_MISSING, DELIVERIES_MIXED, AUDIENCES_DIFFER ->
              End.NOT_HELD;
          case RESPONSE_TIME_BEYOND_BOUND -> End.RESPONSE_TIME_BOUND;
          case LATE_SENDS, COORDINATED_OMISSION, TIMES_CONTRADICTED, CALIBRATION_SWALLOWED, CLIENT_HICCUP, CLIENT_DIED,
              HOST_SATURATED, SERVER_SATURATED, CLIENT_SATURATED, HOST_TOO_NOISY, DRIFT, SETTING_CHANGED, NETWORK_NOT_AS_ASKED, OPTION_NOT_HELD, WARM_UP_INCOMPLETE,
              METRICS_UNREACHABLE, SERVER_MISMATCH, BORDER_LATE, HOST_LOST, CLOCKS_APART, HOSTS_DIFFER, EPHEMERAL_PORTS_EXHAUSTED,
              CLIENT_CALL_FAILED, NOTHING_INTENDED, TOO_LITTLE_INTENDED, INTERRUPTED -> null;
        };
    assertThat(end(invalid("a", 10, reason))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"CLIENT_DIED", "LATE_SENDS", "HOST_TOO_NOISY", "CLIENT_SATURATED", "EPHEMERAL_PORTS_EXHAUSTED", "CLIENT_CALL_FAILED", "TOO_LITTLE_INTENDED", "INTERRUPTED"})
  void whatMayBeTheFaultOfTheClientOrOfOthersDoesNotEndIt(ReasonCode fault) {
    assertThat(end(invalid("a", 10, ReasonCode.OFFERED_RATE_NOT_REACHED, fault))).isNull();
    assertThat(end(invalid("a", 10, ReasonCode.RESPONSE_TIME_BEYOND_BOUND, fault))).isNull();
    assertThat(end(invalid("a", 10, ReasonCode.SERVER_DIED, fault))).isEqualTo(End.SERVER_FAILED);
  }

  @Test
  void aClimbEndsWhereMoreThanHalfOfTheRepeatsWereNotHeld() {
    RungRecord held = rung("a", 10, Results.good(10));
    RungRecord failed = invalid("a", 10, ReasonCode.CONNECTIONS_MISSING);
    RungRecord noisy = invalid("a", 10, ReasonCode.HOST_TOO_NOISY);
    assertThat(at(held, failed, noisy)).isNull();
    assertThat(at(held, failed)).isNull();
    assertThat(at(failed, held, failed))
        .isEqualTo(
            new StopRule.Why(
                End.NOT_HELD,
                "in 2 of 3 repeats, first: connections-missing: because of connections-missing"));
    Study three = STUDY.withRepeats(3);
    assertThat(StopRule.climbs(three, List.of(held, failed, noisy), false).getFirst())
        .extracting(ClimbRecord::end, ClimbRecord::highestValidConnections)
        .containsExactly(End.UNFINISHED, 10);
    assertThat(StopRule.climbs(three, List.of(failed, held, failed), false).getFirst())
        .extracting(ClimbRecord::end, ClimbRecord::endedAtConnections, ClimbRecord::highestValidConnections)
        .containsExactly(End.NOT_HELD, 10, null);
  }

  @Test
  void aTailBeyondTheBoundEndsItAsAResult() {
    RungRecord rung = invalid("a", 10, ReasonCode.RESPONSE_TIME_BEYOND_BOUND);
    assertThat(rung.saturated()).isTrue();
    assertThat(Objects.requireNonNull(at(rung)).reason()).isEqualTo("because of response-time-beyond-bound");
    assertThat(StopRule.climbs(STUDY, List.of(rung), false).getFirst())
        .extracting(ClimbRecord::end, ClimbRecord::endedAtConnections, ClimbRecord::highestValidConnections)
        .containsExactly(End.RESPONSE_TIME_BOUND, 10, null);
  }

  /** The client that starves beside a full host does not excuse the server; what others took does. */
  @Test
  void aFullHostIsNoExcuse() {
    assertThat(end(invalid("a", 10, ReasonCode.RESPONSE_TIME_BEYOND_BOUND, ReasonCode.HOST_SATURATED)))
        .isEqualTo(End.RESPONSE_TIME_BOUND);
    assertThat(end(invalid("a", 10, ReasonCode.UNANSWERED, ReasonCode.HOST_SATURATED))).isEqualTo(End.NOT_HELD);
    assertThat(end(invalid("a", 10, ReasonCode.UNANSWERED, ReasonCode.HOST_SATURATED, ReasonCode.HOST_TOO_NOISY))).isNull();
  }

  @Test
  void namesASaturatedHostAsTheLimitBehindWhatWasNotHeld() {
    RungRecord rung = invalid("a", 10, ReasonCode.OFFERED_RATE_NOT_REACHED, ReasonCode.HOST_SATURATED);
    assertThat(at(rung))
        .isEqualTo(
            new StopRule.Why(
                End.NOT_HELD,
                "offered-rate-not-reached: because of offered-rate-not-reached; "
                    + "host-saturated: because of host-saturated"));
  }

  /** That rung with these reasons set aside. */
  static RungRecord aside(RungRecord rung, ReasonCode... reasons) {
    return with(rung, Arrays.stream(reasons).map(r -> new Reason(r, "because of " + r.id())).toList(), null);
  }

  private static RungRecord with(RungRecord rung, @Nullable List<Reason> aside, @Nullable MetLimit met) {
    return new RungRecord(
        rung.planned(), rung.status(), null, rung.startedAt(), rung.seconds(), null, rung.load(), rung.figures(), null, null, aside,
        met == null ? null : new LimitsRecord(List.of(met), List.of(), List.of(), Map.of()), null, null);
  }

  private static final MetLimit THREADS = new MetLimit(KnownLimit.THREADS_MAX, "threads-max", List.of("a fact"));

  /** What is set aside in a lab is still told, and still may be the client's fault. */
  @Test
  void whatIsSetAsideTellsWhoseFaultItMayBe() {
    Reason late = new Reason(ReasonCode.LATE_SENDS, "late");
    Reason saturated = new Reason(ReasonCode.HOST_SATURATED, "busy");
    RungRecord unanswered = invalid("a", 10, ReasonCode.UNANSWERED);
    assertThat(at(with(unanswered, List.of(late), null))).isNull();
    // No lateness of the client loses connections.
    assertThat(end(with(invalid("a", 10, ReasonCode.CONNECTIONS_MISSING), List.of(late), null))).isEqualTo(End.NOT_HELD);
    assertThat(Objects.requireNonNull(at(with(unanswered, List.of(saturated), null))).reason())
        .isEqualTo("unanswered: because of unanswered; host-saturated: busy");
  }

  @Test
  void aClientThatDiedOfALimitEndsTheClimbAtThatLimit() {
    RungRecord died = invalid("a", 20, ReasonCode.CLIENT_DIED);
    assertThat(at(with(died, null, THREADS)))
        .isEqualTo(
            new StopRule.Why(
                End.NOT_HELD,
                "kernel.threads-max was met: a fact; client-died: because of client-died; see runbooks/symptoms/threads-max.md",
                KnownLimit.THREADS_MAX));
    RungRecord stopped = invalid("a", 20, ReasonCode.CLIENT_DIED, ReasonCode.INTERRUPTED);
    assertThat(at(with(stopped, null, THREADS))).isNull();
    // A count that grew is no excuse for a client that was late.
    assertThat(at(with(invalid("a", 20, ReasonCode.UNANSWERED, ReasonCode.LATE_SENDS), null, THREADS))).isNull();
  }

  @Test
  void aLimitThatWasTouchedAtTheHighestRungIsSaidAndEndedNothing() {
    List<RungRecord> rungs =
        List.of(with(rung("a", 10, Results.good(10)), null, THREADS), with(rung("a", 20, Results.good(20)), null, THREADS));
    assertThat(StopRule.climbs(STUDY, rungs, false).getFirst())
        .isEqualTo(
            new ClimbRecord(
                "a", 20, End.TOP_OF_STUDY, null,
                "it was climbed to the study's highest rung, 20; kernel.threads-max was touched there and ended nothing: a fact; see runbooks/symptoms/threads-max.md",
                KnownLimit.THREADS_MAX));
  }

  /** In a lab it is set aside, and ends nothing. */
  @Test
  void noTimeEndsAClimbWhereNoneMayBeQuoted() {
    Reason slow = new Reason(ReasonCode.RESPONSE_TIME_BEYOND_BOUND, "slow");
    assertThat(slow.reason().ofTimeAlone()).isTrue();
    assertThat(at(with(rung("a", 10, Results.good(10)), List.of(slow), null))).isNull();
  }

  @Test
  void saysHowFarEachCameAndWhy() {
    List<RungRecord> rungs =
        List.of(
            rung("a", 10, Results.good(10)),
            rung("floor", 10, Results.good(10)),
            RungRecord.notMeasured(new RungRecord.Planned("a", 20, 1, 5_000, null), Status.OUT_OF_REACH, "20 descriptors"),
            invalid("floor", 20, ReasonCode.SETTING_CHANGED));
    assertThat(StopRule.climbs(STUDY, rungs, false))
        .containsExactly(
            new ClimbRecord("a", 10, End.OUT_OF_REACH, 20, "20 descriptors", null),
            new ClimbRecord("floor", 10, End.TOP_OF_STUDY, null, "it was climbed to the study's highest rung, 20", null));
  }

  @Test
  void aRunThatStopsEarlySaysSo() {
    List<RungRecord> rungs = List.of(rung("a", 10, Results.good(10)), invalid("floor", 10, ReasonCode.INTERRUPTED));
    assertThat(StopRule.climbs(STUDY, rungs, true)).extracting(ClimbRecord::end).containsOnly(End.INTERRUPTED);
    assertThat(StopRule.climbs(STUDY, rungs, false)).extracting(ClimbRecord::end).containsOnly(End.UNFINISHED);
  }

  @Test
  void comparesWithAValidFloorOfTheSameRung() {
    List<RungRecord> rungs =
        List.of(
            rung("a", 10, Results.good(10)),
            rung("floor", 10, Results.of(10, 1, 1, 0, Results.TIMES, 20.0, List.of())),
            rung("a", 20, Results.good(20)),
            invalid("floor", 20, ReasonCode.SETTING_CHANGED));
    List<RungRecord> compared = FloorComparison.of(rungs, Map.of("a", "floor", "floor", "floor"));
    assertThat(HostMetrics.CPU_MULTIPLE_OF_FLOOR.value(compared.get(0))).isEqualTo(2.0);
    assertThat(HostMetrics.CPU_ABOVE_FLOOR.value(compared.get(0))).isEqualTo(20.0);
    assertThat(HostMetrics.CPU_MULTIPLE_OF_FLOOR.value(compared.get(1))).isEqualTo(1.0);
    assertThat(HostMetrics.CPU_MULTIPLE_OF_FLOOR.value(compared.get(2))).isNull();
    assertThat(FloorComparison.of(rungs, Map.of())).isEqualTo(rungs);
  }

  @Test
  void nothingIsComparedWithACpuOfTheFloorThatIsNotGiven() {
    RungRecord floor = rung("floor", 10, Results.of(10, 1, 1, 0, Results.TIMES, 20.0, List.of()));
    List<RungRecord> rungs =
        List.of(rung("a", 10, Results.good(10)), floor.with(floor.figures().with(HostMetrics.HOST_SPEED, 0.8)));
    List<RungRecord> compared = FloorComparison.of(rungs, Map.of("a", "floor", "floor", "floor"));
    assertThat(HostMetrics.CPU_MULTIPLE_OF_FLOOR.value(compared.getFirst())).isNull();
    assertThat(HostMetrics.CPU_ABOVE_FLOOR.value(compared.getFirst())).isNull();
  }
}
