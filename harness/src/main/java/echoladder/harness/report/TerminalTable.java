package echoladder.harness.report;

import echoladder.client.LoadResult;
import echoladder.harness.common.TextTable;
import echoladder.harness.common.Units;
import echoladder.harness.metric.Shown;
import echoladder.harness.results.ClimbRecord;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.RungRepeats;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The ladder on a terminal: the report's table, narrower, and why each climb ended. */
public final class TerminalTable {
  private static final String RED = "\033[31m";
  private static final String GREEN = "\033[32m";
  private static final String PLAIN = "\033[0m";

  private TerminalTable() {}

  /** The table of a run; {@code colours} marks the verdicts. */
  public static String of(RunRecord run, boolean colours) {
    if (run.study().load().staged() != null) {
      StringBuilder staged = new StringBuilder("\n" + lab(run));
      StagedTable.lines(run).forEach(line -> staged.append(colours ? coloured(line) : line).append('\n'));
      return staged.append(resumed(run)).append(attached(run)).append('\n').toString();
    }
    boolean byTools = ToolTimes.any(run.study());
    List<String> heads = new ArrayList<>(List.of("server", "client", "connections"));
    Shown.ON_TERMINAL.forEach(figure -> heads.add(figure.words().brief()));
    heads.add("verdict");
    TextTable table = new TextTable().row(withoutClient(byTools, heads));
    for (RungRepeats repeats : RungText.repeatsByServer(run)) {
      RungRecord rung = repeats.any();
      RungText text = new RungText(repeats, false);
      List<String> cells =
          new ArrayList<>(List.of(rung.server(), ToolTimes.client(run.study(), rung), text.connections()));
      cells.addAll(text.of(Shown.ON_TERMINAL));
      cells.add(text.verdict());
      table.row(withoutClient(byTools, cells));
    }
    StringBuilder out = new StringBuilder("\n" + lab(run));
    table.lines().forEach(line -> out.append(colours ? coloured(line) : line).append('\n'));
    if (run.study().repeats() > 1) {
      out.append("medians of up to %d repeats; their ranges, and the servers in pairs, are in the report%n".formatted(run.study().repeats()));
    }
    out.append('\n');
    if (byTools) {
      serviceTimes(run).lines().forEach(line -> out.append(line).append('\n'));
      out.append('\n');
    }
    if (NamedLimits.any(run)) {
      NamedLimits.table(run).forEach(line -> out.append(line).append('\n'));
      out.append('\n').append(NamedLimits.sentence(run)).append("\n\n");
    }
    TextTable ends = new TextTable();
    for (ClimbRecord climb : run.climbs()) {
      ends.row(List.of(climb.server(), "carried " + carried(climb) + "; " + climb.reason()));
    }
    ends.lines().forEach(line -> out.append(line).append('\n'));
    return out.append(resumed(run)).append(attached(run)).append('\n').toString();
  }

  /** First, as it says what of the table is worth reading. */
  private static String lab(RunRecord run) {
    String text = LabText.of(run);
    return text == null ? "" : text + "\n\n";
  }

  private static String resumed(RunRecord run) {
    return run.resumed().isEmpty() ? "" : "\n" + ResumedText.brief(run) + "\n";
  }

  private static String attached(RunRecord run) {
    return run.attached() == null
        ? ""
        : "\nattached to %s, which was not started here; server figures by %s%n"
            .formatted(run.attached().target(), run.attached().serverMetrics());
  }

  /** The second cell is worth its room only where there is more than the open-loop client. */
  private static List<String> withoutClient(boolean byTools, List<String> row) {
    List<String> cells = new ArrayList<>(row);
    if (!byTools) {
      cells.remove(1);
    }
    return cells;
  }

  /** p50 to max of the table above are response times; these are not, so they stand apart. */
  private static TextTable serviceTimes(RunRecord run) {
    TextTable table =
        new TextTable()
            .row(List.of("service times", "client", "connections", "p50", "p99", "max", "are of"));
    for (RungRecord rung : ToolTimes.rungs(run)) {
      LoadResult load = Objects.requireNonNull(rung.load());
      table.row(
          List.of(
              rung.server(),
              load.client(),
              Units.count(rung.connections()),
              Units.time(load.times().service().p50Ns()),
              Units.time(load.times().service().p99Ns()),
              Units.time(load.times().service().maxNs()),
              ToolTimes.coverage(load)));
    }
    return table;
  }

  static String carried(ClimbRecord climb) {
    return climb.highestValidConnections() == null ? "none validly" : Units.count(climb.highestValidConnections());
  }

  private static String coloured(String line) {
    int invalid = line.lastIndexOf("INVALID");
    if (invalid >= 0) {
      return line.substring(0, invalid) + RED + line.substring(invalid) + PLAIN;
    }
    return line.endsWith("  valid") ? line.substring(0, line.length() - 5) + GREEN + "valid" + PLAIN : line;
  }
}
