package echoladder.external;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What sightings come to, by arithmetic alone. */
class OwnCountTest {
  private static Sighting seen(
      int second, @Nullable Integer kernel, @Nullable Integer open, @Nullable Integer accepted) {
    return new Sighting(second * 1_000_000_000L, kernel, boxed(open), boxed(accepted), null, null, null, null, null);
  }

  private static @Nullable Long boxed(@Nullable Integer value) {
    return value == null ? null : (Long) (long) (int) value;
  }

  private static Course course(@Nullable Sighting start, @Nullable Sighting end) {
    // Ahead of the load somebody else has 3 connections open, and 5 were closed before.
    return new Course(seen(0, 3, 3, 8), 0, seen(1, 50, 50, 58), start, end, false);
  }

  @ParameterizedTest(name = "{0} at start, {1} at end, {2} accepted, {3} probes: {5}")
  @CsvSource({
    // Kernel and server at the start; at the end; accepted; probes of the tool; established, and the reasons.
    "103/103, 103/103, 108, 0, 100, ''",
    "103/103, 103/103, 109, 1, 100, ''",
    // The tool opened two more than it was asked for.
    "105/105, 105/105, 110, 0, 102, ''",
    // The kernel counts what the server has not accepted.
    "103/13, 103/13, 18, 0, 10, connections-missing",
    // The server counts what the client has given up.
    "43/103, 43/103, 108, 0, 40, connections-missing",
    "103/103, 63/63, 108, 0, 100, connections-lost",
    "103/103, 103/103, 130, 0, 100, connections-lost",
    "103/103, 3/3, 130, 0, 100, connections-lost connections-lost",
  })
  void whatIsHeldFromBeginningToEndIsCounted(
      String start, String end, int accepted, int probes, int established, String reasons) {
    Course course = course(counted(1, start, accepted), counted(2, end, accepted));
    assertThat(course.established()).isEqualTo(established);
    List<Reason> doubts = OwnCount.doubts(course, 100, probes, false);
    assertThat(String.join(" ", doubts.stream().map(d -> d.reason().id()).toList())).isEqualTo(reasons);
  }

  private static Sighting counted(int second, String kernelAndServer, int accepted) {
    String[] counts = kernelAndServer.split("/", -1);
    return seen(second, Integer.valueOf(counts[0]), Integer.valueOf(counts[1]), accepted);
  }

  @Test
  void theLostAreThoseGoneAndThoseReplaced() {
    Course course = course(seen(1, 103, 103, 108), seen(2, 93, 93, 120));
    assertThat(course.gone()).isEqualTo(10);
    // 112 accepted of which 90 are open and 10 are gone: 12 came in the place of others.
    assertThat(course.replaced()).isEqualTo(12);
    assertThat(OwnCount.lost(course, 0, false)).isEqualTo(22);
    assertThat(OwnCount.lost(course, 0, true)).isEqualTo(10);
  }

  @Test
  void oneOfTwoCountsIsEnough() {
    assertThat(course(seen(1, 103, null, null), seen(2, 103, null, null)).established()).isEqualTo(100);
    assertThat(course(seen(1, null, 103, 108), seen(2, null, 103, 108)).established()).isEqualTo(100);
    assertThat(course(seen(1, 103, null, null), seen(2, 103, null, null)).replaced()).isNull();
    assertThat(OwnCount.doubts(course(seen(1, 103, null, null), seen(2, 103, null, null)), 100, 0, false)).isEmpty();
  }

  @Test
  void aLoadThatNeverGotSteadyShowsWhatItHad() {
    Course course = course(null, null);
    assertThat(course.established()).isEqualTo(47);
    assertThat(course.steadySeconds()).isZero();
    assertThat(course.rampSeconds()).isEqualTo(1);
    assertThat(OwnCount.doubts(course, 100, 0, false))
        .containsExactly(
            new Reason(ReasonCode.CONNECTIONS_MISSING, "47 of 100 connections were held before the tool ended"));
  }

  @Test
  void aPageThatFallsSilentIsToldOf() {
    Course course = course(seen(1, 103, 103, 108), seen(2, 103, null, null));
    assertThat(OwnCount.doubts(course, 100, 0, false))
        .extracting(Reason::reason)
        .containsExactly(ReasonCode.METRICS_UNREACHABLE);
    Course gone = new Course(course.before(), 0, course.rampEnd(), course.start(), course.end(), true);
    assertThat(OwnCount.doubts(gone, 100, 0, false)).extracting(Reason::reason).containsExactly(ReasonCode.SERVER_DIED);
  }
}
