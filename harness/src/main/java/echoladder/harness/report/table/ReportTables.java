package echoladder.harness.report.table;

import echoladder.client.Reason;
import echoladder.harness.common.Units;
import echoladder.harness.compare.ProcessGroups;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.ServerTimes;
import echoladder.harness.metric.Shown;
import echoladder.harness.metric.Times;
import echoladder.harness.report.words.RungText;
import echoladder.harness.results.ClimbRecord;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.RungRepeats;
import echoladder.harness.study.Profile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** Every table of a run's reports, by its name in their template. A table without rows is left out of them. */
public final class ReportTables {
  private ReportTables() {}

  /** All of a run; those of one stage after another are in {@link StagedTables#each}. */
  public static Map<String, Table> of(RunRecord run, Pairs pairs) {
    Map<String, Table> tables = new LinkedHashMap<>();
    tables.put("namedLimits", NamedLimits.table(run));
    tables.put("knobs", KnobTable.of(KnobLine.of(run)));
    tables.put("capacity", CapacityText.table(run, false));
    tables.put("capacityTries", CapacityText.tries(run));
    tables.put("ladder", ladder(run, pairs.groups(), ladderFigures(run), Width.FULL));
    tables.put("groups", groups(pairs.groups()));
    tables.put("times", times(run, pairs.groups()));
    tables.put("beside", beside(run, pairs.groups()));
    tables.put("whole", StagedTables.whole(run));
    tables.put("instrument", StagedTables.instrument(run));
    tables.put("toolTimes", ToolTimes.table(run));
    tables.put("agreement", Agreement.table(run));
    tables.put("drift", DriftTable.of(run));
    tables.put("pairs", new PairsTable(pairs).table());
    tables.put("growth", MemoryGrowth.table(run));
    tables.put("climbs", climbs(run));
    tables.put("verdicts", verdicts(run));
    tables.put("invalid", invalid(run));
    tables.put("excluded", TriesText.table(run));
    tables.put("setAside", setAside(run));
    tables.put("hosts", HostsTable.of(run));
    tables.put("parts", PartsTable.of(run));
    tables.put("profiled", ProfileTables.watched(run));
    tables.put("systemCalls", ProfileTables.counts(run, Profile.Kind.SYSCALLS));
    tables.put("events", ProfileTables.counts(run, Profile.Kind.EVENTS));
    tables.put("environment", EnvironmentRows.table(run.environment()));
    return tables;
  }

  /** How much a ladder says in a cell. */
  public enum Width {
    /** Ranges, and verdicts with their reasons. */
    FULL,
    /** For a terminal: without these, and with shorter heads. */
    BRIEF,
    /** The head of the connections shorter too. */
    NARROW,
    /** Times without their upper bounds. */
    UNBOUNDED
  }

  /** Figures of a run's ladder. */
  public static List<Metric> ladderFigures(RunRecord run) {
    return run.study().pushes() ? Shown.LADDER_OF_PUSH : Shown.LADDER;
  }

  /** The ladder with some of its figures. */
  public static Table ladder(RunRecord run, ProcessGroups groups, List<Metric> figures, Width width) {
    boolean byTools = ToolTimes.any(run.study());
    boolean brief = width != Width.FULL;
    boolean narrow = brief && width != Width.BRIEF;
    List<String> heads = RungText.heads(run).stream().map(head -> narrow ? head.replace("connections", "conns") : head).toList();
    Table table = (byTools ? new Table().words("server", "client") : new Table().words("server"))
        .figures(heads)
        .figures(figures.stream().map(figure -> head(figure, run.study().pushes(), brief)).toList())
        .words("verdict");
    for (RungRepeats rung : RungText.repeatsByServer(run)) {
      RungText text = new RungText(rung, !brief, groups, run.runId());
      List<String> cells = new ArrayList<>(List.of(rung.any().server()));
      if (byTools) {
        cells.add(ToolTimes.client(run.study(), rung.any()));
      }
      cells.addAll(text.cells(run));
      figures.forEach(figure -> cells.add(width == Width.UNBOUNDED ? text.unbounded(figure) : text.of(figure)));
      cells.add(brief ? text.briefVerdict() : text.markedVerdict());
      table.row(cells);
    }
    return table;
  }

