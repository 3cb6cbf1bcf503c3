package echoladder.harness.report.text;

import static java.util.stream.Collectors.joining;

import echoladder.harness.common.Units;
import echoladder.harness.compare.ProcessGroups;
import echoladder.harness.limits.KnownLimit;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.MemoryMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.Percentile;
import echoladder.harness.metric.PushMetrics;
import echoladder.harness.metric.ServerTimes;
import echoladder.harness.metric.Shown;
import echoladder.harness.report.table.ReportTables;
import echoladder.harness.report.words.LabText;
import echoladder.harness.report.words.RungText;
import echoladder.harness.results.ClimbRecord;
import echoladder.harness.results.RunRecord.ServerRecord;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRepeats;
import echoladder.harness.stats.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Climbs that came to the same end, told in one sentence by the least and the most of their figures: of a study with axes
 * there are too many to be read one by one.
 */
final class AlikeClimbs {
  /** So many are still read one by one. */
  private static final int MOST_APART = 6;

  private static final int FEWEST_TOGETHER = 3;

  private final RunRecord run;
  private final ProcessGroups groups;
  private final List<ClimbRecord> climbs;

  private AlikeClimbs(RunRecord run, ProcessGroups groups, List<ClimbRecord> climbs) {
    this.run = run;
    this.groups = groups;
    this.climbs = climbs;
  }

  /** A figure at the rung that all of them carried. */
  private record At(String label, double value, String text) {}

  /** Each climb of a run once, alone or with those like it, in the order of their first. */
  static List<List<ClimbRecord>> of(RunRecord run) {
    List<List<ClimbRecord>> all = new ArrayList<>();
    Map<End, List<ClimbRecord>> groups = new LinkedHashMap<>();
    for (ClimbRecord climb : run.climbs()) {
      groups.computeIfAbsent(end(run, climb), _ -> new ArrayList<>()).add(climb);
    }
    for (List<ClimbRecord> group : groups.values()) {
      if (run.climbs().size() <= MOST_APART || group.size() < FEWEST_TOGETHER || !carried(group)) {
        group.forEach(climb -> all.add(List.of(climb)));
      } else {
        all.add(group);
      }
    }
    all.sort(Comparator.comparingInt(group -> run.climbs().indexOf(group.getFirst())));
    return all;
  }

  private static boolean carried(List<ClimbRecord> group) {
    return group.getFirst().highestValidConnections() != null;
  }

  /** What makes climbs alike. A limit that was touched at the top ended none of them. */
  private record End(
      String server, ClimbRecord.End end, @Nullable Integer highest, @Nullable Integer held, @Nullable Integer endedAt,
      @Nullable KnownLimit limit) {}

  private static End end(RunRecord run, ClimbRecord climb) {
    KnownLimit limit = climb.end() == ClimbRecord.End.TOP_OF_STUDY ? null : climb.limit();
    return new End(server(run, climb).name(), climb.end(), climb.highestValidConnections(), heldBeyond(run, climb),
        climb.endedAtConnections(), limit);
  }

  private static @Nullable Integer heldBeyond(RunRecord run, ClimbRecord climb) {
    return ReportTables.heldBeyond(run, climb).map(repeats -> repeats.any().connections()).orElse(null);
  }

  private static ServerRecord server(RunRecord run, ClimbRecord climb) {
    return run.server(climb.server()).orElseThrow();
  }

  /**
   * What they have in common, and from where to where they go in what they have not.
   *
   * @param end how they ended, as the rest of a sentence
   */
  static String sentence(RunRecord run, ProcessGroups groups, List<ClimbRecord> alike, String end) {
    return new AlikeClimbs(run, groups, alike).sentence(end);
  }

  private String sentence(String end) {
    boolean pushed = run.study().pushes();
    Metric p99 = pushed ? PushMetrics.DELIVERY.at(Percentile.P99) : ServerTimes.in(run.rungs(), Shown.P99);
    String time = (pushed ? "Delivery" : LoadMetrics.SERVER_TIME.has(p99) ? "Server" : "Response") + " time p99";
    Stream<String> figures =
        LabText.quotesTimes(run)
            ? Stream.concat(
                Stream.of(figure(time, p99), figure(pushed ? "Server CPU per delivery" : "Server CPU per echo", LoadMetrics.SERVER_CPU)),
                CrowdAnswer.ALL.stream()
                    .filter(answer -> climbs.stream().allMatch(climb -> answer.saidOf(run, climb)))
                    .map(answer -> figure(answer.heading(), answer.figure())))
            : Stream.of(
                figure("RSS per connection", MemoryMetrics.RSS_PER_CONNECTION),
                figure("Live heap per connection", MemoryMetrics.LIVE_HEAP_PER_CONNECTION));
    Integer held = heldBeyond(run, climbs.getFirst());
    String valid = Units.count(Objects.requireNonNull(climbs.getFirst().highestValidConnections()));
    return "**%s** %s connections in each of %d settings%s%s.%s"
        .formatted(
            server(run, climbs.getFirst()).title(),
            held == null ? "carried " + valid : "held " + Units.count(held),
            climbs.size(),
            held == null ? "" : "; its highest valid rung is " + valid,
            end,
            figures.collect(joining()));
  }

  /** As a sentence with a space before it; empty where none has it. */
  private String figure(String name, Metric figure) {
    List<At> all =
        climbs.stream()
            .flatMap(climb -> at(climb, figure))
            .sorted(Comparator.comparingDouble(At::value))
            .toList();
    return all.isEmpty() ? "" : " %s: %s to %s.".formatted(name, told(all.getFirst()), told(all.getLast()));
  }

  private static String told(At at) {
    return "%s (%s)".formatted(at.text(), at.label());
  }

  private Stream<At> at(ClimbRecord climb, Metric figure) {
    RungRepeats rung = RungRepeats.at(climb.server(), Objects.requireNonNull(climb.highestValidConnections()), run.rungs());
    Spread spread = rung.spread(figure);
    return spread == null
        ? Stream.empty()
        : Stream.of(new At(climb.server(), spread.median(), new RungText(rung, false, groups, run.runId()).of(figure)));
  }
}
