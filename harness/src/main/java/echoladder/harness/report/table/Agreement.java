package echoladder.harness.report.table;

import echoladder.client.LoadResult;
import echoladder.client.figures.Percentiles;
import echoladder.harness.client.LoadTools;
import echoladder.harness.common.Units;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.Shown;
import echoladder.harness.metric.Unit;
import echoladder.harness.report.words.RungText;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One server at one rung by several clients: where their figures agree, and what is known of why not. */
final class Agreement {
  /** Rates this close agree. */
  static final double RATE_SHARE = 0.01;

  /** Times and costs this close agree; a single run of each shows no less. */
  static final double SHARE = 0.1;

  /** By how much of its floor a timer of a tool may delay a send: wrk2's waits are rounded up to the next whole. */
  private static final double FLOOR_FACTOR = 1.5;

  /**
   * One line of the table.
   *
   * @param server its name, and the options that the study gave it
   * @param figure what is compared
   * @param ours by the open-loop client
   * @param client the other one
   * @param theirs by it
   * @param finding whether they agree, or what is known of why not
   */
  record Row(String server, String connections, String figure, String ours, String client, String theirs, String finding) {}

  private Agreement() {}

  static Table table(RunRecord run) {
    Table table =
        new Table().words("server").figures("connections").words("figure").figures("by open-loop").words("client").figures("by it")
            .words("finding");
    rows(run.study(), run.rungs())
        .forEach(row -> table.row(row.server(), row.connections(), row.figure(), row.ours(), row.client(), row.theirs(), row.finding()));
    return table;
  }

  /** The rows of a run; empty where no server was to be loaded by the open-loop client and by another. */
  static List<Row> rows(Study study, List<RungRecord> all) {
    Map<String, List<RungRecord>> same = new LinkedHashMap<>();
    for (RungRecord rung : all) {
      same.computeIfAbsent(rung.key().of("") + " " + subject(study, rung), key -> new ArrayList<>()).add(rung);
    }
    List<Row> rows = new ArrayList<>();
    for (List<RungRecord> rungs : same.values()) {
      Optional<RungRecord> base = rungs.stream().filter(rung -> byOpenLoop(study, rung)).findFirst();
      base.ifPresent(
          ours ->
              rungs.stream()
                  .filter(rung -> !byOpenLoop(study, rung))
                  .forEach(other -> compare(study, ours, other, rows)));
    }
    return rows;
  }

  private static boolean byOpenLoop(Study study, RungRecord rung) {
    return ToolTimes.client(study, rung).equals(LoadTools.embedded().id());
  }

  /** What is loaded: the server's name and the options that the study gave it. */
  private static String subject(Study study, RungRecord rung) {
    return study
        .entry(rung.server())
        .map(entry -> entry.server() + (entry.options().isEmpty() ? "" : " " + new TreeMap<>(entry.options())))
        .orElse(rung.server());
  }

  private static void compare(Study study, RungRecord base, RungRecord other, List<Row> rows) {
    String subject = subject(study, base);
    String client = ToolTimes.client(study, other);
    String connections =
        base.key().load() + (study.repeats() == 1 ? "" : ", repeat " + base.repeat());
    LoadResult ours = base.load();
    LoadResult theirs = other.load();
    if (ours == null || theirs == null) {
      RungRecord lacking = ours == null ? base : other;
      String by = ToolTimes.client(study, lacking);
      String why = String.valueOf(lacking.statusReason());
      // The reason of a missing tool begins with its name.
      why = why.startsWith(by + ": ") ? why.substring(by.length() + 2) : why;
      rows.add(
          new Row(
              subject, connections, "all", Units.NONE, client, Units.NONE,
              "not measured by %s: %s".formatted(by, why)));
      return;
    }
    for (Metric figure : Shown.BETWEEN_CLIENTS) {
      Double a = figure.value(base);
      Double b = figure.value(other);
      if (a == null && b == null) {
        continue;
      }
      rows.add(
          new Row(
              subject,
              connections,
              figure.label(),
              text(figure, a),
              client,
              text(figure, b),
              finding(figure, base, other, a, b)));
    }
  }

