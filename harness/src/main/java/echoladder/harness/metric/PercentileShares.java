package echoladder.harness.metric;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** A share for each percentile of the response time that is one of many messages: not of the maximum. */
record PercentileShares(Map<Percentile, Metric> figures) {
  /** Adds a row for each, in their order. */
  static PercentileShares of(Function<Percentile, Metric> row) {
    Map<Percentile, Metric> figures = new EnumMap<>(Percentile.class);
    for (Percentile at : Percentile.values()) {
      if (at != Percentile.MAX) {
        figures.put(at, row.apply(at));
      }
    }
    return new PercentileShares(figures);
  }

  Metric at(Percentile percentile) {
    return Objects.requireNonNull(figures.get(percentile));
  }
}
