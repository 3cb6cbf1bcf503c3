package echoladder.harness.judgement;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadResult;
import echoladder.client.PhaseBoundary;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.client.Verdict;
import echoladder.client.figures.Crowd;
import echoladder.client.figures.Deliveries;
import echoladder.client.figures.Handshakes;
import echoladder.client.figures.Percentiles;
import echoladder.client.figures.SlowReaderFigures;
import echoladder.harness.Results;
import echoladder.harness.metric.Figures;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.study.Study;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JudgeTest {
  private static final Observed QUIET = new Observed(false, null, "", List.of(), List.of(), List.of(), false, false, null, null);
  private static final Study.Thresholds BOUNDS = Study.Thresholds.DEFAULT;

  private static final long P99_NS = Study.Bounds.DEFAULT.responseTimeP99Ns();

  private static final double PER_S = 5_000;

  static Figures host(@Nullable Double idle, @Nullable Double steal, @Nullable Double foreign) {
    return Figures.NONE
        .with(HostMetrics.IDLE_SHARE, idle)
        .with(HostMetrics.STEAL_SHARE, steal)
        .with(HostMetrics.FOREIGN_SHARE, foreign);
  }

  private static List<Reason> judge(LoadResult load) {
    return Judge.doubts(load, host(0.3, 0.0, 0.05), QUIET, BOUNDS, P99_NS, PER_S);
  }

  private static LoadResult client(ReasonCode... reasons) {
    return Results.of(
        10, 50_000, 50_000, 0, Results.TIMES, 40.0,
        Arrays.stream(reasons).map(r -> new Reason(r, "said by the client")).toList());
  }

  @Test
  void nothingSpeaksAgainstAGoodRung() {
    assertThat(judge(Results.good(10))).isEmpty();
    assertThat(client(ReasonCode.LATE_SENDS).judged(List.of()).valid()).isTrue();
  }

  @Test
  void theClientsReasonsStayButThoseWithAThresholdOfTheStudy() {
    assertThat(judge(client(ReasonCode.CONNECTIONS_MISSING, ReasonCode.LATE_SENDS, ReasonCode.CLIENT_HICCUP)))
        .containsExactly(new Reason(ReasonCode.CONNECTIONS_MISSING, "said by the client"));
  }

  @Test
  void judgesByTheStudysThresholds() {
    LoadResult slow = Results.of(10, 50_000, 47_499, 0, Results.TIMES, 40.0, List.of());
    assertThat(judge(slow))
        .containsExactly(
            new Reason(
                ReasonCode.OFFERED_RATE_NOT_REACHED,
                "47,499 echoes in a steady state that intended 50,000, 95.00 % (achieved_share_least 95.00 %)"));
    Study.Thresholds loose = new Study.Thresholds(0.9, 0.01, 1, 0.05, 0.03, 0.2, 0.2, 0.8);
    assertThat(Judge.doubts(slow, Figures.NONE, QUIET, loose, P99_NS, PER_S))
        .containsExactly(
            new Reason(ReasonCode.CLIENT_HICCUP, "a timed wait of the client overran by 3 ms (hiccup_most 0 ms)"));
  }

  /** Its messages are as they should be: the ends of churn are a population of their own, with the study's bound. */
  @Test
  void connectionsThatWereNotReplacedAreHeldToTheStudysBound() {
    LoadResult few = churned(94, 6);
    List<Reason> doubts = judge(few);
    assertThat(doubts)
        .containsExactly(
            new Reason(
                ReasonCode.OFFERED_RATE_NOT_REACHED,
                "94 connections were replaced in a steady state that was to replace 100, 94.00 % (achieved_share_least 95.00 %)"));
    assertThat(Verdict.of(doubts)).isEqualTo(Verdict.SATURATED);
    assertThat(judge(churned(95, 5))).isEmpty();
    assertThat(Judge.doubts(few, host(0.3, 0.0, 0.05), QUIET, achieving(0.94), P99_NS, PER_S)).as("a study that bears it").isEmpty();
    assertThat(Judge.doubts(few, host(0.3, 0.0, 0.05), QUIET, achieving(0.941), P99_NS, PER_S)).hasSize(1);
  }

  /** A good load with churn. */
  private static LoadResult churned(long done, long failed) {
    Crowd crowd =
        new Crowd(
            null, Percentiles.NONE, Percentiles.NONE, Percentiles.NONE, done, failed, Percentiles.NONE, Crowd.Reconnects.NONE,
            Deliveries.NONE, SlowReaderFigures.NONE, Handshakes.NONE);
    return Results.with(crowd, Results.good(10));
  }

  private static Study.Thresholds achieving(double share) {
    return new Study.Thresholds(
        share, BOUNDS.lateShareMost(), BOUNDS.hiccupMostNs(), BOUNDS.hostIdleShareLeast(), BOUNDS.stealShareMost(),
        BOUNDS.foreignCpuShareMost(), BOUNDS.cpuDriftShareMost(), BOUNDS.p99DriftShareMost());
  }

  @Test
  void aSteadyStateThatIntendedNothingIsNoFaultOfTheServer() {
    LoadResult none = Results.of(10, 0, 0, 0, Percentiles.NONE, null, List.of());
    List<Reason> ofStudy = Judge.doubts(none, Figures.NONE, QUIET, BOUNDS, P99_NS, 0.01);
    assertThat(ofStudy).extracting(Reason::reason).containsExactly(ReasonCode.NOTHING_INTENDED);
    assertThat(judge(none)).extracting(Reason::reason).containsExactly(ReasonCode.TOO_LITTLE_INTENDED);
    assertThat(List.of(Verdict.of(ofStudy), Verdict.of(judge(none)))).containsOnly(Verdict.INVALID);
  }

  /** 5,000/s over 10 s are 50,000, of which 95 % less six deviations of a Poisson process are 46,158.4. */
  @Test
  void aClientThatIntendedLessThanItWasAskedForIsAtFault() {
    assertThat(judge(Results.of(10, 46_159, 46_159, 0, Results.TIMES, 40.0, List.of()))).isEmpty();
    assertThat(judge(Results.of(10, 46_158, 46_158, 0, Results.TIMES, 40.0, List.of())))
        .containsExactly(
            new Reason(
                ReasonCode.TOO_LITTLE_INTENDED,
                "the client intended 46,158 messages where 5,000.00/s over 10.0 s are 50,000 (achieved_share_least 95.00 %)"));
    LoadResult staged = Results.of(10, 1_000, 1_000, 0, Results.TIMES, 40.0, List.of());
    assertThat(Judge.doubts(staged, Figures.NONE, QUIET, BOUNDS, P99_NS, 0)).isEmpty();
  }

  @Test
  void judgesTheHost() {
    assertThat(Judge.doubts(Results.good(10), host(0.04, 0.031, 0.21), QUIET, BOUNDS, P99_NS, PER_S))
        .extracting(Reason::reason)
        .as("others took what would have been idle")
        .containsExactly(ReasonCode.HOST_TOO_NOISY, ReasonCode.HOST_TOO_NOISY);
    assertThat(Judge.doubts(Results.good(10), host(0.04, 0.03, 0.2), QUIET, BOUNDS, P99_NS, PER_S))
        .extracting(Reason::reason)
        .containsExactly(ReasonCode.HOST_SATURATED);
    assertThat(Judge.doubts(Results.good(10), host(0.05, 0.03, 0.2), QUIET, BOUNDS, P99_NS, PER_S)).isEmpty();
    assertThat(Judge.doubts(Results.good(10), host(null, null, null), QUIET, BOUNDS, P99_NS, PER_S)).isEmpty();
  }

  @Test
  void aResponseTimeBeyondTheStudysBoundSaturates() {
    List<Reason> doubts = Judge.doubts(Results.good(10), host(0.3, 0.0, 0.05), QUIET, BOUNDS, 1_233_999, PER_S);
    assertThat(doubts)
        .containsExactly(
            new Reason(ReasonCode.RESPONSE_TIME_BEYOND_BOUND, "response time p99 was 1.23 ms, the study's bound is 1.23 ms"));
    assertThat(Verdict.of(doubts)).isEqualTo(Verdict.SATURATED);
    assertThat(Judge.doubts(Results.good(10), host(0.3, 0.0, 0.05), QUIET, BOUNDS, 1_234_000, PER_S)).isEmpty();
  }

  /** Server and client fill the host, and the client, which gets no processor, is late: that is the result. */
  @Test
  void aClientThatStarvesBesideAFullHostIsPartOfTheResult() {
    LoadResult slow = late(Results.of(10, 50_000, 40_000, 0, Results.TIMES, 40.0, List.of()));
    Study.Thresholds strict = new Study.Thresholds(0.95, 0.01, 1_000_000, 0.05, 0.03, 0.2, 0.2, 0.8);
    List<Reason> full = Judge.doubts(slow, host(0.01, 0.0, 0.05), QUIET, strict, P99_NS, PER_S);
    assertThat(full).extracting(Reason::reason).containsExactly(ReasonCode.OFFERED_RATE_NOT_REACHED, ReasonCode.HOST_SATURATED);
    assertThat(full.getLast().detail()).contains("the client starved beside it: 600 of 50,000 sends", "overran by 3 ms");
    assertThat(Verdict.of(full)).isEqualTo(Verdict.SATURATED);
    List<Reason> noisy = Judge.doubts(slow, host(0.01, 0.0, 0.21), QUIET, strict, P99_NS, PER_S);
    assertThat(noisy).extracting(Reason::reason).contains(ReasonCode.LATE_SENDS, ReasonCode.CLIENT_HICCUP, ReasonCode.HOST_TOO_NOISY);
    assertThat(Verdict.of(noisy)).isEqualTo(Verdict.INVALID);
    List<Reason> idle = Judge.doubts(slow, host(0.3, 0.0, 0.05), QUIET, strict, P99_NS, PER_S);
    assertThat(idle).extracting(Reason::reason)
        .containsExactly(ReasonCode.OFFERED_RATE_NOT_REACHED, ReasonCode.LATE_SENDS, ReasonCode.CLIENT_HICCUP);
    assertThat(Verdict.of(idle)).isEqualTo(Verdict.INVALID);
  }

  private static LoadResult late(LoadResult load) {
    LoadResult.Messages m = load.messages();
    return new LoadResult(
        load.client(), load.connections(), load.errors(), load.pace(),
        new LoadResult.Messages(m.scheduled(), m.sent(), m.answered(), m.unanswered(), m.failed(), m.echoMismatches(), 600, m.echoesInSteady()),
        load.hiccup(), load.responseTimeLowerBoundBeyond(), load.histogramOverflows(), load.cost(), load.condition(),
        load.serviceTimeCoverageConnections(), load.responseTimeFloorNs(), load.verdict(), load.verdictReasons(), load.times(),
        load.placement(), load.drift(), load.crowd());
  }

  /** The processors that are full are not the server's. */
  @Test
  void aClientThatFillsItsOwnHostSpoilsTheMeasurement() {
    Observed elsewhere = new Observed(false, null, "", List.of(), List.of(), List.of(), true, false, null, null);
    List<Reason> doubts = Judge.doubts(Results.good(10), host(0.01, 0.0, 0.0), elsewhere, BOUNDS, P99_NS, PER_S);
    assertThat(doubts).extracting(Reason::reason).containsExactly(ReasonCode.CLIENT_SATURATED);
    assertThat(Verdict.of(doubts)).isEqualTo(Verdict.INVALID);
  }

  /** They are reasons beside the client's own, and the host that was read is the server's. */
  @Test
  void whatSpeaksAgainstClientHostsCounts() {
    Reason apart = new Reason(ReasonCode.CLOCKS_APART, "c1 is 3 ms ahead");
    Observed afar = new Observed(false, null, "", List.of(), List.of(), List.of(), false, true, List.of(apart), null);
    List<Reason> doubts = Judge.doubts(client(ReasonCode.CONNECTIONS_MISSING), host(0.01, 0.0, 0.0), afar, BOUNDS, P99_NS, PER_S);
    assertThat(doubts).extracting(Reason::reason).containsExactly(ReasonCode.CONNECTIONS_MISSING, ReasonCode.CLOCKS_APART, ReasonCode.SERVER_SATURATED);
    assertThat(doubts).contains(apart);
  }

  /** A good rung whose server and client had a processor each, with what was idle there and what was stolen. */
  private static List<Reason> apart(long spinNs, double serverIdle, double clientIdle, double serverSteal, double clientSteal) {
    LoadResult placed = Results.at(new LoadResult.Placement("1", "1", "0", spinNs), Results.good(10));
    Figures figures =
        host((serverIdle + clientIdle) / 2, (serverSteal + clientSteal) / 2, 0.02)
            .with(HostMetrics.SERVER_CPUS_IDLE_SHARE, serverIdle)
            .with(HostMetrics.CLIENT_CPUS_IDLE_SHARE, clientIdle)
            .with(HostMetrics.SERVER_CPUS_STEAL_SHARE, serverSteal)
            .with(HostMetrics.CLIENT_CPUS_STEAL_SHARE, clientSteal);
    return Judge.doubts(placed, figures, QUIET, BOUNDS, P99_NS, PER_S);
  }

  @Test
  void serverAndClientOnProcessorsOfTheirOwnAreJudgedByThose() {
    assertThat(apart(0, 0.04, 0.6, 0, 0))
        .as("a third of the host is idle, and nothing of it is the server's")
        .containsExactly(
            new Reason(
                ReasonCode.SERVER_SATURATED,
                "4.00 % of the CPU of the server's processors (0) was idle (host_idle_share_least 5.00 %)"));
    assertThat(apart(0, 0.6, 0.04, 0, 0))
        .containsExactly(
            new Reason(
                ReasonCode.CLIENT_SATURATED,
                "4.00 % of the CPU of the client's processors (1) was idle (host_idle_share_least 5.00 %)"));
    assertThat(apart(0, 0.05, 0.05, 0.03, 0.03)).isEmpty();
  }

  @Test
  void aClientThatPollsLeavesNothingIdleByDesign() {
    assertThat(apart(200_000, 0.09, 0, 0, 0)).as("4.5 % of the host").isEmpty();
    assertThat(apart(200_000, 0.04, 0, 0, 0)).extracting(Reason::reason).containsExactly(ReasonCode.SERVER_SATURATED);
  }

  @Test
  void stealCountsOnEachSideByItself() {
    assertThat(apart(0, 0.5, 0.5, 0.05, 0))
        .as("2.5 % of the host")
        .containsExactly(
            new Reason(
                ReasonCode.HOST_TOO_NOISY,
                "5.00 % of the CPU of the server's processors (0) was taken by the hypervisor (steal_share_most 3.00 %)"));
    assertThat(apart(0, 0.5, 0.5, 0.031, 0.031)).extracting(Reason::reason).containsExactly(ReasonCode.HOST_TOO_NOISY, ReasonCode.HOST_TOO_NOISY);
  }

  @Test
  void aDeadServerIsTheReasonAndItsConsequencesFollow() {
    Observed died = new Observed(false, "was killed by signal 9", "", List.of(), List.of(), List.of(), false, false, null, null);
    assertThat(
            Judge.doubts(client(ReasonCode.INTERRUPTED, ReasonCode.CONNECTIONS_LOST), Figures.NONE, died, BOUNDS, P99_NS, PER_S))
        .extracting(Reason::reason)
        .containsExactly(ReasonCode.SERVER_DIED, ReasonCode.CONNECTIONS_LOST);
  }

  @Test
  void aMetricsPageThatIsGoneIsSaid() {
    Observed silent = new Observed(false, null, "GET x failed", List.of(), List.of(), List.of(), false, false, null, null);
    assertThat(Judge.doubts(Results.good(10), Figures.NONE, silent, BOUNDS, P99_NS, PER_S))
        .containsExactly(new Reason(ReasonCode.METRICS_UNREACHABLE, "GET x failed"));
  }

  @Test
  void aStoppedRunIsInterruptedOnce() {
    Observed stopped = new Observed(true, null, "GET x failed", List.of(), List.of(), List.of(), false, false, null, null);
    assertThat(Judge.doubts(client(ReasonCode.INTERRUPTED, ReasonCode.CONNECTIONS_LOST, ReasonCode.CLIENT_DIED), Figures.NONE, stopped, BOUNDS, P99_NS, PER_S))
        .containsExactly(new Reason(ReasonCode.INTERRUPTED, "the run was stopped after 10.0 s of steady state"));
  }

  @Test
  void aChangedSettingIsNamed() {
    Observed changed = new Observed(false, null, "", List.of("net.core.somaxconn: 4096 -> 128"), List.of(), List.of(), false, false, null, null);
    assertThat(Judge.doubts(Results.good(10), Figures.NONE, changed, BOUNDS, P99_NS, PER_S))
        .containsExactly(new Reason(ReasonCode.SETTING_CHANGED, "net.core.somaxconn: 4096 -> 128"));
  }

  @Test
  void aBorderThatWasReadLateIsDoubtedUnlessTheStudyBearsAsMuch() {
    PhaseBoundary late = new PhaseBoundary("end", "the harness", 1_000_000_000L, 1_300_000_000L);
    Observed observed = new Observed(false, null, "", List.of(), List.of(), List.of(late), false, false, null, null);
    LoadResult load = Results.good(100);
    assertThat(Judge.doubts(load, Figures.NONE, observed, Study.Thresholds.DEFAULT, P99_NS, 0))
        .containsExactly(
            new Reason(ReasonCode.BORDER_LATE, "the harness read CPU 300 ms after the end of the steady state (bound 250 ms)"));
    Study.Thresholds or = Study.Thresholds.DEFAULT;
    Study.Thresholds wide =
        new Study.Thresholds(
            or.achievedShareLeast(), or.lateShareMost(), 400_000_000L, or.hostIdleShareLeast(), or.stealShareMost(),
            or.foreignCpuShareMost(), or.cpuDriftShareMost(), or.p99DriftShareMost());
    assertThat(Judge.doubts(load, Figures.NONE, observed, wide, P99_NS, 0)).isEmpty();
  }
}
