package echoladder.openloop.result;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.jspecify.annotations.Nullable;

/**
 * The HdrHistogram V2 interval log of a load: one line per second and kind of time, each flushed when written. Times
 * of an interval are those recorded in it. Values stay in nanoseconds; the column of maxima is in milliseconds.
 */
public final class IntervalLog implements AutoCloseable {
  private final Kept written;
  private final PrintStream file;
  private final HistogramLogWriter log;
  private final long baseEpochMs;

  /** Keeps why nothing can be written any more: a {@link PrintStream} tells only that it is so. */
  private static final class Kept extends FilterOutputStream {
    private String why = "it was closed";

    Kept(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      try {
        out.write(bytes, from, count);
      } catch (IOException e) {
        why = String.valueOf(e.getMessage());
        throw e;
      }
    }
  }

  private IntervalLog(OutputStream to) {
    this.written = new Kept(to);
    this.file = new PrintStream(written, false, StandardCharsets.UTF_8);
    this.log = new HistogramLogWriter(file);
    this.baseEpochMs = System.currentTimeMillis();
    log.outputComment("[Echo Ladder open-loop client; values in ns; tags: one per kind of time]");
    log.outputLogFormatVersion();
    log.outputStartTime(baseEpochMs);
    log.setBaseTime(baseEpochMs);
    log.outputLegend();
  }

  /** Starts a log file, replacing one that is there; null where none is wanted. */
  public static @Nullable IntervalLog open(@Nullable Path path) throws IOException {
    if (path == null) {
      return null;
    }
    try {
      return new IntervalLog(Files.newOutputStream(path));
    } catch (IOException e) {
      throw new IOException("cannot write the interval log " + path + ": " + e.getMessage(), e);
    }
  }

  /** Writes one interval: times by kind, and by tags of their own. */
  public void write(Map<TimeKind, Histogram> interval, Map<String, Histogram> tagged, long startEpochMs, long endEpochMs)
      throws IOException {
    interval.forEach((kind, histogram) -> line(kind.tag, histogram, startEpochMs, endEpochMs));
    tagged.forEach((tag, histogram) -> line(tag, histogram, startEpochMs, endEpochMs));
    // checkError flushes too.
    if (file.checkError()) {
      throw new IOException("the interval log could not be written: " + written.why);
    }
  }

  private void line(String tag, Histogram histogram, long startEpochMs, long endEpochMs) {
    histogram.setTag(tag);
    log.outputIntervalHistogram(
        (startEpochMs - baseEpochMs) / 1e3, (endEpochMs - baseEpochMs) / 1e3, histogram, 1e6);
  }

  @Override
  public void close() {
    file.close();
  }
}
