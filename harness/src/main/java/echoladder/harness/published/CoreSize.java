package echoladder.harness.published;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Cores that a server takes for a rate, from one published run: CPU per echo times the rate. CPU per echo falls as the rate grows, so the
 * range is that of the repeats at the two measured rates around it. Below the lowest measured rate an echo costs at least what it costs
 * there, and all of them take no more cores than that rate. There is no answer beyond the highest measured rate, and none for more
 * connections than had it.
 *
 * @param least cores; null = the rate, or the connections, are more than were measured
 * @param most cores; null likewise
 * @param low the point of the next measured rate that is not higher; where there is none, the same as {@code high}; where there is no
 *     answer, the measured point that is closest to the rate and the connections
 * @param high the next one that is not lower; null = there is no answer
 */
record CoreSize(@Nullable Double least, @Nullable Double most, Point low, @Nullable Point high) {
  private static final double US_PER_S = 1e6;

  /**
   * For each placement that was measured: from a run that has rates around the one asked for with as many connections or more. Of
   * several, one of the server as it comes, or with the fewest options; then one that does not have to guess below its lowest rate;
   * then the closest to what is asked; then the one with more repeats; then the latest.
   *
   * @param points of one server and one size of message
   */
  static List<CoreSize> of(List<Point> points, long connections, double ratePerS) {
    Map<String, List<Point>> places = points.stream().filter(Point::hasCpu)
        .collect(Collectors.groupingBy(Point::place, TreeMap::new, Collectors.toList()));
    return places.values().stream().map(at -> atPlace(at, connections, ratePerS)).toList();
  }

  private static CoreSize atPlace(List<Point> points, long connections, double ratePerS) {
    Map<String, NavigableMap<Double, Point>> series = new TreeMap<>();
    for (Point point : points) {
      series.computeIfAbsent(point.series() + " " + point.connections(), _ -> new TreeMap<>()).put(point.ratePerS(), point);
    }
    return series.values().stream()
        .filter(rates -> ratePerS <= rates.lastKey() && connections <= rates.lastEntry().getValue().connections())
        .map(rates -> of(rates, ratePerS))
        .min(
            Comparator.<CoreSize>comparingInt(size -> size.low.options().size())
                .thenComparing(size -> !size.closeness(connections, ratePerS).within())
                .thenComparing(size -> size.closeness(connections, ratePerS))
                .thenComparingInt(size -> -size.repeats())
                .thenComparing(size -> size.low.runId(), Comparator.reverseOrder()))
        .orElseGet(() -> new CoreSize(null, null, closest(points, connections, ratePerS), null));
  }

  /** Points that give no answer. */
  private static Point closest(Collection<Point> points, long connections, double ratePerS) {
    return points.stream()
        .min(
            Comparator.<Point>comparingInt(point -> point.options().size())
                .thenComparingDouble(point -> apart((double) connections, point.connections()) * apart(ratePerS, point.ratePerS()))
                .thenComparingInt(point -> -point.rungs())
                .thenComparing(Point::runId, Comparator.reverseOrder()))
        .orElseThrow();
  }

  private static double apart(double a, double b) {
    return Math.max(a, b) / Math.min(a, b);
  }

  private Closeness closeness(long connections, double ratePerS) {
    Point above = high == null ? low : high;
    return Closeness.of(ratePerS, low.ratePerS(), above.ratePerS()).times(apart((double) connections, low.connections()));
  }

  /** Repeats of the measured rate that has fewer. */
  private int repeats() {
    return high == null ? low.rungs() : Math.min(low.rungs(), high.rungs());
  }

  /** Whether there is an answer. */
  boolean known() {
    return high != null;
  }

  private static CoreSize of(NavigableMap<Double, Point> rates, double ratePerS) {
    Point high = rates.ceilingEntry(ratePerS).getValue();
    Map.Entry<Double, Point> below = rates.floorEntry(ratePerS);
    Point low = below == null ? high : below.getValue();
    double mostPerS = Math.max(ratePerS, low.ratePerS());
    return new CoreSize(
        ratePerS * Math.min(us(low.cpu().least()), us(high.cpu().least())) / US_PER_S,
        mostPerS * Math.max(us(low.cpu().most()), us(high.cpu().most())) / US_PER_S,
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
