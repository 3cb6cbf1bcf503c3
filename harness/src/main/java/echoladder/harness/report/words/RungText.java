package echoladder.harness.report.words;

import static java.util.stream.Collectors.joining;

import echoladder.client.LoadResult;
import echoladder.harness.common.Units;
import echoladder.harness.compare.ProcessGroups;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.Quoting;
import echoladder.harness.metric.ServerTimes;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord.Status;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.RungRepeats;
import echoladder.harness.stats.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The cells of one rung, as every table shows them: of several repeats the median, and the range where that is asked for; of processes
 * that fall apart in groups the median of each group.
 */
public final class RungText {
  /** Rungs that differ in neither stay in the order of the run. */
  private static final Comparator<RungRecord> ASCENDING =
      Comparator.comparingInt(RungRecord::connections)
          .thenComparingDouble(rung -> Objects.requireNonNullElse(rung.key().ratePerS(), 0.0));

  private static final String AT_LEAST = "≥ ";
  private static final String AT_MOST = "≤ ";

  /** A bound is told where it is more than so many times the time. */
  private static final double TELLS = 1.1;

  private final RungRepeats rung;
  private final boolean ranges;
  private final ProcessGroups groups;
  private final String runId;

  public RungText(RungRecord rung) {
    this(new RungRepeats(List.of(rung)), false);
  }

  public RungText(RungRepeats rung, boolean ranges) {
    this(rung, ranges, ProcessGroups.NONE, "");
  }

  /** A rung of a run some of whose servers may have groups of processes: those stand where there is no median. */
  public RungText(RungRepeats rung, boolean ranges, ProcessGroups groups, String runId) {
    this.rung = rung;
    this.ranges = ranges;
    this.groups = groups;
    this.runId = runId;
  }

  /** The rungs of a run by server in the order of the study, ascending: as a ladder is read. Checks for drift are among them. */
  public static List<RungRecord> byServer(RunRecord run) {
    List<RungRecord> sorted = new ArrayList<>();
    for (RunRecord.ServerRecord server : run.servers()) {
      run.rungs().stream().filter(r -> r.server().equals(server.label())).sorted(ASCENDING).forEach(sorted::add);
    }
    return sorted;
  }

  /** Whether the rate is a part of some rung's key, so that tables have a column of it. */
  public static boolean severalRates(RunRecord run) {
    return run.rungs().stream().anyMatch(rung -> rung.stand() != null);
  }

  /** The rungs by server, the repeats of a rung together. */
  public static List<RungRepeats> repeatsByServer(RunRecord run) {
    return RungRepeats.of(byServer(run));
  }

  /** Server, connections, rate and which repeat: of a run of single rungs without the last. */
  public static String where(RunRecord run, RungRecord rung) {
    return rung.server()
        + " "
        + rung.key().load()
        + (rung.driftCheck() ? ", check for drift" : "")
        + (run.study().repeats() == 1 ? "" : ", repeat " + rung.repeat());
  }

  String connections() {
    return Units.count(rung.any().connections());
  }

  /** Columns that tell a rung of a server: connections, and the rate where it is a part of the key. */
  public static List<String> heads(RunRecord run) {
    return severalRates(run) ? List.of("connections", run.study().rateUnit()) : List.of("connections");
  }

  /** The cells of those columns. */
  public List<String> cells(RunRecord run) {
    Double rate = rung.any().key().ratePerS();
    return severalRates(run) ? List.of(connections(), rate == null ? Units.NONE : Units.plain(rate)) : List.of(connections());
  }

  /**
   * A figure with its signs, which {@link Legend} explains. A server time has its upper bound beside it where the two differ by more
   * than a tenth; without stamps the upper bound stands alone.
   */
  public String of(Metric figure) {
    Metric upper = ServerTimes.bound(figure);
    if (upper == null || groups.cell(figure, Map.of(runId, rung.shown())).isPresent()) {
      return alone(figure);
    }
    Spread time = rung.spread(figure);
    Spread bound = rung.spread(upper);
    if (time == null) {
      String least = bound == null ? Units.NONE : alone(upper);
      return bound == null || least.startsWith(AT_LEAST) ? least : AT_MOST + least;
    }
    if (bound == null || bound.median() <= TELLS * time.median() || atLeast(figure)) {
      return alone(figure);
    }
    String both =
        ranges && time.least() < time.most()
            ? "%s (%s)".formatted(alone(figure, false), AT_MOST + upper.unit().text(bound.median()))
            : Units.bracket(Math.round(time.median()), Math.round(bound.median()));
    return both + mark(figure);
  }

