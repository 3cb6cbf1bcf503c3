package echoladder.harness.engine;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.figures.Crowd;
import echoladder.client.figures.Deliveries;
import echoladder.client.figures.Handshakes;
import echoladder.client.figures.Percentiles;
import echoladder.client.figures.SlowReaderFigures;
import echoladder.harness.Results;
import echoladder.harness.Rungs;
import echoladder.harness.lab.LabMark;
import echoladder.harness.metric.Figures;
import echoladder.harness.results.RungRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a run prints when a rung is over has the time that may be quoted. */
class RungSentenceTest {
  private static String said(@Nullable LabMark lab) {
    RungRecord record = Rungs.measured(new RungRecord.Planned("fake", 10, 1, 5_000, null), Results.good(10), Figures.NONE);
    return new RungSentence(1, lab).of(record);
  }

  private static LabMark claiming(String... claims) {
    return new LabMark("a-lab", "6.1", 1, List.of(claims), List.of("times", "cpu"));
  }

  @Test
  void outsideOfALabThatIsTheP99() {
    assertThat(said(null)).startsWith("fake  10: valid, response p99 ").contains("server 40.0 µs CPU per echo");
  }

  @Test
  void ofAPushThatIsHowLongUntilEverybodyHasIt() {
    assertThat(new RungSentence(1, null).of(pushed(Results.TIMES)))
        .isEqualTo("fake  10: valid, delivery p99 1.23 ms, last p50 142 µs, server 40.0 µs CPU per delivery");
  }

  @Test
  void ofFewPublishesThereIsNoLast() {
    Percentiles none = new Percentiles(null, null, null, null, null, 7_000_000L);
    assertThat(new RungSentence(1, null).of(pushed(none))).contains("too few messages for last p50, server 40.0 µs CPU per delivery");
  }

  private static RungRecord pushed(Percentiles last) {
    Deliveries deliveries = new Deliveries(900L, 9_000L, 9_000L, 0L, 0L, 0L, 0L, 0L, Results.TIMES, Results.TIMES, last);
    Crowd crowd =
        new Crowd(
            null, Percentiles.NONE, Percentiles.NONE, Percentiles.NONE, null, null, Percentiles.NONE, Crowd.Reconnects.NONE, deliveries,
            SlowReaderFigures.NONE, Handshakes.NONE);
    return Rungs.measured(new RungRecord.Planned("fake", 10, 1, 5_000, null), Results.with(crowd, Results.good(10)), Figures.NONE);
  }

  @Test
  void inALabItIsNone() {
    assertThat(said(claiming("memory"))).isEqualTo("fake  10: valid; its times and CPU are not to be quoted, as it was made in a lab");
  }

  @Test
  void overANetworkInALabItIsTheMedian() {
    assertThat(said(claiming("memory", "network_times")))
        .isEqualTo("fake  10: valid, response p50 142 µs; only a p50 of 10.0 ms and more is to be quoted, as it was made in a lab");
  }
}
