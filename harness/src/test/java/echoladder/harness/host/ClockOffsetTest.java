package echoladder.harness.host;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.host.ClockOffset.RoundTrip;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Series of round trips that are made up. */
class ClockOffsetTest {
  private static final long MS = 1_000_000;

  /** A clock that is so far ahead; each reply is stamped at another place of its trip. */
  private static List<RoundTrip> trips(long aheadNs, long shortestNs) {
    List<RoundTrip> trips = new ArrayList<>();
    long now = 5_000 * MS;
    for (int i = 0; i < ClockOffset.ROUND_TRIPS; i++) {
      long length = i == 13 ? shortestNs : shortestNs + (i + 1) * MS;
      // Only the shortest one is stamped in its middle.
      long stamped = i == 13 ? length / 2 : i % 2 == 0 ? 0 : length;
      trips.add(new RoundTrip(now, now + stamped + aheadNs, now + length));
      now += length + MS;
    }
    return trips;
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, -1, 3_600_000_000_000L, -86_400_000_000_000L})
  void theShortestTripTellsTheOffsetToHalfOfItsLength(long aheadNs) {
    assertThat(ClockOffset.of(trips(aheadNs, MS))).isEqualTo(new ClockOffset(aheadNs, MS / 2));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1_000_000_000_000L, -1_000_000_000_000L})
  void aConstantOffsetSpeaksAgainstNothing(long aheadNs) {
    ClockOffset before = ClockOffset.of(trips(aheadNs, MS));
    ClockOffset after = ClockOffset.of(trips(aheadNs, 3 * MS));
    assertThat(before.driftNs(after)).isZero();
    assertThat(before.complaint("c1", after)).isEmpty();
  }

  @Test
  void aClockThatGainsOrLosesMoreThanFiveMillisecondsIsNamed() {
    ClockOffset before = new ClockOffset(70 * MS, MS);
    assertThat(before.complaint("c2", new ClockOffset(75 * MS, MS))).isEmpty();
    assertThat(before.complaint("c2", new ClockOffset(76 * MS, MS)))
        .contains("the clock of c2 gained 6.0 ms during the rung (bound 5 ms)");
    assertThat(before.complaint("c2", new ClockOffset(60 * MS, MS)))
        .contains("the clock of c2 lost 10.0 ms during the rung (bound 5 ms)");
  }

  @Test
  void aClockThatIsKnownTooRoughlyIsNamedBeforeOrAfter() {
    ClockOffset rough = ClockOffset.of(trips(0, 14 * MS));
    ClockOffset good = new ClockOffset(0, MS);
    String said = "the clock of c3 is known to 7.0 ms alone: the shortest of 20 round trips took 14.0 ms (bound 5 ms)";
    assertThat(rough.complaint("c3", good)).contains(said);
    assertThat(good.complaint("c3", rough)).contains(said);
    assertThat(new ClockOffset(0, 5 * MS).complaint("c3", good)).isEmpty();
  }

  @Test
  void anOddTripIsRoundedUp() {
    assertThat(ClockOffset.of(List.of(new RoundTrip(0, 10, 3)))).isEqualTo(new ClockOffset(9, 2));
  }
}
