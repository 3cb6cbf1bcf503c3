package echoladder.harness.metric;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadResult;
import echoladder.harness.Results;
import echoladder.harness.probe.Figure;
import echoladder.harness.probe.Reading;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What a server holds for connections that do not read, from readings made by hand. */
class SlowReaderMetricsTest {
  private static final long MIB = 1 << 20;

  /** Ten are slow, {@code open} of them to the end. At the client's ends 5 MiB wait. */
  private static LoadResult load(@Nullable Long open) {
    ObjectNode json = JsonMapper.shared().valueToTree(Results.good(100));
    if (open != null) {
      json.put("slow_readers", 10).put("slow_readers_ended", 10 - open).put("slow_readers_open", open)
          .put("slow_readers_client_bytes", 5 * MIB);
    }
    return JsonMapper.shared().treeToValue(json, LoadResult.class);
  }

  private static Reading reading(long ns, long rssBytes, long queueBytes) {
    Reading reading = new Reading(ns);
    reading.put(Figure.SERVER_RSS_BYTES, rssBytes);
    reading.put(Figure.TCP_BUFFERS_BYTES, queueBytes);
    return reading;
  }

  /** RSS grows from 100 to 130 MiB, and the queues from 1 to 46 MiB. */
  private static Figures figures(LoadResult load, boolean elsewhere, boolean clientsAfar) {
    Reading start = reading(1, 100 * MIB, MIB);
    Reading end = reading(2, 130 * MIB, 46 * MIB);
    return Figures.measured(
        new RungReadings(reading(0, 50 * MIB, 0), start, end, null, load, false, elsewhere, true, null, null, clientsAfar));
  }

  @Test
  void whatIsHeldIsTheGrowthWithoutTheClientsEndOverThoseStillOpen() {
    Figures figures = figures(load(10L), false, false);
    assertThat(figures.value(SlowReaderMetrics.RSS_GROWN)).isEqualTo(30.0 * MIB);
    assertThat(figures.value(SlowReaderMetrics.BUFFERS_GROWN)).isEqualTo(45.0 * MIB);
    // (30 + 45 - 5) / 10, and (1,024 - 100) / 7.
    assertThat(figures.value(SlowReaderMetrics.HELD)).isEqualTo(7.0 * MIB);
    assertThat(figures.value(SlowReaderMetrics.IN_GIB)).isEqualTo(132);
  }

  /** The clients' queues are not in the reading of another host. */
  @Test
  void clientsOnOtherHostsAreNotTakenOff() {
    assertThat(figures(load(10L), false, true).value(SlowReaderMetrics.HELD)).isEqualTo(7.5 * MIB);
  }

  @Test
  void nobodyKnowsWhatIsHeldForNobodyOrOnAnotherHost() {
    assertThat(figures(load(0L), false, false).value(SlowReaderMetrics.HELD)).isNull();
    assertThat(figures(load(0L), false, false).value(SlowReaderMetrics.IN_GIB)).isNull();
    assertThat(figures(load(10L), true, false).value(SlowReaderMetrics.HELD)).isNull();
  }

  @Test
  void whereAllReadThereIsNoSuchFigure() {
    Figures figures = figures(load(null), false, false);
    assertThat(figures.value(SlowReaderMetrics.RSS_GROWN)).isNull();
    assertThat(figures.value(SlowReaderMetrics.BUFFERS_GROWN)).isNull();
    assertThat(figures.value(SlowReaderMetrics.HELD)).isNull();
  }
}
