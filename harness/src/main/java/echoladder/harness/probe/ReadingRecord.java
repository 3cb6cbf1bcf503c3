package echoladder.harness.probe;

import echoladder.harness.common.HostCpu;
import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A reading as one host tells it to another, with what the server's page said of itself. Its times are of the host that took it.
 *
 * @param monotonicNs CLOCK_MONOTONIC when it was taken
 * @param cpuReadNs when the last CPU time of it was read
 * @param processors CPU of each by its number
 * @param hiccups of the server: how many were no longer than so many seconds; null = it has no such meter
 * @param acceptErrors as in {@link Readings}, and so the two that follow
 */
public record ReadingRecord(
    long monotonicNs,
    long cpuReadNs,
    Map<Figure, Long> values,
    Map<Integer, HostCpu> processors,
    @Nullable NavigableMap<Double, Long> hiccups,
    Map<String, Long> acceptErrors,
    String restart,
    String metricsFailure) {

  /** What those readings give now. */
  public static ReadingRecord take(Readings readings, Readings.Depth depth) {
    Reading reading = readings.take(depth);
    Hiccups told = reading.hiccups();
    return new ReadingRecord(
        reading.monotonicNs, reading.cpuReadNs(), new EnumMap<>(reading.values()), new TreeMap<>(reading.processors()),
        told == null ? null : told.atMost(), readings.acceptErrors(),
        readings.restart(), readings.metricsFailure());
  }

  /**
   * The reading with its times by the clock of who asked.
   *
   * @param aheadNs by how much the clock of the host that took it is ahead of that
   */
  public Reading reading(long aheadNs) {
    Reading reading = new Reading(monotonicNs - aheadNs);
    values.forEach(reading::put);
    reading.put(processors);
    if (hiccups != null) {
      reading.put(new Hiccups(hiccups));
    }
    reading.cpuReadBy(cpuReadNs - aheadNs);
    return reading;
  }
}
