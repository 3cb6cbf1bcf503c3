package echoladder.harness.report.text;

import echoladder.harness.common.TextTable;
import echoladder.harness.compare.ProcessGroups;
import echoladder.harness.report.table.CapacityText;
import echoladder.harness.report.table.KnobLine;
import echoladder.harness.report.table.KnobTable;
import echoladder.harness.report.table.NamedLimits;
import echoladder.harness.report.table.ReportTables;
import echoladder.harness.report.table.StagedTables;
import echoladder.harness.report.table.Table;
import echoladder.harness.report.table.ToolTimes;
import echoladder.harness.report.table.TriesText;
import echoladder.harness.report.words.LabText;
import echoladder.harness.report.words.Legend;
import echoladder.harness.report.words.RungText;
import echoladder.harness.results.ClimbRecord;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRepeats;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The ladder on a terminal: the report's table, narrower, and why each climb ended. */
public final class TerminalTable {
  private static final String RED = "\033[31m";
  private static final String YELLOW = "\033[33m";
  private static final String GREEN = "\033[32m";
  private static final String PLAIN = "\033[0m";

  private static final String STAGED =
      """

      Closed loop: users wait for their answers, so the times are service times, and the ceiling is theirs.
      Open loop: the same users ask on time whatever happens; response times from the intended send.
      """;

  private TerminalTable() {}

  /** The table of a run in a file; {@code colours} marks the verdicts. */
  public static String of(RunRecord run, boolean colours) {
    return of(run, false, Screen.file(colours));
  }

  /** The table of a run on a screen, with the times of each rung by their kind where {@code times} are wanted. */
  public static String of(RunRecord run, boolean times, Screen screen) {
    return screen.folded(text(run, times, screen));
  }

  private static String text(RunRecord run, boolean times, Screen screen) {
    StringBuilder out = new StringBuilder("\n" + lab(run));
    if (run.study().capacity() != null) {
      return out.append(capacity(run)).append(tries(run)).append(resumed(run)).append(attached(run)).append('\n').toString();
    }
    boolean staged = run.study().load().staged() != null;
    ProcessGroups groups = ProcessGroups.of(run);
    String host = HostText.of(run);
    Consumer<String> sentence = words -> out.append(words.isEmpty() ? "" : Legend.lines(words, screen.sentenceColumns()));
    sentence.accept(host);
    out.append(host.isEmpty() ? "" : "\n");
    FittedLadder ladder =
        staged ? new FittedLadder(StagedTables.whole(run).lines(), "") : FittedLadder.of(run, groups, screen.columns());
    for (String line : ladder.lines()) {
      out.append(screen.colours() ? coloured(line) : line).append('\n');
    }
    if (!staged) {
      sentence.accept(ladder.leftOut());
      Legend.of(String.join("\n", ladder.lines())).forEach(sentence);
      groups.sentences().forEach(sentence);
      out.append(reasons(run));
      sentence.accept(HostText.lost(run));
    }
    if (staged) {
      return out.append(STAGED).append(tries(run)).append(resumed(run)).append(attached(run)).append('\n').toString();
    }
    if (run.study().repeats() > 1) {
      out.append("medians of up to %d repeats; their ranges, and the servers in pairs, are in the report%n"
          .formatted(run.study().repeats()));
    }
    out.append('\n');
    Table knobs = KnobTable.of(KnobLine.of(run)).only("knob", "from → to", "effect", "verdict");
    if (!knobs.isEmpty()) {
      knobs.lines().forEach(line -> out.append(line).append('\n'));
      out.append(OtherKnobs.of(run).sentence()).append("\n\n");
    }
    if (times) {
      List<String> beside = ReportTables.times(run, groups).lines();
      boolean fit = !screen.folds() || beside.stream().allMatch(line -> line.length() <= screen.columns());
      (fit ? beside : ReportTables.timesBelow(run, groups).lines()).forEach(line -> out.append(line).append('\n'));
      out.append('\n');
    }
    Table service =
        ToolTimes.table(run)
            .only("server", "client", "connections", "service p50", "service p99", "service max", "service times are of");
    if (!service.isEmpty()) {
      service.lines().forEach(line -> out.append(line).append('\n'));
      out.append('\n');
    }
    if (NamedLimits.any(run)) {
      NamedLimits.table(run)
          .only("limit lowered", "value", "connections reached", "verdict's limit", "doctor's limit", "right")
          .lines()
          .forEach(line -> out.append(line).append('\n'));
      out.append('\n').append(NamedLimits.sentence(run)).append("\n\n");
    }
    TextTable ends = new TextTable();
    for (ClimbRecord climb : run.climbs()) {
      String carried = ReportTables.carried(run, climb);
      String words = (carried.startsWith("held") ? "" : "carried ") + carried + CrowdAnswer.of(run, climb);
      // What was met at the top of the study ended nothing: the reports have it.
      String reason = climb.end() == ClimbRecord.End.TOP_OF_STUDY ? climb.reason().replaceFirst(";.*", "") : climb.reason();
      ends.row(List.of(climb.server(), words + "; " + reason));
    }
    ends.lines().forEach(line -> out.append(line).append('\n'));
    return out.append(tries(run)).append(resumed(run)).append(attached(run)).append('\n').append(answer(run, groups, screen)).toString();
  }