  /** The servers whose processes fall apart in two groups, figure by figure; no rows where none do. */
  private static Table groups(ProcessGroups groups) {
    Table table = new Table().words("server", "figure").figures("processes", "lower group", "its share", "upper group", "its share");
    for (ProcessGroups.Found found : groups.all()) {
      int low = found.groups().low().count();
      int high = found.groups().high().count();
      table.row(
          found.server(), found.figure().label(), Units.count(low + high), found.ends(found.groups().low()),
          "%d of %d".formatted(low, low + high), found.ends(found.groups().high()), "%d of %d".formatted(high, low + high));
    }
    return table;
  }

  /** Above a column of the ladder; where there are several kinds of times, with their kind. */
  private static String head(Metric figure, boolean kinds, boolean brief) {
    return kinds && !figure.family().isEmpty() ? figure.label() : brief ? figure.words().brief() : figure.column();
  }

  /** The times of each rung by their kind; no rows of a run without them. */
  public static Table times(RunRecord run, ProcessGroups groups) {
    List<Metric> figures =
        (ServerTimes.stamped(run.rungs()) ? Shown.FOUR_TIMES : Shown.TIMES_WITHOUT_STAMPS)
            .stream().flatMap(times -> Shown.OF_EACH_TIME.stream().map(times::at)).toList();
    Table table = new Table().words("server").figures(RungText.heads(run)).figures(figures.stream().map(Metric::label).toList());
    for (RungRepeats rung : run.study().load().staged() == null ? RungText.repeatsByServer(run) : List.<RungRepeats>of()) {
      RungText text = new RungText(rung, false, groups, run.runId());
      if (figures.stream().anyMatch(text::has)) {
        List<String> cells = new ArrayList<>(List.of(rung.any().server()));
        cells.addAll(text.cells(run));
        figures.forEach(figure -> cells.add(text.alone(figure)));
        table.row(cells);
      }
    }
    return table;
  }

  /** The table of the times with a row for each kind, which is narrow. */
  public static Table timesBelow(RunRecord run, ProcessGroups groups) {
    List<Times> kinds = ServerTimes.stamped(run.rungs()) ? Shown.FOUR_TIMES : Shown.TIMES_WITHOUT_STAMPS;
    Table table = new Table().words("server").figures(RungText.heads(run)).words("time")
        .figures(Shown.OF_EACH_TIME.stream().map(at -> kinds.getFirst().at(at).words().brief()).toList());
    for (RungRepeats rung : RungText.repeatsByServer(run)) {
      RungText text = new RungText(rung, false, groups, run.runId());
      for (Times kind : kinds) {
        List<Metric> figures = Shown.OF_EACH_TIME.stream().map(kind::at).toList();
        if (figures.stream().anyMatch(text::has)) {
          List<String> cells = new ArrayList<>(List.of(rung.any().server()));
          cells.addAll(text.cells(run));
          cells.add(kind.words());
          figures.forEach(figure -> cells.add(text.alone(figure)));
          table.row(cells);
        }
      }
    }
    return table;
  }

  /** A figure that no rung has, as it is younger than the run, gets no column. */
  private static Table beside(RunRecord run, ProcessGroups groups) {
    List<Metric> figures = Shown.BESIDE.stream().filter(figure -> known(run, figure)).toList();
    Table table = new Table().words("server").figures(RungText.heads(run)).figures(figures.stream().map(Metric::label).toList());
    for (RungRepeats rung : figures.isEmpty() ? List.<RungRepeats>of() : RungText.repeatsByServer(run)) {
      RungText text = new RungText(rung, true, groups, run.runId());
      List<String> cells = new ArrayList<>(List.of(rung.any().server()));
      cells.addAll(text.cells(run));
      cells.addAll(text.of(figures));
      table.row(cells);
    }
    return table;
  }

  private static boolean known(RunRecord run, Metric figure) {
    Metric bound = ServerTimes.bound(figure);
    return run.rungs().stream().anyMatch(rung -> figure.of(rung) != null || (bound != null && bound.of(rung) != null));
  }

