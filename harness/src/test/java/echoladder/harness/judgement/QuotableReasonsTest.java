package echoladder.harness.judgement;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadResult;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.client.figures.Percentiles;
import echoladder.harness.Results;
import echoladder.harness.lab.LabMark;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuotableReasonsTest {
  private static final Reason LATE = new Reason(ReasonCode.LATE_SENDS, "late");
  private static final Reason MISSING = new Reason(ReasonCode.CONNECTIONS_MISSING, "missing");
  private static final List<Reason> BOTH = List.of(LATE, MISSING);

  private static final LoadResult LOADED = Results.good(10);

  private static LabMark claiming(String... claims) {
    return new LabMark("a-lab", "6.1", 1, List.of(claims), List.of());
  }

  @Test
  void everythingCountsWhereTimesMayBeQuoted() {
    assertThat(QuotableReasons.of(BOTH, LOADED, null)).isEqualTo(new QuotableReasons(BOTH, List.of()));
    assertThat(QuotableReasons.of(BOTH, LOADED, claiming("memory", "times"))).isEqualTo(new QuotableReasons(BOTH, List.of()));
  }

  @Test
  void whatSpoilsTimesAloneIsSetAsideWhereNoneMayBeQuoted() {
    assertThat(QuotableReasons.of(BOTH, LOADED, claiming("memory"))).isEqualTo(new QuotableReasons(List.of(MISSING), List.of(LATE)));
  }

  @Test
  void aLoadThatDidNotGetThroughAtAllIsNeverSetAside() {
    Reason none = new Reason(ReasonCode.OFFERED_RATE_NOT_REACHED, "none");
    List<Reason> doubts = List.of(none, LATE);
    LoadResult nothingIntended = Results.of(10, 0, 0, 0, Percentiles.NONE, null, List.of());
    LoadResult nothingAnswered = Results.of(10, 50_000, 0, 50_000, Results.TIMES, null, List.of());
    LoadResult half = Results.of(10, 50_000, 25_000, 0, Results.TIMES, null, List.of());
    assertThat(QuotableReasons.of(doubts, nothingIntended, claiming("memory")))
        .isEqualTo(new QuotableReasons(List.of(none), List.of(LATE)));
    assertThat(QuotableReasons.of(doubts, nothingAnswered, claiming("memory")))
        .isEqualTo(new QuotableReasons(List.of(none), List.of(LATE)));
    assertThat(QuotableReasons.of(doubts, half, claiming("memory"))).isEqualTo(new QuotableReasons(List.of(), doubts));
  }

  @Test
  void whatWasOnlyLateIsSetAsideWhereOthersTookTheCpuAndNothingWasLost() {
    Reason rate = new Reason(ReasonCode.OFFERED_RATE_NOT_REACHED, "rate");
    Reason slow = new Reason(ReasonCode.RESPONSE_TIME_BEYOND_BOUND, "slow");
    Reason noisy = new Reason(ReasonCode.HOST_TOO_NOISY, "noisy");
    List<Reason> doubts = List.of(rate, LATE, slow, noisy);
    assertThat(QuotableReasons.of(doubts, LOADED, null)).isEqualTo(new QuotableReasons(List.of(), doubts));
    assertThat(QuotableReasons.of(List.of(rate, LATE, slow), LOADED, null)).as("nobody else").isEqualTo(new QuotableReasons(List.of(rate, LATE, slow), List.of()));
    LoadResult lost = Results.of(10, 50_000, 49_000, 1, Results.TIMES, null, List.of());
    assertThat(QuotableReasons.of(doubts, lost, null)).as("one lost").isEqualTo(new QuotableReasons(List.of(rate, LATE, slow), List.of(noisy)));
  }
}
