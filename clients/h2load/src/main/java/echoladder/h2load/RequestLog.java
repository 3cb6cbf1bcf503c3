package echoladder.h2load;

import echoladder.client.figures.Percentiles;
import echoladder.linux.output.BoundedLines;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The requests that ended in h2load's main duration, by the row that it writes for each: its start, its status, its time.
 *
 * @param service times from the actual start of those that were answered with 200 in the steady state, in ns; whole microseconds
 * @param rows all that ended in the main duration
 * @param ended of those, in the steady state
 * @param failed of those, with their connection and without an answer
 * @param heldBack sends that their connection's schedule had asked for while an earlier request was under way, by the times here
 * @param damage what is wrong with a row; null = nothing
 */
record RequestLog(Histogram service, long rows, long ended, long failed, long heldBack, @Nullable String damage) {
  /**
   * The steady state, by the realtime clock since the epoch.
   *
   * @param fromUs its beginning
   * @param toUs its end
   */
  record Window(long fromUs, long toUs) {
    /** None at all. */
    static final Window NEVER = new Window(1, 0);

    boolean has(long us) {
      return us >= fromUs && us < toUs;
    }
  }

  private static final long HIGHEST_NS = 3_600_000_000_000L;
  private static final int DIGITS = 3;
  private static final int OK = 200;

  /** Three numbers, and room for the columns that its manual says may come. */
  private static final int MOST_ROW_BYTES = 256;

  /** Where a part of this size of what lies beyond a percentile is missing, the percentile is not given. */
  private static final double MISSING_MOST = 0.1;

  static Histogram empty() {
    return new Histogram(1, HIGHEST_NS, DIGITS);
  }

  /** The log of a tool that wrote none. */
  static RequestLog none() {
    return new RequestLog(empty(), 0, 0, 0, 0, null);
  }

  /**
   * Reads a log.
   *
   * @param file one that is not there is empty
   * @param periodSeconds between two requests of a connection, above 0
   * @param steady which requests are timed: those that ended in it
   * @param intervals told of each time
   */
  static RequestLog read(Path file, double periodSeconds, Window steady, ServiceLog intervals) throws IOException {
    if (!Files.exists(file)) {
      return none();
    }
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      return read(in, periodSeconds, steady, intervals);
    }
  }

  static RequestLog read(InputStream in, double periodSeconds, Window steady, ServiceLog intervals) throws IOException {
    BoundedLines lines = new BoundedLines(in, MOST_ROW_BYTES);
    double periodNs = periodSeconds * 1e9;
    long rows = 0;
    long ended = 0;
    long failed = 0;
    long heldBack = 0;
    String damage = null;
    for (BoundedLines.Line line = lines.next(); line != null && damage == null; line = lines.next()) {
      Row row = line.whole() ? Row.of(line.text()) : null;
      if (row == null) {
        damage = "row %,d of its log is '%s'".formatted(rows + 1, line.text());
        continue;
      }
      rows++;
      long endUs = row.startUs + row.ns / 1_000;
      if (steady.has(endUs)) {
        ended++;
        failed += row.status < 0 ? 1 : 0;
        heldBack += (long) (row.ns / periodNs);
        if (row.status == OK) {
          intervals.record(endUs, Math.max(1, row.ns));
        }
      }
    }
    return new RequestLog(intervals.total(), rows, ended, failed, heldBack, damage);
  }

  private record Row(long startUs, int status, long ns) {
    /** Null for what is no row. */
    static @Nullable Row of(String text) {
      String[] columns = text.split("\t", -1);
      try {
        Row row = columns.length < 3 ? null : new Row(Long.parseLong(columns[0]), Integer.parseInt(columns[1]), ns(columns[2]));
        boolean right = row != null && row.startUs > 0 && row.startUs < Long.MAX_VALUE / 2 && row.status >= -1 && row.status <= 999;
        return right ? row : null;
      } catch (NumberFormatException e) {
        return null;
      }
    }

    /** A time of over an hour counts as an hour. */
    private static long ns(String us) {
      return Math.min(Math.clamp(Long.parseLong(us), 0, HIGHEST_NS / 1_000) * 1_000, HIGHEST_NS);
    }
  }

  /** Requests that were answered with 200. */
  long answered() {
    return service.getTotalCount();
  }

  /** The part of all sends whose wait for an earlier answer is in no time, 0 to 1. */
  double heldBackShare() {
    return heldBack == 0 ? 0 : (double) heldBack / (ended + heldBack);
  }

  /**
   * Percentiles of the service times. One is null where fewer than {@link Percentiles#SAMPLES_BEYOND} lie beyond it, or where the
   * sends that were held back are over a tenth of what does: their wait could move it.
   */
  Percentiles percentiles() {
    return answered() == 0
        ? Percentiles.NONE
        : new Percentiles(at(50), at(90), at(99), at(99.9), at(99.99), (Long) service.getMaxValue());
  }

  private @Nullable Long at(double percent) {
    double beyond = answered() * (1 - percent / 100);
    boolean enough = beyond + 1e-6 >= Percentiles.SAMPLES_BEYOND && heldBack <= MISSING_MOST * beyond;
    return enough ? (Long) service.getValueAtPercentile(percent) : null;
  }
}
