package echoladder.client;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadResult.Messages;
import echoladder.client.LoadResult.Pace;
import echoladder.client.figures.Crowd;
import echoladder.client.figures.Deliveries;
import echoladder.client.figures.Handshakes;
import echoladder.client.figures.Percentiles;
import echoladder.client.figures.SlowReaderFigures;
import echoladder.client.figures.Stamps;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadJudgeTest {
  private static final LoadJudge.Bounds BOUNDS = LoadJudge.Bounds.DEFAULT;
  private static final double PER_S = 5_000;

  private record Load(Pace pace, Messages messages, LoadJudge.ClientDelays delays) {
    List<Reason> doubts(LoadJudge.Bounds bounds, double askedPerS, String aside) {
      return LoadJudge.doubts(pace, messages, delays, bounds, askedPerS, aside);
    }
  }

  private static Load load(double seconds, long scheduled, long echoes, long late, long hiccupNs) {
    return new Load(
        new Pace(PER_S, echoes / 10.0, seconds, 2, 0.1, 100), new Messages(scheduled, scheduled, echoes, 0, 0, 0, late, echoes),
        new LoadJudge.ClientDelays(hiccupNs, null, null));
  }

  private static List<Reason> judged(Load load) {
    return load.doubts(BOUNDS, PER_S, "");
  }

  @Test
  void aLoadAtItsBoundsIsValidAndOneBeyondThemIsNot() {
    assertThat(judged(load(10, 50_000, 47_500, 500, 100_000_000))).isEmpty();
    assertThat(judged(load(10, 50_000, 47_499, 0, 0)))
        .containsExactly(
            new Reason(
                ReasonCode.OFFERED_RATE_NOT_REACHED,
                "47,499 echoes in a steady state that intended 50,000, 95.00 % (achieved_share_least 95.00 %)"));
    assertThat(judged(load(10, 50_000, 50_000, 0, 100_000_001)))
        .containsExactly(
            new Reason(
                ReasonCode.CLIENT_HICCUP, "a timed wait of the client overran by 100 ms (hiccup_most 100 ms)"));
  }

  /** Late sends cost percentiles, not the rung; but what was not carried may be missing because of them. */
  @Test
  void lateSendsTellOnlyBesideALoadThatWasNotCarried() {
    assertThat(judged(load(10, 50_000, 50_000, 50_000, 0))).isEmpty();
    assertThat(judged(load(10, 50_000, 47_499, 500, 0))).extracting(Reason::reason).containsExactly(ReasonCode.OFFERED_RATE_NOT_REACHED);
    assertThat(judged(load(10, 50_000, 47_499, 501, 0)).getLast())
        .isEqualTo(
            new Reason(
                ReasonCode.LATE_SENDS,
                "501 of 50,000 sends were over 1 ms late though their connection was free, 1.00 % (late_share_most 1.00 %)"));
    Load owing =
        new Load(
            new Pace(PER_S, 5_000, 10, 2, 0.1, 100), new Messages(50_000, 50_000, 50_000, 1, 0, 0, 501, 50_000),
            new LoadJudge.ClientDelays(0L, null, null));
    assertThat(judged(owing)).extracting(Reason::reason).containsExactly(ReasonCode.LATE_SENDS);
  }

  /** A client that is late by 20 ms at most cannot withhold more than 100 of 5,000 messages a second. */
  @ParameterizedTest
  @CsvSource({
    "0, 10000000, 10000000, 1001, true", "0, 10000000, 10000000, 1000, false", "0, 0, 20000000, 1000, false",
    "0, 20000000, 0, 1000, false", "10100000, 10000000, 10000000, 1001, false", ", 10000000, 10000000, 1001, true",
    "0, 10000000, , 50000, false", "0, , 10000000, 50000, false"
  })
  void lateSendsTellNothingWhereFarMoreIsMissingThanTheyCanWithhold(
      @Nullable Long hiccup, @Nullable Long send, @Nullable Long receive, long unanswered, boolean excused) {
    Pace pace = new Pace(PER_S, 5_000, 10, 2, 0.1, 100);
    Messages messages = new Messages(50_000, 50_000, 50_000 - unanswered, unanswered, 0, 0, 501, 50_000);
    LoadJudge.ClientDelays delays = new LoadJudge.ClientDelays(hiccup, send, receive);
    assertThat(LoadJudge.doubts(pace, messages, delays, BOUNDS, PER_S, ""))
        .extracting(Reason::reason)
        .isEqualTo(excused ? List.of() : List.of(ReasonCode.LATE_SENDS));
    assertThat(LoadJudge.doubts(pace, messages, delays, BOUNDS.staged(), 0, ""))
        .as("users in stages send less because they were late")
        .extracting(Reason::reason)
        .containsExactly(ReasonCode.LATE_SENDS);
  }

  /** Where a send waits for the answer before it, one delay follows another: the longest of them bounds nothing. */
  @Test
  void delaysBoundWhatIsMissingOnlyWhereNothingWaitsForAnAnswer() {
    Percentiles most = new Percentiles(null, null, null, null, null, 7L);
    LoadResult.Times times =
        new LoadResult.Times(
            Percentiles.NONE, Percentiles.NONE, Percentiles.NONE, null, most, Percentiles.NONE, Percentiles.NONE, most, Stamps.NONE);
    assertThat(LoadJudge.ClientDelays.of(most, times, churned(null, null))).isEqualTo(new LoadJudge.ClientDelays(7L, null, null));
    Deliveries some =
        new Deliveries(1L, 1L, 1L, 0L, 0L, 0L, 0L, 0L, Percentiles.NONE, Percentiles.NONE, Percentiles.NONE);
    Crowd pushed =
        new Crowd(
            null, Percentiles.NONE, Percentiles.NONE, Percentiles.NONE, null, null, Percentiles.NONE, Crowd.Reconnects.NONE, some,
            SlowReaderFigures.NONE, Handshakes.NONE);
    assertThat(LoadJudge.ClientDelays.of(most, times, pushed)).isEqualTo(new LoadJudge.ClientDelays(7L, 7L, 7L));
  }

  /** Echoes that a rate lacks count where they made it too low, and not where they are within its bound. */
  @Test
  void whatARateLacksIsMissingToo() {
    LoadJudge.ClientDelays delays = new LoadJudge.ClientDelays(0L, 10_000_000L, 10_000_000L);
    Pace pace = new Pace(PER_S, 4_000, 10, 2, 0.1, 100);
    Messages far = new Messages(50_000, 50_000, 50_000, 0, 0, 0, 501, 40_000);
    assertThat(LoadJudge.doubts(pace, far, delays, BOUNDS, PER_S, ""))
        .extracting(Reason::reason)
        .containsExactly(ReasonCode.OFFERED_RATE_NOT_REACHED);
    Messages within = new Messages(50_000, 50_000, 49_995, 5, 0, 0, 501, 48_000);
    assertThat(LoadJudge.doubts(pace, within, delays, BOUNDS, PER_S, ""))
        .extracting(Reason::reason)
        .containsExactly(ReasonCode.LATE_SENDS);
  }

  @Test
  void whatWasSeenBesideLateSendsEndsTheirSentence() {
    assertThat(load(10, 50_000, 40_000, 600, 0).doubts(BOUNDS, PER_S, "; the host was busy"))
        .last()
        .extracting(Reason::detail)
        .asString()
        .endsWith("(late_share_most 1.00 %); the host was busy");
  }

  @Test
  void withoutSteadyStateThereIsNothingToJudgeAndWithoutMessagesNoRate() {
    assertThat(judged(load(0, 0, 0, 0, 0))).isEmpty();
    assertThat(load(3, 0, 0, 0, 0).doubts(BOUNDS, 0.01, ""))
        .containsExactly(
            new Reason(ReasonCode.NOTHING_INTENDED, "no message was intended within the steady state: 0.0100000/s over 3.0 s are 0.0300"));
    assertThat(load(3, 0, 0, 0, 0).doubts(BOUNDS.staged(), 0, "")).extracting(Reason::reason).containsExactly(ReasonCode.NOTHING_INTENDED);
  }

  /** The study asked for enough: a client that intends less is at fault, and the server has shown nothing. */
  @Test
  void aClientThatIntendsTooLittleIsAtFault() {
    assertThat(judged(load(10, 0, 0, 0, 0)))
        .containsExactly(
            new Reason(
                ReasonCode.TOO_LITTLE_INTENDED,
                "the client intended 0 messages where 5,000.00/s over 10.0 s are 50,000 (achieved_share_least 95.00 %)"));
    assertThat(judged(load(10, 40_000, 40_000, 0, 0))).extracting(Reason::reason).containsExactly(ReasonCode.TOO_LITTLE_INTENDED);
    assertThat(Verdict.of(judged(load(10, 40_000, 10, 0, 0)))).isEqualTo(Verdict.INVALID);
  }

  /** Ends that led to no replacement count against the churn that was asked for, as echoes do against the messages. */
  @ParameterizedTest
  @CsvSource({"0, 0, 0", "100, 0, 0", "95, 5, 0", "94, 6, 1", "0, 1, 1"})
  void connectionsThatWereNotReplacedAreHeldToTheirRate(Long done, Long failed, int doubts) {
    assertThat(LoadJudge.churn(churned(done, failed), BOUNDS))
        .hasSize(doubts)
        .extracting(Reason::reason)
        .allMatch(reason -> reason == ReasonCode.OFFERED_RATE_NOT_REACHED);
    assertThat(LoadJudge.churn(churned(null, null), BOUNDS)).isEmpty();
  }

  @Test
  void churnThatWasNotReachedIsSaidWithItsBound() {
    assertThat(LoadJudge.churn(churned(987L, 3_963L), BOUNDS))
        .containsExactly(
            new Reason(
                ReasonCode.OFFERED_RATE_NOT_REACHED,
                "987 connections were replaced in a steady state that was to replace 4,950, 19.94 % (achieved_share_least 95.00 %)"));
  }

  private static Crowd churned(@Nullable Long done, @Nullable Long failed) {
    return new Crowd(
        null, Percentiles.NONE, Percentiles.NONE, Percentiles.NONE, done, failed, Percentiles.NONE, Crowd.Reconnects.NONE,
        Deliveries.NONE, SlowReaderFigures.NONE, Handshakes.NONE);
  }

  /** Users in stages decide the rate as they go, and how few are answered in time is what they measure. */
  @Test
  void usersInStagesAreNotHeldToARate() {
    assertThat(load(10, 50_000, 10, 0, 0).doubts(BOUNDS.staged(), 0, "")).isEmpty();
    assertThat(load(10, 50_000, 10, 501, 0).doubts(BOUNDS.staged(), 0, ""))
        .extracting(Reason::reason)
        .containsExactly(ReasonCode.LATE_SENDS);
  }

  /** A reason of a bound that is judged elsewhere would be dropped by whoever judges by other bounds. */
  @Test
  void judgesTheReasonsOfABoundAndNoOthers() {
    Set<ReasonCode> all =
        Arrays.stream(ReasonCode.values()).filter(ReasonCode::byBound).collect(Collectors.toSet());
    Set<ReasonCode> said =
        Stream.of(
                judged(load(10, 40_000, 10, 40_000, 1_000_000_000)), load(1, 0, 0, 0, 0).doubts(BOUNDS, 0.5, ""),
                LoadJudge.drift(new LoadResult.Drift(0.5, null), LoadJudge.DriftBounds.DEFAULT))
            .flatMap(List::stream)
            .map(Reason::reason)
            .collect(Collectors.toSet());
    assertThat(said).isEqualTo(all);
  }

  /** Up or down alike; what is not known is no doubt. */
  @ParameterizedTest
  @CsvSource({
    "0.81, 0.21, 0", "1.24, 4.9, 0", ", , 0", "0.79, 1, 1", "1.26, , 1", "1, 0.19, 1", ", 5.1, 1", "0.5, 0.1, 2"
  })
  void theLastThirdMayDifferFromTheFirstByAShare(@Nullable Double cpu, @Nullable Double p99, int doubts) {
    assertThat(LoadJudge.drift(new LoadResult.Drift(cpu, p99), LoadJudge.DriftBounds.DEFAULT))
        .hasSize(doubts)
        .extracting(Reason::reason)
        .allMatch(reason -> reason == ReasonCode.DRIFT);
  }

  @Test
  void aLoadThatWasStoppedSaysThatAlone() {
    Reason stopped = new Reason(ReasonCode.INTERRUPTED, "stopped");
    Reason wrong = new Reason(ReasonCode.ECHO_MISMATCH, "1 echo");
    Reason lost = new Reason(ReasonCode.CONNECTIONS_LOST, "20 connections");
    Reason died = new Reason(ReasonCode.CLIENT_DIED, "the client");
    assertThat(LoadJudge.ofStopped(stopped, List.of(lost, stopped, died))).containsExactly(stopped);
    assertThat(LoadJudge.ofStopped(stopped, List.of(lost, wrong, died))).containsExactly(stopped, wrong);
  }

  @Test
  void driftIsSaidWithItsBound() {
    assertThat(LoadJudge.drift(new LoadResult.Drift(0.75, null), LoadJudge.DriftBounds.DEFAULT))
        .containsExactly(
            new Reason(
                ReasonCode.DRIFT,
                "in the last third of the steady state CPU per echo of the server was 0.75 times that of the first"
                    + " (cpu_drift_share_most 20.00 %)"));
  }

  @Test
  void cpuPerEchoIsUnknownWithoutEchoesOrCpu() {
    assertThat(CpuPerEcho.us(2_000_000_000L, 50_000)).isEqualTo(40.0);
    assertThat(CpuPerEcho.us(1e9, 0)).isNull();
    assertThat(CpuPerEcho.us(null, 50_000)).isNull();
  }
}
