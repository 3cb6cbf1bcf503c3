package echoladder.harness.report;

import echoladder.client.LoadResult;
import echoladder.client.Percentiles;
import echoladder.harness.client.LoadTool;
import echoladder.harness.common.Units;
import echoladder.harness.results.RungRecord;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The same server at the same rung by several clients: where their figures agree, and what is known of why not. */
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

  /** A figure: its name, where it is, how it is written. */
  private record Figure(
      String name, Kind kind, Function<LoadResult, @Nullable Double> of, Function<Double, String> text) {}

  private enum Kind {
    RATE,
    RESPONSE,
    SERVICE,
    COST
  }

  private static final List<Figure> FIGURES =
      List.of(
          new Figure("achieved per s", Kind.RATE, LoadResult::achievedPerS, v -> "%,.1f/s".formatted(v)),
          time("response p50", Kind.RESPONSE, load -> load.responseTime().p50Ns()),
          time("response p99", Kind.RESPONSE, load -> load.responseTime().p99Ns()),
          time("service p50", Kind.SERVICE, load -> load.serviceTime().p50Ns()),
          time("service p99", Kind.SERVICE, load -> load.serviceTime().p99Ns()),
          new Figure("server CPU per echo", Kind.COST, LoadResult::serverCpuUsPerEcho, Units::us));

  private Agreement() {}

  private static Figure time(String name, Kind kind, Function<LoadResult, @Nullable Long> ns) {
    return new Figure(
        name,
        kind,
        load -> {
          Long value = ns.apply(load);
          return value == null ? null : (Double) (double) value;
        },
        v -> Units.time(Math.round(v)));
  }

  /** The rows of a run; empty where no server was to be loaded by the open-loop client and by another. */
  static List<Row> rows(Study study, List<RungRecord> all) {
    Map<String, List<RungRecord>> same = new LinkedHashMap<>();
    for (RungRecord rung : all) {
      same.computeIfAbsent(rung.connections() + " " + rung.repeat() + " " + subject(study, rung), key -> new ArrayList<>()).add(rung);
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
    return ToolTimes.client(study, rung).equals(LoadTool.OPEN_LOOP.id());
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
        Units.count(base.connections()) + (study.repeats() == 1 ? "" : ", repeat " + base.repeat());
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
    for (Figure figure : FIGURES) {
      Double a = figure.of.apply(ours);
      Double b = figure.of.apply(theirs);
      if (a == null && b == null) {
        continue;
      }
      rows.add(
          new Row(
              subject,
              connections,
              figure.name,
              a == null ? Units.NONE : figure.text.apply(a),
              client,
              b == null ? Units.NONE : figure.text.apply(b),
              finding(figure, base, other, a, b)));
    }
  }

  private static String finding(Figure figure, RungRecord base, RungRecord other, @Nullable Double a, @Nullable Double b) {
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
    double bound = figure.kind == Kind.RATE ? RATE_SHARE : SHARE;
    double apart = Math.abs(b - a);
    String by = "%+.1f %%".formatted(100 * (b / a - 1));
    if (apart <= bound * a) {
      return "agree (%s)".formatted(by);
    }
    long step = figure.kind == Kind.SERVICE ? LoadTool.ofId(theirs.client()).serviceStepNs() : 0;
    if (apart <= step) {
      return "agree within %s, the step of %s's times".formatted(Units.time(step), theirs.client());
    }
    Long floor = theirs.responseTimeFloorNs();
    if (figure.kind == Kind.RESPONSE && floor != null && b > a && apart <= FLOOR_FACTOR * floor) {
      return "differ by %s: %s's own timers, which delay each send by up to %s"
          .formatted(Units.time(Math.round(apart)), theirs.client(), Units.time(Math.round(FLOOR_FACTOR * floor)));
    }
    double bunch = floor == null ? 0 : theirs.offeredPerS() * floor / 1e9;
    if (floor != null && bunch > 1 && figure.kind == Kind.SERVICE && b > a && apart <= floor) {
      return "differ by %s: %s sends at steps of %s, %.1f messages at each, and those of a step wait for each other"
          .formatted(Units.time(Math.round(apart)), theirs.client(), Units.time(floor), bunch);
    }
    if (floor != null && bunch > 1 && figure.kind == Kind.COST && b < a) {
      return "differ (%s); %s sends at steps of %s, %.1f messages at each, which makes an echo cheaper"
          .formatted(by, theirs.client(), Units.time(floor), bunch);
    }
    Integer looked = theirs.serviceTimeCoverageConnections();
    if (figure.kind == Kind.SERVICE && looked != null) {
      return "differ (%s); %s's are of %s only".formatted(by, theirs.client(), ToolTimes.coverage(theirs));
    }
    return "differ (%s); nothing in the record says why".formatted(by);
  }

  /** Why one of them has no such figure. */
  private static String lacking(Figure figure, LoadResult without, @Nullable Double other) {
    long step = LoadTool.ofId(without.client()).serviceStepNs();
    if (figure.kind == Kind.RESPONSE && without.responseTime().equals(Percentiles.NONE)) {
      return without.client() + " gives none: it times from the actual send";
    }
    if (figure.kind == Kind.SERVICE && step > 0 && other != null && other < 2 * step) {
      return "%s gives none: below its steps of %s, or fewer than %d times beyond it"
          .formatted(without.client(), Units.time(step), Percentiles.SAMPLES_BEYOND);
    }
    return "%s gives none: fewer than %d times beyond it".formatted(without.client(), Percentiles.SAMPLES_BEYOND);
  }
}
