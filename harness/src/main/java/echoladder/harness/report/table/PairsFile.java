package echoladder.harness.report.table;

import echoladder.harness.report.words.RungText;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungKey;
import echoladder.harness.stats.Interval;
import echoladder.harness.stats.PairedRatio;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * pairs.csv: every two contenders with the same load and settings at every rung, figure by figure: the ratio of the first to
 * the second in the repeats that both have validly. A value that there is not is empty. After the rows of one rung each there is
 * one over all rungs for each pair that has one ratio at all of them: its connections are empty, its rungs are in {@code rungs}.
 * Where the rate is a part of a rung's key it has a column of its own, and stands in {@code rungs} as {@code 1000@5000}.
 */
public final class PairsFile {
  public static final String NAME = "pairs.csv";
  private static final String HEADER =
      "study,run_id,figure,first,second,connections,pairs,ratio,least,most,interval_low,interval_high,confidence,finding,"
          + "estimate,rungs,rungs_p,p,p_holm,detectable,not_the_servers_share";

  private PairsFile() {}

  /** The file's text. */
  public static String of(RunRecord run, Pairs pairs) {
    StringBuilder out = new StringBuilder(HEADER).append(RungText.severalRates(run) ? ",rung_rate_per_s\n" : "\n");
    PairsTable table = new PairsTable(pairs);
    Stream.concat(pairs.all().stream(), pairs.pooled().stream())
        .forEach(row -> out.append(String.join(",", cells(run, pairs, table, row))).append('\n'));
    return out.toString();
  }

  private static List<String> cells(RunRecord run, Pairs pairs, PairsTable table, Pairs.Row row) {
    PairedRatio ratio = row.ratio();
    Interval interval = ratio == null ? null : ratio.interval();
    List<String> cells = new ArrayList<>(List.of(run.study().name(), run.runId(), row.figure().label(), row.first(), row.second()));
    cells.add(row.pooled() ? "" : String.valueOf(row.highest().connections()));
    cells.add(String.valueOf(row.pairs()));
    cells.add(number(ratio == null ? null : ratio.ratio()));
    cells.add(number(ratio == null ? null : ratio.least()));
    cells.add(number(ratio == null ? null : ratio.most()));
    cells.add(number(interval == null ? null : interval.low()));
    cells.add(number(interval == null ? null : interval.high()));
    cells.add(number(interval == null ? null : interval.confidence()));
    cells.add(ratio == null ? "no-ratio" : ratio.finding().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    cells.add(ratio == null ? "" : interval == null ? "median" : "hodges-lehmann");
    cells.add(row.rungs().stream().map(PairsFile::rung).collect(Collectors.joining(" ")));
    cells.add(number(row.rungsP()));
    cells.add(number(interval == null || ratio == null ? null : ratio.p()));
    cells.add(number(table.adjusted(row)));
    cells.add(number(table.detectable(row)));
    double others = pairs.notTheServers(row);
    cells.add(number(others == 0 ? null : (Double) others));
    if (RungText.severalRates(run)) {
      cells.add(row.pooled() ? "" : row.highest().rate());
    }
    return cells;
  }

  private static String rung(RungKey key) {
    return key.connections() + (key.rate().isEmpty() ? "" : "@" + key.rate());
  }

  private static String number(@Nullable Double value) {
    return value == null ? "" : String.format(Locale.ROOT, "%.6g", value);
  }
}
