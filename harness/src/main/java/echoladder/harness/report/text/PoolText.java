package echoladder.harness.report.text;

import echoladder.harness.common.Units;
import echoladder.harness.compare.Pool;
import echoladder.harness.metric.Metric;
import echoladder.harness.report.table.Table;
import echoladder.harness.report.words.Legend;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungKey;
import echoladder.harness.results.RungRepeats;
import echoladder.harness.stats.Interval;
import echoladder.harness.stats.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Several runs as one sample, for a terminal. Pure. */
public final class PoolText {
  private PoolText() {}

  /** The runs, their hosts, the servers in pairs, each server, and what the columns mean. */
  public static String of(Pool pool) {
    StringBuilder out = new StringBuilder();
    for (Pool.Host host : pool.hosts()) {
      out.append(Legend.lines("%d runs on %s:".formatted(host.runs().size(), host.fingerprint().text())));
      host.runs().forEach(run -> out.append("  %s  %s, %s%n".formatted(run.runId(), run.study().name(), Units.clockTime(run.startedAt()))));
    }
    out.append(Legend.lines("Load: " + OfferedText.of(pool.runs().getFirst().study()))).append('\n');
    add(out, pairs(pool));
    add(out, servers(pool));
    pool.hosts().forEach(host -> host.groups().sentences().forEach(line -> out.append(Legend.lines(line))));
    Legend.of(out.toString()).forEach(line -> out.append(Legend.lines(line)));
    if (!pool.left().isEmpty()) {
      out.append(Legend.lines("Not pooled, as one run alone has pairs: " + String.join("; ", pool.left()) + "."));
    }
    if (!pool.builtOtherwise().isEmpty()) {
      out.append(
          Legend.lines(
              "Of one version, and built from other sources in one of the runs: " + String.join(", ", pool.builtOtherwise()) + "."));
    }
    worth(pool).forEach(line -> out.append(Legend.lines(line)));
    return out.toString();
  }

  private static void add(StringBuilder out, Table table) {
    if (!table.isEmpty()) {
      table.lines().forEach(line -> out.append(line).append('\n'));
      out.append('\n');
    }
  }

  private static Table pairs(Pool pool) {
    boolean groups = pool.rows().stream().anyMatch(row -> !row.group().isEmpty());
    Table table = new Table().words("figure", "first", "second").figures("connections", "runs", "pairs", "ratio", "over runs", "next run",
        "within one run");
    table = groups ? table.words("group of processes") : table;
    for (Pool.Row row : pool.rows()) {
      int pairs = row.runs().stream().mapToInt(run -> run.ratio().pairs()).sum();
      List<String> cells =
          new ArrayList<>(
              List.of(
                  row.figure().label() + Legend.sign(pool.mark(row)), row.first(), row.second(), connections(row.rungs()),
                  String.valueOf(row.runs().size()), String.valueOf(pairs), Units.ratio(row.over().ratio()), text(row.over().interval()),
                  text(row.over().next()),
                  text(within(row))));
      if (groups) {
        cells.add(row.group());
      }
      table.row(cells);
    }
    return table;
  }

  private static String connections(List<RungKey> rungs) {
    return rungs.size() == 1
        ? rungs.getFirst().load()
        : "%s–%s, %d rungs".formatted(rungs.getFirst().load(), rungs.getLast().load(), rungs.size());
  }

  private static String text(@Nullable Interval interval) {
    return interval == null ? Units.NONE : Units.interval(interval);
  }

  /** The interval of the run whose own is in the middle by its width; null where no run has enough pairs. */
  static @Nullable Interval within(Pool.Row row) {
    List<Interval> intervals =
        row.runs().stream()
            .map(run -> run.ratio().interval())
            .filter(Objects::nonNull)
            .map(Objects::requireNonNull)
            .sorted(Comparator.comparingDouble(interval -> interval.high() / interval.low()))
            .toList();
    return intervals.isEmpty() ? null : intervals.get(intervals.size() / 2);
  }

  private static Table servers(Pool pool) {
    List<Metric> figures = pool.ofEach();
    boolean hosts = pool.hosts().size() > 1;
    Table table =
        new Table().words("server").figures("connections", "runs", "processes").figures(figures.stream().map(Metric::label).toList());
    table = hosts ? table.words("kernel of the host") : table;
    for (Pool.Server server : pool.servers()) {
      List<String> cells =
          new ArrayList<>(
              List.of(
                  server.at().server(), server.at().load(), String.valueOf(server.runs().size()), String.valueOf(server.processes())));
      figures.forEach(figure -> cells.add(cell(server, figure)));
      if (hosts) {
        cells.add(Objects.requireNonNullElse(server.host().fingerprint().facts().get("kernel.release"), Units.NONE));
      }
      table.row(cells);
    }
    return table;
  }

  /** The median of the runs' medians with the least and the most of them; of processes in groups the median of each group. */
  private static String cell(Pool.Server server, Metric figure) {
    return server.host().groups().cell(figure, server.runs())
        .orElseGet(
            () -> {
              List<Double> medians =
                  server.runs().values().stream()
                      .map(rungs -> new RungRepeats(rungs).spread(figure))
                      .filter(Objects::nonNull)
                      .map(Objects::requireNonNull)
                      .map(Spread::median)
                      .toList();
              return medians.isEmpty() ? Units.NONE : figure.unit().range(Spread.of(medians));
            });
  }

  private static List<String> worth(Pool pool) {
    List<String> worth = new ArrayList<>();
    boolean hosts = pool.hosts().size() > 1;
    worth.add(
        ("Ratio: of first to second in pairs of one repeat; every run counts alike. Over runs: where the ratio lies, with 95 %% or"
                + " more. Next run: where the ratio of one further run lies. Both are from a bootstrap of %s and pairs. Within one run: the"
                + " signed-rank interval of the run whose interval is in the middle by its width; it has nothing of what differs between"
                + " runs.")
            .formatted(hosts ? "hosts, runs" : "runs"));
    if (hosts) {
      worth.add(
          "Hosts of %d kinds are the highest level: the intervals are those of any host of such kinds, by %d of them."
              .formatted(pool.hosts().size(), pool.hosts().size()));
    } else if (pool.runs().size() < 5) {
      worth.add("Of %d runs the spread between runs is hardly known, so the intervals over runs are wide.".formatted(pool.runs().size()));
    }
    worth.add("Of each server: the median of its runs' medians, with the least and the most of these.");
    List<String> days = pool.runs().stream().map(RunRecord::startedAt).map(at -> at.substring(0, 10)).distinct().sorted().toList();
    worth.add("Days: " + days.stream().collect(Collectors.joining(", ")) + ".");
    return worth;
  }
}
