package echoladder.harness.report;

import echoladder.harness.results.RunRecord;
import echoladder.harness.stats.Interval;
import echoladder.harness.stats.PairedRatio;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * pairs.csv: every two contenders with the same load and settings at every rung, figure by figure: the ratio of the first to
 * the second in the repeats that both have validly. A value that there is not is empty.
 */
final class PairsFile {
  static final String NAME = "pairs.csv";
  private static final String HEADER =
      "study,run_id,figure,first,second,connections,pairs,ratio,least,most,interval_low,interval_high,confidence,finding";

  private PairsFile() {}

  /** The file's text. */
  static String of(RunRecord run, Pairs pairs) {
    StringBuilder out = new StringBuilder(HEADER).append('\n');
    for (Pairs.Row row : pairs.all()) {
      PairedRatio ratio = row.ratio();
      Interval interval = ratio == null ? null : ratio.interval();
      List<String> cells = new ArrayList<>(List.of(run.study().name(), run.runId(), row.figure().label(), row.first(), row.second()));
      cells.add(String.valueOf(row.connections()));
      cells.add(String.valueOf(row.pairs()));
      cells.add(number(ratio == null ? null : ratio.ratio()));
      cells.add(number(ratio == null ? null : ratio.least()));
      cells.add(number(ratio == null ? null : ratio.most()));
      cells.add(number(interval == null ? null : interval.low()));
      cells.add(number(interval == null ? null : interval.high()));
      cells.add(number(interval == null ? null : interval.confidence()));
      cells.add(ratio == null ? "no-ratio" : ratio.finding().name().toLowerCase(Locale.ROOT).replace('_', '-'));
      out.append(String.join(",", cells)).append('\n');
    }
    return out.toString();
  }

  private static String number(@Nullable Double value) {
    return value == null ? "" : String.format(Locale.ROOT, "%.6g", value);
  }
}
