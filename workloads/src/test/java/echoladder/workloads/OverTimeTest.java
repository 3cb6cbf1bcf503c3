package echoladder.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class OverTimeTest {
  @Test
  void pointsAreEvenHoweverLongItTakes() {
    OverTime overTime = new OverTime();
    for (long ms = 0; ms < 200_000; ms += 20) {
      overTime.add(ms, ms * 10, ms / 1_000);
    }
    Map<String, long[]> points = overTime.points();
    long[] time = Objects.requireNonNull(points.get("time_ms"));
    long[] rss = Objects.requireNonNull(points.get("rss_bytes"));
    assertThat(time).hasSizeBetween(300, 600).hasSameSizeAs(rss).isSorted();
    assertThat(time[0]).isZero();
    assertThat(time[time.length - 1]).isGreaterThan(199_000);
    for (int i = 0; i < time.length; i++) {
      assertThat(rss[i]).isEqualTo(time[i] * 10);
    }
  }
}
