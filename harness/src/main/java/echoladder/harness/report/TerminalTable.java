package echoladder.harness.report;

import echoladder.harness.results.ClimbRecord;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.util.List;

/** The ladder on a terminal: the report's table, narrower, and why each climb ended. */
public final class TerminalTable {
  private static final String RED = "\033[31m";
  private static final String GREEN = "\033[32m";
  private static final String PLAIN = "\033[0m";

  private TerminalTable() {}

  /** The table of a run; {@code colours} marks the verdicts. */
  public static String of(RunRecord run, boolean colours) {
    TextTable table =
        new TextTable()
            .row(
                List.of(
                    "server", "connections", "p50", "p99", "p99.9", "max", "CPU/echo", "×floor", "RSS/conn", "verdict"));
    for (RungRecord rung : RungText.byServer(run)) {
      RungText text = new RungText(rung);
      table.row(
          List.of(
              rung.server(),
              text.connections(),
              text.p50(),
              text.p99(),
              text.p999(),
              text.max(),
              text.cpu(),
              text.timesFloor(),
              text.rssPerConnection(),
              text.verdict()));
    }
    StringBuilder out = new StringBuilder("\n");
    table.lines().forEach(line -> out.append(colours ? coloured(line) : line).append('\n'));
    out.append('\n');
    TextTable ends = new TextTable();
    for (ClimbRecord climb : run.climbs()) {
      ends.row(List.of(climb.server(), "carried " + carried(climb) + "; " + climb.reason()));
    }
    ends.lines().forEach(line -> out.append(line).append('\n'));
    return out.append('\n').toString();
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