  /** A figure of one rung with its signs, outside of a table. */
  public static String cell(RungRecord rung, Metric figure) {
    return new RungText(rung).of(figure);
  }

  /** A figure without its upper bound; the bound where there is nothing else. */
  public String unbounded(Metric figure) {
    return rung.spread(figure) == null ? of(figure) : alone(figure);
  }

  /** A figure without its bound. */
  public String alone(Metric figure) {
    return rung.spread(figure) == null ? Units.NONE : alone(figure, true);
  }

  private String alone(Metric figure, boolean marked) {
    Spread spread = Objects.requireNonNull(rung.spread(figure));
    boolean timers =
        LoadMetrics.RESPONSE.has(figure)
            && loads().anyMatch(l -> l.responseTimeFloorNs() != null && spread.median() < 2 * l.responseTimeFloorNs());
    String text =
        groups.cell(figure, Map.of(runId, rung.shown()))
            .orElseGet(() -> ranges ? figure.unit().range(spread) : figure.unit().text(spread.median()));
    return (atLeast(figure) ? AT_LEAST : "") + text + (timers ? Legend.TIMERS : "") + (marked ? mark(figure) : "");
  }

  /** Whether the figure is a lower bound, as part of the messages was never answered. */
  private boolean atLeast(Metric figure) {
    return rung.shown().stream().anyMatch(figure::atLeast);
  }

  private String mark(Metric figure) {
    return rung.shown().stream().map(one -> Legend.sign(Quoting.mark(figure, one))).filter(sign -> !sign.isEmpty()).findFirst().orElse("");
  }

  /** Whether it has that figure, or of a server time its upper bound. */
  public boolean has(Metric figure) {
    Metric upper = ServerTimes.bound(figure);
    return rung.spread(figure) != null || (upper != null && rung.spread(upper) != null);
  }

  /** The cells of several figures. */
  public List<String> of(List<Metric> figures) {
    return figures.stream().map(this::of).toList();
  }

  private Stream<LoadResult> loads() {
    return rung.shown().stream().map(RungRecord::load).filter(Objects::nonNull);
  }

  /** valid, saturated or INVALID with the reasons' names, how many of the repeats are what, or why there is nothing. */
  public String verdict() {
    List<RungRecord> measured = rung.rungs().stream().filter(r -> r.status() == Status.MEASURED).toList();
    if (measured.isEmpty()) {
      return switch (rung.any().status()) {
        case OUT_OF_REACH -> "out of reach";
        case CLIENT_MISSING -> "client missing";
        case NOT_ATTEMPTED, MEASURED -> "not attempted";
      };
    }
    long valid = measured.stream().filter(RungRecord::valid).count();
    String reasons =
        measured.stream()
            .filter(r -> r.load() != null)
            .flatMap(r -> r.load().verdictReasons().stream())
            .map(doubt -> doubt.reason().id())
            .distinct()
            .collect(joining(", "));
    long saturated = measured.stream().filter(RungRecord::saturated).count();
    if (valid == measured.size()) {
      return "valid";
    }
    if (valid == 0) {
      String few = saturated == 0 || saturated == measured.size() ? "" : " in %d of %d".formatted(saturated, measured.size());
      return (saturated == 0 ? "INVALID: " : "saturated" + few + ": ") + reasons;
    }
    return "%d of %d valid%s: %s"
        .formatted(valid, measured.size(), saturated == 0 ? "" : ", %d saturated".formatted(saturated), reasons);
  }

  /** The verdict without its reasons. */
  public String briefVerdict() {
    return verdict().replaceFirst(": .*", "");
  }

  /** The verdict, in bold where it is not simply valid. */
  public String markedVerdict() {
    String verdict = verdict();
    return verdict.equals("valid") ? verdict : "**" + verdict + "**";
  }
}
