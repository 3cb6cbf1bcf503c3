package echoladder.harness.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.harness.metric.Catalogue;
import echoladder.harness.metric.Figures;
import echoladder.harness.results.CapacityRecord.Outcome;
import echoladder.harness.results.RungRecord;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What one try says of its rate. The bound is 20 ms. */
class TryJudgeTest {
  private static List<Reason> doubts(ReasonCode... reasons) {
    return Arrays.stream(reasons).map(reason -> new Reason(reason, "seen")).toList();
  }

  private static RungRecord rung(@Nullable Long p99Ms, @Nullable Long onTimeMs, ReasonCode... reasons) {
    return rung(p99Ms, onTimeMs, 0, reasons);
  }

  private static RungRecord rung(@Nullable Long p99Ms, @Nullable Long onTimeMs, double gaps, ReasonCode... reasons) {
    Figures figures = Figures.NONE.with(Catalogue.named("response_time_p99_gap_share").orElseThrow(), gaps);
    return Tries.rung("a", 1_000, 5_000, 1, p99Ms, onTimeMs, figures, doubts(reasons));
  }

  private static TryJudge.Judged judged(RungRecord rung) {
    return TryJudge.of(rung, 20 * Tries.MS);
  }

  private static List<ReasonCode> why(RungRecord rung) {
    return judged(rung).why().stream().map(Reason::reason).toList();
  }

  @Test
  void atTheBoundIsHeld() {
    assertThat(judged(rung(20L, 19L))).isEqualTo(new TryJudge.Judged(Outcome.HELD, List.of()));
    assertThat(judged(rung(21L, 21L)).outcome()).isEqualTo(Outcome.TOO_SLOW);
  }

  /** A full server that answers in time holds the rate; and what only made it harder does not take that back. */
  @ParameterizedTest
  @EnumSource(names = {"SERVER_SATURATED", "HOST_SATURATED", "DRIFT", "CLIENT_SATURATED", "CLIENT_HICCUP", "HOST_TOO_NOISY", "BORDER_LATE"})
  void heldInSpiteOf(ReasonCode reason) {
    assertThat(judged(rung(5L, 5L, reason)).outcome()).isEqualTo(Outcome.HELD);
  }

  /** These say that something else was measured. */
  @ParameterizedTest
  @EnumSource(names = {"SETTING_CHANGED", "SERVER_MISMATCH", "OPTION_NOT_HELD", "METRICS_UNREACHABLE"})
  void notHeldInSpiteOf(ReasonCode reason) {
    assertThat(judged(rung(5L, 5L, reason)).outcome()).isEqualTo(Outcome.UNDECIDED);
    assertThat(why(rung(5L, 5L, reason))).containsExactly(reason);
  }

  @Test
  void aboveTheBoundOnlyMessagesOnTimeTell() {
    assertThat(judged(rung(30L, 25L)).outcome()).isEqualTo(Outcome.TOO_SLOW);
    assertThat(judged(rung(30L, 20L)).outcome()).isEqualTo(Outcome.UNDECIDED);
    assertThat(judged(rung(30L, null)).outcome()).isEqualTo(Outcome.UNDECIDED);
    assertThat(why(rung(30L, 20L))).containsExactly(ReasonCode.LATE_SENDS);
    assertThat(judged(rung(30L, 20L)).why().getFirst().detail())
        .isEqualTo("response time p99 was 30.0 ms, the study's bound is 20.0 ms; of messages sent on time it was 20.0 ms");
  }

  @Test
  void saysWhatGaveWayBesideTheTime() {
    RungRecord full = rung(30L, 25L, ReasonCode.SERVER_SATURATED, ReasonCode.RESPONSE_TIME_BEYOND_BOUND);
    assertThat(judged(full).outcome()).isEqualTo(Outcome.TOO_SLOW);
    assertThat(why(full)).containsExactly(ReasonCode.RESPONSE_TIME_BEYOND_BOUND, ReasonCode.SERVER_SATURATED);
    assertThat(judged(full).why().getFirst().detail())
        .isEqualTo("response time p99 was 30.0 ms, of messages sent on time 25.0 ms, the study's bound is 20.0 ms");
  }

  @ParameterizedTest
  @CsvSource({"0.5, TOO_SLOW", "0.6, UNDECIDED"})
  void gapsOfTheHostAreNotTheServers(double share, Outcome outcome) {
    assertThat(judged(rung(30L, 25L, share)).outcome()).isEqualTo(outcome);
  }

  @ParameterizedTest
  @EnumSource(names = {"HOST_TOO_NOISY", "CLIENT_SATURATED", "CLIENT_HICCUP", "SETTING_CHANGED"})
  void whatTheClientOrOthersDidDecidesNothingAboveTheBound(ReasonCode reason) {
    assertThat(judged(rung(30L, 25L, reason)).outcome()).isEqualTo(Outcome.UNDECIDED);
    assertThat(why(rung(30L, 25L, ReasonCode.SERVER_SATURATED, reason))).containsExactly(reason);
  }

  @ParameterizedTest
  @EnumSource(names = {"CONNECTIONS_MISSING", "CONNECTIONS_LOST", "CONNECTIONS_SILENT", "UNANSWERED", "OFFERED_RATE_NOT_REACHED", "SERVER_DIED", "ERROR_RESPONSES"})
  void whatTheServerLostIsNotHeld(ReasonCode reason) {
    assertThat(judged(rung(5L, 5L, reason)).outcome()).isEqualTo(Outcome.LOST);
    assertThat(why(rung(null, null, reason, ReasonCode.SERVER_SATURATED))).containsExactly(reason, ReasonCode.SERVER_SATURATED);
    assertThat(judged(rung(5L, 5L, reason, ReasonCode.LATE_SENDS)).outcome()).as("by the client").isEqualTo(Outcome.UNDECIDED);
    assertThat(judged(rung(5L, 5L, reason, ReasonCode.HOST_TOO_NOISY)).outcome()).as("by others").isEqualTo(Outcome.UNDECIDED);
  }

  /** A wrong byte is a defect and no limit of a rate; a server that did not start was not asked. */
  @ParameterizedTest
  @EnumSource(names = {"ECHO_MISMATCH", "SERVER_NOT_READY", "CLIENT_DIED"})
  void whatSaysNothingOfTheRateIsUndecided(ReasonCode reason) {
    assertThat(judged(rung(null, null, reason)).outcome()).isEqualTo(Outcome.UNDECIDED);
    assertThat(why(rung(null, null, reason))).contains(reason);
  }

  @Test
  void withoutAPercentileNothingIsDecided() {
    assertThat(judged(rung(null, null)).why().getFirst().detail()).isEqualTo("fewer than 2,000 messages have no p99");
  }
}