  /** With more digits of a rate than elsewhere, as rates are held to agree within less. */
  private static String text(Metric figure, @Nullable Double value) {
    return value == null
        ? Units.NONE
        : figure.unit() == Unit.PER_S ? "%,.1f/s".formatted(value) : figure.unit().text(value);
  }

  private static String finding(Metric figure, RungRecord base, RungRecord other, @Nullable Double a, @Nullable Double b) {
    LoadResult ours = Objects.requireNonNull(base.load());
    LoadResult theirs = Objects.requireNonNull(other.load());
    if (!ours.valid() && !theirs.valid()) {
      return "not compared: %s is %s; %s is %s"
          .formatted(
              ours.client(), new RungText(base).verdict(), theirs.client(), new RungText(other).verdict());
    }
    if (!ours.valid() || !theirs.valid()) {
      LoadResult spoiled = theirs.valid() ? ours : theirs;
      RungRecord rung = theirs.valid() ? base : other;
      return "not compared: %s is %s".formatted(spoiled.client(), new RungText(rung).verdict());
    }
    if (a == null || b == null) {
      return lacking(figure, a == null ? ours : theirs, a == null ? b : a);
    }
    double bound = figure.unit() == Unit.PER_S ? RATE_SHARE : SHARE;
    double apart = Math.abs(b - a);
    String by = "%+.1f %%".formatted(100 * (b / a - 1));
    if (apart <= bound * a) {
      return "agree (%s)".formatted(by);
    }
    long step = LoadMetrics.SERVICE.has(figure) ? LoadTools.ofId(theirs.client()).serviceStepNs() : 0;
    if (apart <= step) {
      return "agree within %s, the step of %s's times".formatted(Units.time(step), theirs.client());
    }
    Long floor = theirs.responseTimeFloorNs();
    if (LoadMetrics.RESPONSE.has(figure) && floor != null && b > a && apart <= FLOOR_FACTOR * floor) {
      return "differ by %s: %s's own timers, which delay each send by up to %s"
          .formatted(Units.time(Math.round(apart)), theirs.client(), Units.time(Math.round(FLOOR_FACTOR * floor)));
    }
    double bunch = floor == null ? 0 : theirs.pace().offeredPerS() * floor / 1e9;
    if (floor != null && bunch > 1 && LoadMetrics.SERVICE.has(figure) && b > a && apart <= floor) {
      return "differ by %s: %s sends at steps of %s, %.1f messages at each, and those of a step wait for each other"
          .formatted(Units.time(Math.round(apart)), theirs.client(), Units.time(floor), bunch);
    }
    if (floor != null && bunch > 1 && figure.unit() == Unit.US_PER_ECHO && b < a) {
      return "differ (%s); %s sends at steps of %s, %.1f messages at each, which makes an echo cheaper"
          .formatted(by, theirs.client(), Units.time(floor), bunch);
    }
    Integer looked = theirs.serviceTimeCoverageConnections();
    if (LoadMetrics.SERVICE.has(figure) && looked != null) {
      return "differ (%s); %s's are of %s only".formatted(by, theirs.client(), ToolTimes.coverage(theirs));
    }
    return "differ (%s); nothing in the record says why".formatted(by);
  }

  /** Why one of them has no such figure. */
  private static String lacking(Metric figure, LoadResult without, @Nullable Double other) {
    long step = LoadTools.ofId(without.client()).serviceStepNs();
    if (LoadMetrics.RESPONSE.has(figure) && without.times().response().equals(Percentiles.NONE)) {
      return without.client() + " gives none: it times from the actual send";
    }
    if (LoadMetrics.SERVICE.has(figure) && step > 0 && other != null && other < 2 * step) {
      return "%s gives none: below its steps of %s, or fewer than %d times beyond it"
          .formatted(without.client(), Units.time(step), Percentiles.SAMPLES_BEYOND);
    }
    return "%s gives none: fewer than %d times beyond it".formatted(without.client(), Percentiles.SAMPLES_BEYOND);
  }
}
