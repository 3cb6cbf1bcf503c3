package echoladder.workloads;

import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.AbstractHistogram;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** What a workload found, under names that end in their unit; one line of JSON in the end. Any thread. */
final class Figures {
  private static final double[] PERCENTILES = {50, 90, 99, 99.9};
  private static final String[] NAMES = {"p50", "p90", "p99", "p999"};

  /** A percentile needs as many samples beyond it. */
  private static final int BEYOND = 20;

  private final Map<String, @Nullable Object> values = new LinkedHashMap<>();
  private final JsonMapper json = JsonMapper.shared();

  synchronized Figures put(String name, @Nullable Object value) {
    values.put(name, value);
    return this;
  }

  /** Null where it was not put, or was null. */
  synchronized @Nullable Object get(String name) {
    return values.get(name);
  }

  /** Times as {@code name_p50_ns} and so on; a percentile with too few samples beyond it is null. */
  synchronized Figures times(String name, Times recorded) {
    AbstractHistogram times = recorded.histogram();
    long count = times.getTotalCount();
    values.put(name + "_count", count);
    values.put(name + "_mean_ns", count == 0 ? null : (Long) Math.round(times.getMean()));
    for (int i = 0; i < PERCENTILES.length; i++) {
      boolean given = count * (1 - PERCENTILES[i] / 100) >= BEYOND;
      values.put(name + "_" + NAMES[i] + "_ns", given ? (Long) times.getValueAtPercentile(PERCENTILES[i]) : null);
    }
    values.put(name + "_max_ns", count == 0 ? null : (Long) times.getMaxValue());
    return this;
  }

  /** Memory as it is now, after a forced collection, as {@code rss_settled_bytes} and {@code heap_live_bytes}. */
  Figures settled() {
    Settled now = Settled.now();
    return put("heap_live_bytes", now.heapBytes())
        .put("rss_settled_bytes", now.rssBytes())
        .put("reserved_settled_bytes", now.reservedBytes())
        .put("os_threads_settled", now.osThreads());
  }

  /** One line. */
  synchronized String line() {
    return json.writeValueAsString(values);
  }
}
