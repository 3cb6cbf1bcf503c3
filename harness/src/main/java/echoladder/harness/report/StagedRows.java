package echoladder.harness.report;

import echoladder.client.StagedFigures;
import echoladder.client.StagedFigures.RequestFigures;
import echoladder.client.StagedFigures.Span;
import echoladder.client.StagedFigures.Times;
import echoladder.harness.common.Units;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the reports of users in stages show, text with the marks of Markdown: for STAGED.md.mustache and report.html. */
final class StagedRows {
  private StagedRows() {}

  static Map<String, Object> of(RunRecord run) {
    List<Map<String, Object>> whole = new ArrayList<>();
    List<Map<String, Object>> each = new ArrayList<>();
    List<Map<String, Object>> instrument = new ArrayList<>();
    for (RungRecord rung : RungText.byServer(run)) {
      StagedFigures figures = rung.staged();
      Span all = figures == null ? null : figures.whole();
      if (figures == null || all == null) {
        List<String> cells = new ArrayList<>(List.of(Units.NONE));
        cells.addAll(Collections.nCopies(10, ""));
        cells.add(verdict(rung));
        whole.add(row(rung.server(), cells));
        continue;
      }
      for (RequestFigures of : all.requests()) {
        whole.add(line(rung, figures, all, of, StagedText.time(figures), StagedText.times(figures, of)));
        if (!StagedText.closed(figures)) {
          whole.add(line(rung, figures, all, of, "service", of.serviceTime()));
        }
      }
      each.add(stages(rung, figures));
      if (rung.load() != null) {
        instrument.add(row(rung.server(), StagedText.instrument(rung.load())));
      }
    }
    Map<String, Object> map = new HashMap<>();
    map.put("whole", whole);
    map.put("each", each);
    map.put("instrument", instrument);
    return map;
  }

  private static Map<String, Object> line(
      RungRecord rung, StagedFigures figures, Span span, RequestFigures of, String kind, Times times) {
    List<String> cells = new ArrayList<>();
    cells.add(figures.loop());
    cells.add(of.request());
    cells.add(kind);
    cells.addAll(figures(span, of, times));
    cells.add(verdict(rung));
    return row(rung.server(), cells);
  }

  /** Ceiling, rate, times, errors. */
  private static List<String> figures(Span span, RequestFigures of, Times times) {
    List<String> cells = new ArrayList<>();
    cells.add(StagedText.perS(StagedText.ceiling(span, of)));
    cells.add(StagedText.perS(of.achievedPerS()));
    cells.addAll(StagedText.cells(of, times));
    cells.add(StagedText.errors(of));
    return cells;
  }

  private static Map<String, Object> stages(RungRecord rung, StagedFigures figures) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Span span : figures.spans()) {
      if (span.stage() == null) {
        continue;
      }
      for (RequestFigures of : span.requests()) {
        List<String> cells = new ArrayList<>(List.of(StagedText.users(span), of.request()));
        cells.addAll(figures(span, of, StagedText.times(figures, of)));
        rows.add(row(String.valueOf(span.stage()), cells));
      }
    }
    return Map.of(
        "server", rung.server(),
        "loop", figures.loop(),
        "time", StagedText.time(figures),
        "verdict", rung.valid() ? "" : ", " + verdict(rung),
        "rows", rows);
  }

  private static String verdict(RungRecord rung) {
    return rung.valid() ? "valid" : "**" + new RungText(rung).verdict() + "**";
  }

  private static Map<String, Object> row(String first, List<String> others) {
    List<String> cells = new ArrayList<>(List.of(first));
    cells.addAll(others);
    return Map.of("cells", cells);
  }
}
