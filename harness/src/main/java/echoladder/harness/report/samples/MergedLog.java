package echoladder.harness.report.samples;

import echoladder.harness.results.IntervalLines;
import echoladder.harness.results.PlainFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * The interval log of a rung with one interval for each kind of time in place of one per second: every percentile of response,
 * service and connect time and of lateness follows from it as from the whole, as histograms add up. What is lost is when within
 * the rung a time was, and the client's hiccups.
 */
public final class MergedLog {
  /** The column of maxima is in milliseconds, as the clients write it. */
  private static final double NS_PER_MS = 1e6;

  /** What no figure of a report is made of. */
  private static final Set<String> LEFT_OUT = Set.of("hiccup", "first-echo", "warmup-response");

  private MergedLog() {}

  /**
   * The text of it.
   *
   * @throws IOException where the log is not there, or cannot be read to its end
   */
  public static String of(PlainFiles files, String name) throws IOException {
    Map<String, Histogram> sums = new TreeMap<>();
    long base = Long.MAX_VALUE;
    try (IntervalLines log = IntervalLines.open(files, name)) {
      for (Histogram next = log.next(); next != null; next = log.next()) {
        String tag = String.valueOf(next.getTag());
        if (LEFT_OUT.contains(tag)) {
          continue;
        }
        base = Math.min(base, next.getStartTimeStamp());
        sums.put(tag, IntervalLines.sum(sums.get(tag), next));
      }
      String damage = log.damage();
      if (damage != null || sums.isEmpty()) {
        throw new IOException(name + ": " + (damage == null ? "it has no intervals" : damage));
      }
    }
    return text(sums, base);
  }

  private static String text(Map<String, Histogram> sums, long base) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
      HistogramLogWriter log = new HistogramLogWriter(out);
      log.outputComment("[Echo Ladder, merged for publishing: one interval per kind of time; values in ns]");
      log.outputLogFormatVersion();
      log.outputStartTime(base);
      log.setBaseTime(base);
      log.outputLegend();
      sums.forEach(
          (tag, sum) -> {
            sum.setTag(tag);
            log.outputIntervalHistogram(
                (sum.getStartTimeStamp() - base) / 1e3, (sum.getEndTimeStamp() - base) / 1e3, sum, NS_PER_MS);
          });
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
