package echoladder.harness.judgement;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Doubt;
import echoladder.client.Invalidity;
import echoladder.client.LoadResult;
import echoladder.client.Percentiles;
import echoladder.harness.Results;
import echoladder.harness.lab.LabMark;
import java.util.List;
import org.junit.jupiter.api.Test;

class SetAsideTest {
  private static final Doubt LATE = new Doubt(Invalidity.LATE_SENDS, "late");
  private static final Doubt MISSING = new Doubt(Invalidity.CONNECTIONS_MISSING, "missing");
  private static final List<Doubt> BOTH = List.of(LATE, MISSING);

  private static final LoadResult LOADED = Results.good(10);

  private static LabMark claiming(String... claims) {
    return new LabMark("a-lab", "6.1", 1, List.of(claims), List.of());
  }

  @Test
  void everythingCountsWhereTimesMayBeQuoted() {
    assertThat(SetAside.of(BOTH, LOADED, null)).isEqualTo(new SetAside(BOTH, List.of()));
    assertThat(SetAside.of(BOTH, LOADED, claiming("memory", "times"))).isEqualTo(new SetAside(BOTH, List.of()));
  }

  @Test
  void whatSpoilsTimesAloneIsSetAsideWhereNoneMayBeQuoted() {
    assertThat(SetAside.of(BOTH, LOADED, claiming("memory"))).isEqualTo(new SetAside(List.of(MISSING), List.of(LATE)));
  }

  @Test
  void aLoadThatDidNotGetThroughAtAllIsNeverSetAside() {
    Doubt none = new Doubt(Invalidity.OFFERED_RATE_NOT_REACHED, "none");
    List<Doubt> doubts = List.of(none, LATE);
    LoadResult nothingIntended = Results.of(10, 0, 0, 0, Percentiles.NONE, null, List.of());
    LoadResult nothingAnswered = Results.of(10, 50_000, 0, 50_000, Results.TIMES, null, List.of());
    LoadResult half = Results.of(10, 50_000, 25_000, 0, Results.TIMES, null, List.of());
    assertThat(SetAside.of(doubts, nothingIntended, claiming("memory")))
        .isEqualTo(new SetAside(List.of(none), List.of(LATE)));
    assertThat(SetAside.of(doubts, nothingAnswered, claiming("memory")))
        .isEqualTo(new SetAside(List.of(none), List.of(LATE)));
    assertThat(SetAside.of(doubts, half, claiming("memory"))).isEqualTo(new SetAside(List.of(), doubts));
  }

  @Test
  void whatWasOnlyLateIsSetAsideWhereOthersTookTheCpuAndNothingWasLost() {
    Doubt rate = new Doubt(Invalidity.OFFERED_RATE_NOT_REACHED, "rate");
    Doubt slow = new Doubt(Invalidity.RESPONSE_TIME_BEYOND_BOUND, "slow");
    Doubt noisy = new Doubt(Invalidity.HOST_TOO_NOISY, "noisy");
    List<Doubt> doubts = List.of(rate, LATE, slow, noisy);
    assertThat(SetAside.of(doubts, LOADED, null)).isEqualTo(new SetAside(List.of(), doubts));
    assertThat(SetAside.of(List.of(rate, LATE, slow), LOADED, null)).as("nobody else").isEqualTo(new SetAside(List.of(rate, LATE, slow), List.of()));
    LoadResult lost = Results.of(10, 50_000, 49_000, 1, Results.TIMES, null, List.of());
    assertThat(SetAside.of(doubts, lost, null)).as("one lost").isEqualTo(new SetAside(List.of(rate, LATE, slow), List.of(noisy)));
  }
}