  /** Last, as it is what a run of two servers was for. */
  private static String answer(RunRecord run, ProcessGroups groups, Screen screen) {
    String answer = TwoServersText.of(run, groups);
    int columns = screen.sentenceColumns();
    StringBuilder out = new StringBuilder(answer.isEmpty() ? "" : Legend.lines(answer.replace("*", ""), columns));
    TwoServersText.judgements(run).forEach(line -> out.append(Legend.lines(line, columns)));
    return out.isEmpty() ? "" : out.append('\n').toString();
  }

  /** The reasons of rungs that are not valid, a line each. */
  private static String reasons(RunRecord run) {
    StringBuilder out = new StringBuilder();
    for (RungRepeats rung : RungText.repeatsByServer(run)) {
      String verdict = new RungText(rung, false).verdict();
      if (verdict.contains(": ")) {
        out.append("%s %s: %s%n".formatted(rung.any().server(), rung.any().key().load(), verdict));
      }
    }
    return out.toString();
  }

  private static String capacity(RunRecord run) {
    List<String> lines = new ArrayList<>(CapacityText.table(run, true).lines());
    lines.addAll(List.of("", CapacityText.bound(run)));
    lines.addAll(CapacityText.lowerBounds(run));
    return String.join("\n", lines) + "\n";
  }

  /** First, as it says what of the table is worth reading. */
  private static String lab(RunRecord run) {
    String text = LabText.of(run);
    return text == null ? "" : text + "\n\n";
  }

  private static String resumed(RunRecord run) {
    return run.resumed().isEmpty() ? "" : "\n" + ResumedText.brief(run) + "\n";
  }

  private static String tries(RunRecord run) {
    String excluded = TriesText.brief(run);
    String notValid = TriesText.notValid(run);
    String waited = TriesText.waited(run);
    return (excluded.isEmpty() ? "" : "\ntries excluded and measured again, as the host was disturbed: " + excluded + "\n")
        + (notValid.isEmpty() ? "" : "\ntries that were not valid after a valid one, which stays: " + notValid + "\n")
        + (waited.isEmpty() ? "" : "\n" + waited + "\n");
  }

  private static String attached(RunRecord run) {
    if (run.overHosts()) {
      return "\nhosts: servers on %s, clients on %s%n"
          .formatted(String.join(", ", run.hostsIn("servers")), String.join(", ", run.hostsIn("clients")));
    }
    if (run.attached() == null) {
      String own = OwnText.of(run);
      return own.isEmpty() ? "" : "\n" + own.replace("*", "") + "\n";
    }
    return "\nattached to %s, which was not started here; server figures by %s%n"
        .formatted(run.attached().target(), run.attached().serverMetrics());
  }

  private static String coloured(String line) {
    int invalid = line.lastIndexOf("INVALID");
    int saturated = line.lastIndexOf("  saturated");
    int from = invalid >= 0 ? invalid : saturated >= 0 ? saturated + 2 : -1;
    if (from >= 0) {
      return line.substring(0, from) + (invalid >= 0 ? RED : YELLOW) + line.substring(from) + PLAIN;
    }
    return line.endsWith("  valid") ? line.substring(0, line.length() - 5) + GREEN + "valid" + PLAIN : line;
  }
}
