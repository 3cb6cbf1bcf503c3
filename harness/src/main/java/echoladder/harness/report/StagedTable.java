package echoladder.harness.report;

import echoladder.client.StagedFigures;
import echoladder.client.StagedFigures.RequestFigures;
import echoladder.client.StagedFigures.Span;
import echoladder.harness.common.TextTable;
import echoladder.harness.common.Units;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.util.ArrayList;
import java.util.List;

/** Users in stages on a terminal: all stages together, by server, loop and request. */
final class StagedTable {
  private StagedTable() {}

  static List<String> lines(RunRecord run) {
    TextTable table =
        new TextTable()
            .row(
                List.of(
                    "server", "loop", "request", "ceiling/s", "requests/s", "time", "mean", "p50", "p90", "p95", "max",
                    "errors", "verdict"));
    for (RungRecord rung : RungText.byServer(run)) {
      StagedFigures figures = rung.staged();
      Span whole = figures == null ? null : figures.whole();
      String verdict = new RungText(rung).verdict();
      if (figures == null || whole == null) {
        table.row(List.of(rung.server(), "", "", "", "", "", "", "", "", "", "", "", verdict));
        continue;
      }
      for (RequestFigures of : whole.requests()) {
        List<String> cells = new ArrayList<>();
        cells.add(rung.server());
        cells.add(figures.loop());
        cells.add(of.request());
        cells.add(StagedText.perS(StagedText.ceiling(whole, of)));
        cells.add(StagedText.perS(of.achievedPerS()));
        cells.add(StagedText.time(figures));
        cells.addAll(StagedText.cells(of, StagedText.times(figures, of)));
        cells.add(Units.count(of.errors()));
        cells.add(verdict);
        table.row(cells);
      }
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    lines.add("Closed loop: users wait for their answers, so the times are service times, and the ceiling is theirs.");
    lines.add("Open loop: the same users ask on time whatever happens; response times from the intended send.");
    return lines;
  }
}
