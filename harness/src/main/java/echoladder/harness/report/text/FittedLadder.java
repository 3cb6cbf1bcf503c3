package echoladder.harness.report.text;

import echoladder.harness.compare.ProcessGroups;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.MemoryMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.Percentile;
import echoladder.harness.metric.PushMetrics;
import echoladder.harness.report.table.ReportTables;
import echoladder.harness.report.table.ReportTables.Width;
import echoladder.harness.results.RunRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * The ladder of a run in so many columns. Where it is too wide, a head becomes shorter, then the multiple of the floor goes, then the
 * upper bounds of times go in its place, then one figure after another. No line is broken.
 *
 * @param lines of the table
 * @param leftOut a sentence that says what is missing; empty where nothing is
 */
record FittedLadder(List<String> lines, String leftOut) {
  /** Figures that can be left out, the first one first; the others stay in the narrowest terminal. */
  private static final List<Metric> LOST_FIRST =
      List.of(
          HostMetrics.CPU_MULTIPLE_OF_FLOOR, MemoryMetrics.RSS_PER_CONNECTION, LoadMetrics.SERVER_CPU, PushMetrics.SERVER_CPU,
          PushMetrics.LAST.at(Percentile.P50));

  /** The first of its forms that fits; the narrowest where none does. */
  static FittedLadder of(RunRecord run, ProcessGroups groups, int columns) {
    List<Metric> figures = ReportTables.ladderFigures(run);
    FittedLadder form = new FittedLadder(ReportTables.ladder(run, groups, figures, Width.BRIEF).lines(), "");
    boolean bounds = form.lines.stream().anyMatch(line -> line.contains("(≤ "));
    for (Width width : List.of(Width.NARROW, Width.UNBOUNDED)) {
      // A multiple can be reckoned from the table, a bound cannot.
      int most = width == Width.NARROW ? 1 : LOST_FIRST.size();
      for (int lost = 0; lost <= most && !form.fits(columns); lost++) {
        List<Metric> missing = LOST_FIRST.stream().limit(lost).filter(figures::contains).toList();
        List<Metric> kept = figures.stream().filter(figure -> !missing.contains(figure)).toList();
        form = new FittedLadder(
            ReportTables.ladder(run, groups, kept, width).lines(), leftOut(bounds && width == Width.UNBOUNDED, missing, columns));
      }
    }
    return form;
  }

  private boolean fits(int columns) {
    return lines.stream().allMatch(line -> line.length() <= columns);
  }

  private static String leftOut(boolean bounds, List<Metric> lost, int columns) {
    List<String> missing = new ArrayList<>();
    if (bounds) {
      missing.add("the upper bounds of the server times, which include what the client was late by");
    }
    lost.forEach(figure -> missing.add(figure.family().isEmpty() ? figure.words().brief() : figure.label()));
    return missing.isEmpty() ? "" : "Not shown in %d columns: %s. The report has all.".formatted(columns, String.join("; ", missing));
  }
}
