package echoladder.harness.published;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Cores that a server takes for a rate, from one published run: CPU per echo times the rate. CPU per echo falls as the rate grows, so the
 * range is that of the repeats at the two measured rates around it. There is no answer beyond the highest measured rate, and none
 * for more connections than had it.
 *
 * @param least cores; null = the rate, or the connections, are more than were measured
 * @param most cores; null likewise
 * @param low the point of the next measured rate that is not higher; the highest rate where there is no answer
 * @param high the next one that is not lower; null = there is no answer
 */
record CoreSize(@Nullable Double least, @Nullable Double most, Point low, @Nullable Point high) {
  private static final double US_PER_S = 1e6;

  /**
   * For each placement that was measured: from the connections closest to those asked for, among runs that have rates
   * around the one asked for with as many connections or more. Of runs as close, the one with more repeats, then the latest.
   *
   * @param points of one server
   */
  static List<CoreSize> of(List<Point> points, long connections, double ratePerS) {
    Map<String, List<Point>> places = points.stream().filter(Point::hasCpu)
        .collect(Collectors.groupingBy(Point::place, TreeMap::new, Collectors.toList()));
    return places.values().stream().map(at -> atPlace(at, connections, ratePerS)).flatMap(Optional::stream).toList();
  }

  private static Optional<CoreSize> atPlace(List<Point> points, long connections, double ratePerS) {
    Map<String, NavigableMap<Double, Point>> series = new TreeMap<>();
    for (Point point : points) {
      series.computeIfAbsent(point.run() + point.optionsText() + " " + point.connections(), _ -> new TreeMap<>())
          .put(point.ratePerS(), point);
    }
    return series.values().stream()
        .map(rates -> of(rates, connections, ratePerS))
        .min(
            Comparator.<CoreSize>comparingInt(size -> size.known() ? 0 : 1)
                .thenComparingInt(size -> size.low().options().size())
                .thenComparingDouble(size -> Math.abs(Math.log((double) connections / size.low.connections())))
                .thenComparingDouble(size -> size.high == null ? -size.low.ratePerS() : size.high.ratePerS() / size.low.ratePerS())
                .thenComparingInt(size -> -size.repeats())
                .thenComparing(size -> size.low.runId(), Comparator.reverseOrder()));
  }

  /** Of the point with fewer. */
  private int repeats() {
    return high == null ? low.rungs() : Math.min(low.rungs(), high.rungs());
  }

  /** Whether there is an answer. */
  boolean known() {
    return high != null;
  }

  private static CoreSize of(NavigableMap<Double, Point> rates, long connections, double ratePerS) {
    Map.Entry<Double, Point> above = rates.ceilingEntry(ratePerS);
    Map.Entry<Double, Point> below = rates.floorEntry(ratePerS);
    Point highest = rates.lastEntry().getValue();
    if (above == null || connections > highest.connections()) {
      return new CoreSize(null, null, highest, null);
    }
    Point high = above.getValue();
    // Below the lowest rate an echo costs at least as much as there, and how much more nobody measured: that rate is the bound.
    Point low = below == null ? high : below.getValue();
    double perS = Math.max(ratePerS, low.ratePerS());
    return new CoreSize(
        perS * Math.min(us(low.cpu().least()), us(high.cpu().least())) / US_PER_S,
        perS * Math.max(us(low.cpu().most()), us(high.cpu().most())) / US_PER_S,
        low,
        high);
  }

  private static double us(@Nullable Double value) {
    if (value == null) {
      throw new IllegalStateException("a point without CPU");
    }
    return value;
  }
}
