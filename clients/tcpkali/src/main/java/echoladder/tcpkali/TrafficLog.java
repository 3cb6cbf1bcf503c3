package echoladder.tcpkali;

import java.util.ArrayList;
import java.util.List;

/** What went over tcpkali's connections, about four times a second. One thread; times are CLOCK_MONOTONIC. */
final class TrafficLog {
  private record Point(long ns, long sentBytes, long receivedBytes, long opened) {}

  private final List<Point> points = new ArrayList<>();

  /** Starts at zero bytes. */
  TrafficLog(long startNs) {
    points.add(new Point(startNs, 0, 0, 0));
  }

  void add(long ns, Statsd.Traffic traffic) {
    Point last = points.getLast();
    points.add(
        new Point(
            Math.max(ns, last.ns),
            last.sentBytes + traffic.sentBytes(),
            last.receivedBytes + traffic.receivedBytes(),
            last.opened + traffic.opened()));
  }

  long sentBytes() {
    return points.getLast().sentBytes;
  }

  long receivedBytes() {
    return points.getLast().receivedBytes;
  }

  /** Bytes sent between two moments; those within a quarter of a second are spread evenly over it. */
  double sentBytes(long fromNs, long toNs) {
    return at(toNs, true) - at(fromNs, true);
  }

  double receivedBytes(long fromNs, long toNs) {
    return at(toNs, false) - at(fromNs, false);
  }

  private double at(long ns, boolean sent) {
    for (int i = points.size() - 1; i >= 0; i--) {
      Point left = points.get(i);
      if (left.ns <= ns) {
        double from = sent ? left.sentBytes : left.receivedBytes;
        if (i == points.size() - 1) {
          return from;
        }
        Point right = points.get(i + 1);
        double to = sent ? right.sentBytes : right.receivedBytes;
        return from + (to - from) * (ns - left.ns) / Math.max(1, right.ns - left.ns);
      }
    }
    return 0;
  }

  /** Half of the points within a span had more bytes under way (sent, not received) than this; 0 without points. */
  long medianInFlightBytes(long fromNs, long toNs) {
    long[] inFlight =
        points.stream()
            .filter(p -> p.ns >= fromNs && p.ns <= toNs)
            .mapToLong(p -> p.sentBytes - p.receivedBytes)
            .sorted()
            .toArray();
    return inFlight.length == 0 ? 0 : inFlight[inFlight.length / 2];
  }

  /** Bytes under way at a moment. */
  long inFlightBytes(long ns) {
    return Math.round(at(ns, true) - at(ns, false));
  }

  /**
   * By how many seconds the sends fell behind their schedule at the most, between two moments: the largest amount that
   * any span in between lacks, in seconds of schedule.
   *
   * @param bytesPerSecond of the schedule
   */
  double worstBacklogSeconds(long fromNs, long toNs, double bytesPerSecond) {
    double best = Double.NEGATIVE_INFINITY;
    double worst = 0;
    for (Point p : points) {
      if (p.ns >= fromNs && p.ns <= toNs) {
        double ahead = p.sentBytes - bytesPerSecond * (p.ns - fromNs) / 1e9;
        best = Math.max(best, ahead);
        worst = Math.max(worst, best - ahead);
      }
    }
    return bytesPerSecond == 0 ? 0 : worst / bytesPerSecond;
  }
}
