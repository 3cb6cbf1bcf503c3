package echoladder.harness.published;

import echoladder.harness.common.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
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
   * The memory of one server. A run that says both parts comes first, then one of the server as it comes, or with the fewest options,
   * then one on a host before one in a lab, then the one whose rungs are closest to that many connections, then the one with more
   * repeats, then the latest. More connections never take less by one run.
   *
   * @param points of that server and one size of message
   * @return empty where no run held as many
   */
  static Optional<MemorySize> of(List<Point> points, long connections) {
    return bySeries(points).stream()
        .map(series -> bracket(series, connections))
        .flatMap(Optional::stream)
        .min(
            Comparator.comparingInt((MemorySize size) -> size.kernelBytes == null ? 1 : 0)
                .thenComparingInt(size -> size.from.getFirst().options().size())
                .thenComparingInt(size -> size.from.getFirst().place().equals(Point.LAB) ? 1 : 0)
                .thenComparing(size -> size.closeness(connections))
                .thenComparingInt(size -> -size.from.getLast().rungs())
                .thenComparing(size -> size.from.getFirst().runId(), Comparator.reverseOrder()));
  }

  /**
   * What a run measured with fewer connections and found to take more than this: another source, whose kernel or settings are others.
   * Where several did, the one that took most counts. Servers with more options do not count.
   */
  Optional<MemorySize> larger(List<Point> points, long connections) {
    Double own = bytes();
    return bySeries(points).stream()
        .flatMap(series -> series.headMap((int) Math.min(Integer.MAX_VALUE, connections), false).values().stream())
        .filter(rung -> rung.point.options().size() <= from.getFirst().options().size())
        .map(rung -> new MemorySize(rung.process, rung.kernel(), List.of(rung.point), "measured there"))
        .filter(size -> size.bytes() != null && own != null && number(size.bytes()) > own)
        .max(Comparator.comparingDouble(size -> number(size.bytes())));
  }

  /** The most connections that a point knows the memory of; 0 = none does. */
  static int most(List<Point> points) {
    return points.stream().filter(Point::hasMemory).mapToInt(Point::connections).max().orElse(0);
  }

  private Closeness closeness(long connections) {
    return Closeness.of((double) connections, from.getFirst().connections(), from.getLast().connections());
  }

  /**
   * The rungs of each run, server, options and size of message by connections. Where several rates have a rung, the one that takes most
   * counts; where a rung of fewer connections took more, the process counts as that large.
   */
  private static List<NavigableMap<Integer, Rung>> bySeries(List<Point> points) {
    Map<String, List<Point>> series = points.stream().filter(Point::hasMemory).collect(Collectors.groupingBy(Point::series));
    List<NavigableMap<Integer, Rung>> all = new ArrayList<>();
    series.values().forEach(
        of -> {
          NavigableMap<Integer, Point> byConnections = new TreeMap<>();
          of.forEach(p -> byConnections.merge(p.connections(), p, (a, b) -> process(a) >= process(b) ? a : b));
          NavigableMap<Integer, Rung> rungs = new TreeMap<>();
          double most = 0;
          for (Point point : byConnections.values()) {
            most = Math.max(most, process(point));
            rungs.put(point.connections(), new Rung(point, most));
          }
          all.add(rungs);
        });
    return all;
  }

  /**
   * One rung of a run.
   *
   * @param process bytes that its process took, or that of a rung with fewer connections if that took more
   */
  private record Rung(Point point, double process) {
    @Nullable Double kernel() {
      Double each = point.memory().kernelEachBytes();
      return each == null ? null : (Double) (each * point.connections());
    }
  }

  private static Optional<MemorySize> bracket(NavigableMap<Integer, Rung> series, long connections) {
    if (connections > series.lastKey()) {
      return Optional.empty();
    }
    int n = (int) connections;
    Map.Entry<Integer, Rung> low = series.floorEntry(n);
    Rung high = series.ceilingEntry(n).getValue();
    if (low == null) {
      double share = (double) n / high.point.connections();
      Double kernel = high.kernel();
      return Optional.of(
          new MemorySize(
              ready(high.point) + grown(high.point) * share, kernel == null ? null : (Double) (kernel * share), List.of(high.point),
              "each as at " + Units.count(high.point.connections())));
    }
    Rung below = low.getValue();
    if (below.point.connections() == n) {
      return Optional.of(new MemorySize(below.process, below.kernel(), List.of(below.point), "measured there"));
    }
    Double kernel =
        below.kernel() == null || high.kernel() == null ? null : (Double) between(n, below, high, rung -> number(rung.kernel()));
    return Optional.of(
        new MemorySize(
            between(n, below, high, Rung::process), kernel, List.of(below.point, high.point),
            "between %s and %s".formatted(Units.count(below.point.connections()), Units.count(high.point.connections()))));
  }

  private static double between(int n, Rung low, Rung high, ToDoubleFunction<Rung> bytes) {
    double share = (double) (n - low.point.connections()) / (high.point.connections() - low.point.connections());
    return bytes.applyAsDouble(low) * (1 - share) + bytes.applyAsDouble(high) * share;
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

  private static double number(@Nullable Double value) {
    if (value == null) {
      throw new IllegalStateException("a point without memory");
    }
    return value;
  }
}
