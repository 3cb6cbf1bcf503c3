package echoladder.harness.published;

import echoladder.client.LoadResult;
import echoladder.client.figures.Percentiles;
import echoladder.harness.results.IntervalLines;
import echoladder.harness.results.PlainFiles;
import echoladder.harness.results.RungRecord;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The percentiles of a rung, computed again from its interval log: histograms add up. */
final class LogTimes {
  private LogTimes() {}

  /** The first percentile that the log does not give as the rung has it, in words; empty where all are the same. */
  static Optional<String> difference(PlainFiles files, RungRecord rung) {
    LoadResult load = rung.load();
    if (load == null || rung.histograms() == null) {
      return Optional.empty();
    }
    Map<String, Histogram> sums = new HashMap<>();
    try (IntervalLines log = IntervalLines.open(files, rung.histograms())) {
      for (Histogram next = log.next(); next != null; next = log.next()) {
        sums.merge(String.valueOf(next.getTag()), IntervalLines.sum(null, next), IntervalLines::sum);
      }
      if (log.damage() != null) {
        return Optional.of(Objects.requireNonNull(log.damage()));
      }
    } catch (IOException e) {
      return Optional.of("it cannot be read (" + e.getMessage() + ")");
    }
    LoadResult.Times times = load.times();
    Map<String, Percentiles> recorded = new LinkedHashMap<>();
    recorded.put("response", times.response());
    recorded.put("service", times.service());
    recorded.put("server-time", times.server());
    recorded.put("send-lateness", times.sendLateness());
    recorded.put("receive-delay", times.receiveDelay());
    recorded.put("connect", times.connect());
    recorded.put("first-echo", times.firstEcho());
    return recorded.entrySet().stream()
        // Logs that were published before the first echo was kept have none of it.
        .filter(kind -> !kind.getKey().equals("first-echo") || sums.containsKey("first-echo"))
        .flatMap(kind -> difference(kind.getKey(), sums, kind.getValue()).stream())
        .findFirst();
  }

  private static String told(String kind) {
    return kind.contains("-") ? kind.replace('-', ' ') : kind + " time";
  }

  private static Optional<String> difference(String kind, Map<String, Histogram> sums, Percentiles recorded) {
    Map<String, @Nullable Long> has = new LinkedHashMap<>();
    has.put("50", recorded.p50Ns());
    has.put("90", recorded.p90Ns());
    has.put("99", recorded.p99Ns());
    has.put("99.9", recorded.p999Ns());
    has.put("99.99", recorded.p9999Ns());
    has.put("100", recorded.maxNs());
    Histogram times = sums.get(kind);
    for (Map.Entry<String, @Nullable Long> one : has.entrySet()) {
      Long ns = one.getValue();
      Long gives = times == null ? null : (Long) times.getValueAtPercentile(Double.parseDouble(one.getKey()));
      if (ns != null && !ns.equals(gives)) {
        return Optional.of(
            "it gives %s as the percentile %s of %s, and run.json has %,d ns"
                .formatted(gives == null ? "nothing" : "%,d ns".formatted(gives), one.getKey(), told(kind), ns));
      }
    }
    return Optional.empty();
  }
}
