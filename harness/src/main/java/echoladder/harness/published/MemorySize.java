package echoladder.harness.published;

import echoladder.harness.common.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Memory at the server's end for a number of connections, from one published run.
 *
 * @param processBytes RSS: before the first connection, and what it grew by
 * @param kernelBytes null = that run does not say
 * @param from the rungs that it comes from: one, or the two that the number lies between
 * @param how which of these it is, in words
 */
record MemorySize(double processBytes, @Nullable Double kernelBytes, List<Point> from, String how) {

  /** Process and kernel; null where one of them is not known. */
  @Nullable Double bytes() {
    return kernelBytes == null ? null : (Double) (processBytes + kernelBytes);
  }

  /**
   * Of one server: by the run whose rungs lie closest around that many connections. Of runs that are equally close, one on a host
   * comes before one in a lab, then the one with the fewest options, then the latest.
   *
   * @param points of that server
   * @return empty where no run held as many
   */
  static Optional<MemorySize> of(List<Point> points, long connections) {
    return bySeries(points).stream()
        .map(series -> bracket(series, connections))
        .flatMap(Optional::stream)
        .min(
            Comparator.comparingDouble((MemorySize size) -> size.width(connections))
                .thenComparingInt(size -> size.kernelBytes == null ? 1 : 0)
                .thenComparingInt(size -> size.from.getFirst().place().equals(Point.LAB) ? 1 : 0)
                .thenComparingInt(size -> size.from.getFirst().options().size())
                .thenComparing(size -> size.from.getFirst().runId(), Comparator.reverseOrder()));
  }

  /** The most connections that a point knows the memory of; 0 = none does. */
  static int most(List<Point> points) {
    return points.stream().filter(Point::hasMemory).mapToInt(Point::connections).max().orElse(0);
  }

  /** 1 where it was measured with that many connections, and more the farther away its points lie. */
  private double width(long connections) {
    return (double) Math.max(connections, from.getLast().connections()) / Math.min(connections, from.getFirst().connections());
  }

  /** The points of each run, server and options by connections; where several rates have a point, the one that takes most. */
  private static List<NavigableMap<Integer, Point>> bySeries(List<Point> points) {
    Map<String, List<Point>> series =
        points.stream().filter(Point::hasMemory).collect(Collectors.groupingBy(p -> p.run() + p.optionsText() + p.place()));
    List<NavigableMap<Integer, Point>> all = new ArrayList<>();
    series.values().forEach(
        of -> {
          NavigableMap<Integer, Point> byConnections = new TreeMap<>();
          of.forEach(p -> byConnections.merge(p.connections(), p, (a, b) -> process(a) >= process(b) ? a : b));
          all.add(byConnections);
        });
    return all;
  }

  private static Optional<MemorySize> bracket(NavigableMap<Integer, Point> series, long connections) {
    if (connections > series.lastKey()) {
      return Optional.empty();
    }
    int n = (int) connections;
    Map.Entry<Integer, Point> low = series.floorEntry(n);
    Point high = series.ceilingEntry(n).getValue();
    if (low == null) {
      double share = (double) n / high.connections();
      Double kernel = kernel(high);
      return Optional.of(
          new MemorySize(
              ready(high) + grown(high) * share, kernel == null ? null : (Double) (kernel * share), List.of(high),
              "each as at " + Units.count(high.connections())));
    }
    Point below = low.getValue();
    if (below.connections() == n) {
      return Optional.of(new MemorySize(process(below), kernel(below), List.of(below), "measured there"));
    }
    Double kernel = kernel(below) == null || kernel(high) == null ? null : (Double) between(n, below, high, p -> kernel(p));
    return Optional.of(
        new MemorySize(
            between(n, below, high, MemorySize::process), kernel, List.of(below, high),
            "between %s and %s".formatted(Units.count(below.connections()), Units.count(high.connections()))));
  }

  private static double between(int n, Point low, Point high, Function<Point, @Nullable Double> bytes) {
    double share = (double) (n - low.connections()) / (high.connections() - low.connections());
    return number(bytes.apply(low)) * (1 - share) + number(bytes.apply(high)) * share;
  }

  private static double ready(Point point) {
    return number(point.memory().atReadyBytes());
  }

  private static double grown(Point point) {
    return number(point.memory().rssEachBytes()) * point.connections();
  }

  private static double process(Point point) {
    return ready(point) + grown(point);
  }

  private static @Nullable Double kernel(Point point) {
    Double each = point.memory().kernelEachBytes();
    return each == null ? null : (Double) (each * point.connections());
  }

  private static double number(@Nullable Double value) {
    if (value == null) {
      throw new IllegalStateException("a point without memory");
    }
    return value;
  }
}