  private static Table climbs(RunRecord run) {
    Table table = new Table().words("server").figures("carried").words("reason");
    run.climbs().forEach(climb -> table.row(climb.server(), carried(run, climb), climb.reason()));
    return table;
  }

  /** The highest valid rung of a climb; where a higher one was held that is not valid, both, and why it is not. */
  public static String carried(RunRecord run, ClimbRecord climb) {
    if (climb.rates() != null) {
      return climb.rates().stream().map(ReportTables::held).collect(Collectors.joining("; "));
    }
    Integer valid = climb.highestValidConnections();
    if (run.study().capacity() != null) {
      // At its capacity a server is saturated, and holds all the same.
      return valid == null ? "no rate held" : Units.count(valid);
    }
    return heldBeyond(run, climb)
        .map(
            highest -> {
              String held = Units.count(highest.any().connections());
              return "held %s; %s (%s: %s)"
                  .formatted(held, valid == null ? "no rung is valid" : "highest valid rung " + Units.count(valid), held,
                      highest.reasons());
            })
        .orElse(valid == null ? "none validly" : Units.count(valid));
  }

  /** The highest rung that a server held, where that is not valid; empty where it is, and of a study with several rates. */
  public static Optional<RungRepeats> heldBeyond(RunRecord run, ClimbRecord climb) {
    return RungRepeats.of(climb.rates() == null ? run.rungs() : List.of()).stream()
        .filter(repeats -> repeats.any().server().equals(climb.server()) && repeats.held())
        .filter(repeats -> !Objects.equals(repeats.any().connections(), climb.endedAtConnections()))
        .max(Comparator.comparingInt(repeats -> repeats.any().connections()))
        .filter(highest -> highest.valid().isEmpty());
  }

  private static String held(ClimbRecord.OfRates of) {
    String valid = of.highestValidPerS() == null ? "no rate validly" : Units.plain(of.highestValidPerS()) + "/s";
    String not = of.endedAtPerS() == null ? "" : ", not %s/s (%s)".formatted(Units.plain(of.endedAtPerS()), of.reason());
    return "%s: %s%s".formatted(Units.count(of.connections()), valid, not);
  }

  /** How many measurements of each server are what; none where all are valid. */
  private static Table verdicts(RunRecord run) {
    Table table = new Table().words("server").figures("measured", "valid", "saturated", "invalid").words("reasons");
    boolean all = run.rungs().stream().allMatch(rung -> rung.load() == null || rung.valid());
    for (RunRecord.ServerRecord server : all ? List.<RunRecord.ServerRecord>of() : run.servers()) {
      List<RungRecord> rungs = run.rungs().stream().filter(r -> r.server().equals(server.label()) && r.load() != null).toList();
      if (!rungs.isEmpty()) {
        RungRepeats together = new RungRepeats(rungs);
        int valid = together.valid().size();
        int saturated = together.saturated().size();
        table.row(
            server.label(), Units.count(rungs.size()), Units.count(valid), Units.count(saturated),
            Units.count(rungs.size() - valid - saturated), together.reasons());
      }
    }
    return table;
  }

  private static Table invalid(RunRecord run) {
    Table table = new Table().words("rung", "verdict", "reason", "what was seen", "what to do");
    for (RungRecord rung : RungText.byServer(run)) {
      String where = RungText.where(run, rung);
      if (rung.load() != null) {
        for (Reason doubt : rung.load().verdictReasons()) {
          String id = doubt.reason().id();
          table.row(where, rung.load().verdict().id(), id, doubt.detail(), "`runbooks/symptoms/" + id + ".md`");
        }
      } else if (rung.status() != RungRecord.Status.NOT_ATTEMPTED) {
        table.row(where, new RungText(rung).verdict(), "", rung.statusReason(), "");
      }
    }
    return table;
  }

  private static Table setAside(RunRecord run) {
    Table table = new Table().words("rung", "reason", "what was seen");
    for (RungRecord rung : RungText.byServer(run)) {
      for (Reason doubt : rung.aside()) {
        table.row(RungText.where(run, rung), doubt.reason().id(), doubt.detail());
      }
    }
    return table;
  }
}
