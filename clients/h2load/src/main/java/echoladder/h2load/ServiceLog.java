package echoladder.h2load;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Service times as an HdrHistogram V2 interval log: a line per second in which requests ended, as the open-loop client writes them.
 * Values are in nanoseconds; the column of maxima is in milliseconds. One thread.
 */
final class ServiceLog implements AutoCloseable {
  /** The kind of time, as the tags of interval logs have it. */
  static final String TAG = "service";

  private static final double MAX_UNIT_NS = 1e6;

  private final Path path;
  private final PrintStream file;
  private final HistogramLogWriter log;
  private final Histogram total = RequestLog.empty();
  private final Histogram second = RequestLog.empty();
  private long secondOf = -1;
  private long baseSecond;

  /** Starts a log file, replacing one that is there. */
  ServiceLog(Path path) throws IOException {
    this.path = path;
    file = new PrintStream(new BufferedOutputStream(Files.newOutputStream(path)), false, StandardCharsets.UTF_8);
    log = new HistogramLogWriter(file);
  }

  /**
   * Records a time.
   *
   * @param endUs when the request ended, since the epoch; one of before the last one's second counts for that second
   */
  void record(long endUs, long ns) {
    long at = Math.max(secondOf, endUs / 1_000_000);
    if (secondOf < 0) {
      begin(at);
    } else if (at != secondOf) {
      write();
    }
    secondOf = at;
    second.recordValue(ns);
    total.recordValue(ns);
  }

  /** All times so far. */
  Histogram total() {
    return total;
  }

  private void begin(long firstSecond) {
    baseSecond = firstSecond;
    log.outputComment("[h2load, by its log of every request; values in ns; tags: one per kind of time]");
    log.outputLogFormatVersion();
    log.outputStartTime(firstSecond * 1_000);
    log.setBaseTime(firstSecond * 1_000);
    log.outputLegend();
  }

  private void write() {
    double from = secondOf - baseSecond;
    second.setTag(TAG);
    log.outputIntervalHistogram(from, from + 1, second, MAX_UNIT_NS);
    second.reset();
  }

  /** Writes the last second. */
  @Override
  public void close() throws IOException {
    if (secondOf >= 0) {
      write();
    }
    boolean failed = file.checkError();
    file.close();
    if (failed) {
      throw new IOException("the interval log " + path + " could not be written");
    }
  }
}
