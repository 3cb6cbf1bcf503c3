package echoladder.harness.report.table;

import echoladder.client.figures.StagedFigures.RequestFigures;
import echoladder.client.figures.StagedFigures.Span;
import echoladder.client.figures.StagedFigures.Times;
import echoladder.client.figures.StagedFigures;
import echoladder.harness.common.Units;
import echoladder.harness.report.words.RungText;
import echoladder.harness.report.words.StagedText;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The tables of users in stages. */
public final class StagedTables {
  private static final String[] FIGURES = {
    "ceiling per s", "requests per s", "mean", "p50", "p90", "p95", "max", "errors"
  };

  /** Server, loop, request, time, ceiling and rate. */
  private static final int CELLS_BEFORE_TIMES = 6;

  private StagedTables() {}

  /** All stages together, by server, loop, request and kind of time. */
  public static Table whole(RunRecord run) {
    Table table = new Table().words("server", "loop", "request", "time").figures(FIGURES).words("verdict");
    for (RungRecord rung : measured(run)) {
      StagedFigures figures = rung.staged();
      Span all = figures == null ? null : figures.whole();
      if (figures == null || all == null) {
        List<String> cells = new ArrayList<>(List.of(rung.server(), Units.NONE));
        cells.addAll(Collections.nCopies(10, ""));
        cells.add(new RungText(rung).markedVerdict());
        table.row(cells);
        continue;
      }
      for (RequestFigures of : all.requests()) {
        table.row(line(rung, figures, all, of, StagedText.time(figures), StagedText.times(figures, of)));
        if (!StagedText.closed(figures)) {
          table.row(line(rung, figures, all, of, "service", of.serviceTime()));
        }
      }
    }
    return table;
  }

  private static List<RungRecord> measured(RunRecord run) {
    return run.study().load().staged() == null ? List.of() : RungText.byServer(run);
  }

  private static List<String> line(
      RungRecord rung, StagedFigures figures, Span span, RequestFigures of, String kind, Times times) {
    List<String> cells = new ArrayList<>(List.of(rung.server(), figures.loop(), of.request(), kind));
    cells.addAll(figures(span, of, times));
    if (rung.saturated()) {
      // The rate and the errors are the result; no time of it is quoted.
      Collections.fill(cells.subList(CELLS_BEFORE_TIMES, cells.size() - 1), Units.NONE);
    }
    cells.add(new RungText(rung).markedVerdict());
    return cells;
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

  /**
   * One stage after another, for each measurement what its heading says and its table.
   *
   * @param written a table as it stands in the report
   */
  public static List<Map<String, String>> each(RunRecord run, Function<Table, String> written) {
    List<Map<String, String>> each = new ArrayList<>();
    for (RungRecord rung : measured(run)) {
      StagedFigures figures = rung.staged();
      if (figures == null || figures.whole() == null) {
        continue;
      }
      Table table = new Table().figures("stage").words("users", "request").figures(FIGURES);
      for (Span span : figures.spans()) {
        for (RequestFigures of : span.stage() == null ? List.<RequestFigures>of() : span.requests()) {
          List<String> cells = new ArrayList<>(List.of(String.valueOf(span.stage()), StagedText.users(span), of.request()));
          cells.addAll(figures(span, of, StagedText.times(figures, of)));
          table.row(cells);
        }
      }
      each.add(
          Map.of(
              "server", rung.server(),
              "loop", figures.loop(),
              "time", StagedText.time(figures),
              "verdict", rung.valid() ? "" : ", " + new RungText(rung).markedVerdict(),
              "table", written.apply(table)));
    }
    return each;
  }

  /** The client's own condition. */
  static Table instrument(RunRecord run) {
    Table table =
        new Table()
            .words("server")
            .figures(
                "longest hiccup", "sends over 1 ms late", "send lateness p99", "client CPU per request", "of one processor",
                "longest collection", "server CPU per request");
    for (RungRecord rung : measured(run)) {
      if (rung.staged() != null && rung.staged().whole() != null && rung.load() != null) {
        List<String> cells = new ArrayList<>(List.of(rung.server()));
        cells.addAll(StagedText.instrument(rung.load()));
        table.row(cells);
      }
    }
    return table;
  }
}
