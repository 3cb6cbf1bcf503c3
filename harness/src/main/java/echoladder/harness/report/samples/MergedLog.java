package echoladder.harness.report.samples;

import echoladder.harness.results.IntervalLines;
import echoladder.harness.results.PlainFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * The interval logs of a run's rungs as one text, with one interval for each rung and kind of time in place of one per second: every
 * percentile in results.csv follows from it as from the whole, as histograms add up. What is lost is when within the rung a time was,
 * the client's hiccups, and the warm-up.
 */
public final class MergedLog {
  /** The column of maxima is in milliseconds, as the clients write it. */
  private static final double NS_PER_MS = 1e6;

  /** Hiccups have percentiles by another reckoning; the warm-up has none. */
  private static final Set<String> LEFT_OUT = Set.of("hiccup", "warmup-response");

  private MergedLog() {}

  /**
   * The text of them.
   *
   * @param names of the logs; {@link IntervalLines#open} gives each back by its name
   * @throws IOException where one is not there, or cannot be read to its end
   */
  public static String of(PlainFiles files, Collection<String> names) throws IOException {
    Map<String, Histogram> sums = new TreeMap<>();
    for (String name : names) {
      try (IntervalLines log = IntervalLines.open(files, name)) {
        boolean any = false;
        for (Histogram next = log.next(); next != null; next = log.next()) {
          String kind = String.valueOf(next.getTag());
          if (!LEFT_OUT.contains(kind)) {
            String tag = IntervalLines.tagged(name) + kind;
            sums.put(tag, IntervalLines.sum(sums.get(tag), next));
            any = true;
          }
        }
        String damage = log.damage();
        if (damage != null || !any) {
          throw new IOException(name + ": " + (damage == null ? "it has no intervals" : damage));
        }
      }
    }
    return text(sums, sums.values().stream().mapToLong(Histogram::getStartTimeStamp).min().orElse(0));
  }

  private static String text(Map<String, Histogram> sums, long base) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
      HistogramLogWriter log = new HistogramLogWriter(out);
      log.outputComment("[Echo Ladder, merged for publishing: one interval per rung and kind of time, tagged STEM:KIND; values in ns]");
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
