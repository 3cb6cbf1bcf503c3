package echoladder.servers.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class HiccupMeterTest {
  private final Histogram overruns =
      Histogram.builder().name("a").classicOnly().classicUpperBounds(0.01, 0.02, 0.03, 0.04).build();

  private HistogramDataPointSnapshot recorded() {
    return overruns.collect().getDataPoints().getFirst();
  }

  @Test
  void aLongHiccupIsWhatManySleepersWouldHaveSeen() {
    new HiccupMeter(overruns).overslept(35_000_000);
    assertThat(recorded().getClassicBuckets().stream().map(bucket -> bucket.getCount())).containsExactly(1L, 1L, 1L, 1L, 0L);
    assertThat(recorded().getSum()).isCloseTo(35e-3 + 25e-3 + 15e-3 + 5e-3, offset(1e-9));
  }

  @Test
  void aShortOneAndAnEarlyWakeUpAreOneEach() {
    HiccupMeter meter = new HiccupMeter(overruns);
    meter.overslept(60_000);
    meter.overslept(-1);
    assertThat(recorded().getCount()).isEqualTo(2);
    assertThat(recorded().getSum()).isCloseTo(6e-5, offset(1e-9));
  }

  @Test
  void oneOfDaysIsRecordedSoon() {
    new HiccupMeter(overruns).overslept(Duration.ofDays(3).toNanos());
    assertThat(recorded().getCount()).isEqualTo(10_000);
  }

  @Test
  void itsFiguresAreInTheRegistryWithItsOwnCpu() {
    PrometheusRegistry registry = new PrometheusRegistry();
    HiccupMeter.start(registry);
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> count(registry) > 100 && cpuSeconds(registry) > 0);
    HistogramSnapshot histogram = (HistogramSnapshot) only(registry, "echo_hiccup_seconds");
    double[] bounds =
        histogram.getDataPoints().getFirst().getClassicBuckets().stream().mapToDouble(b -> b.getUpperBound()).toArray();
    assertThat(bounds).hasSize(62).startsWith(0.0001, 0.000125).endsWith(80, 100, Double.POSITIVE_INFINITY);
  }

  private static long count(PrometheusRegistry registry) {
    return ((HistogramSnapshot) only(registry, "echo_hiccup_seconds")).getDataPoints().getFirst().getCount();
  }

  private static double cpuSeconds(PrometheusRegistry registry) {
    return ((CounterSnapshot) only(registry, "echo_hiccup_cpu")).getDataPoints().getFirst().getValue();
  }

  private static MetricSnapshot only(PrometheusRegistry registry, String prefix) {
    return registry.scrape(name -> name.startsWith(prefix)).stream().findFirst().orElseThrow();
  }
}
