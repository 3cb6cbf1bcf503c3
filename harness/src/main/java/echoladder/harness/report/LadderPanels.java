package echoladder.harness.report;

import echoladder.client.LoadResult;
import echoladder.client.Percentiles;
import echoladder.harness.report.Panel.Line;
import echoladder.harness.report.Panel.Mark;
import echoladder.harness.report.Panel.Unit;
import echoladder.harness.results.ProbeFigures;
import echoladder.harness.results.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is plotted over the connections. Percentiles are never averaged: of repeats stands the median with the lowest and
 * the highest beside it. A figure that there is not has no mark.
 */
final class LadderPanels {
  private final List<Measurement> all;
  private final List<Panel> panels = new ArrayList<>();

  private LadderPanels(List<Measurement> all) {
    this.all = all;
  }

  /** One kind of value that a rung may have; a percentile of 0 is never a lower bound. */
  private interface Figure extends Function<Measurement, @Nullable Double> {}

  /** Response times; none of a load without a ladder of connections (users in stages). */
  static List<Panel> responseTimes(RunRecord run) {
    LadderPanels of = new LadderPanels(ladder(run));
    of.time("p50", "Response time, median (p50)", 50, Percentiles::p50Ns);
    of.time("p99", "Response time, p99", 99, Percentiles::p99Ns);
    of.time("p999", "Response time, p99.9", 99.9, Percentiles::p999Ns);
    of.time("max", "Response time, maximum (a single message)", 100, Percentiles::maxNs);
    return of.panels;
  }

  /** CPU per echo, as it is and as a multiple of the floor's. */
  static List<Panel> cpu(RunRecord run) {
    LadderPanels of = new LadderPanels(ladder(run));
    of.add("cpu", "Server CPU per echo", Unit.CPU_US, false, 0, m -> load(m, LoadResult::serverCpuUsPerEcho));
    of.add(
        "floor", "The same as a multiple of the floor's", Unit.MULTIPLE, false, 0,
        m -> probes(m, ProbeFigures::serverCpuMultipleOfFloor));
    return of.panels;
  }

  private static List<Measurement> ladder(RunRecord run) {
    return run.study().load().staged() == null ? Measurement.all(run) : List.of();
  }

  private void time(String id, String title, double percentile, Function<Percentiles, @Nullable Long> of) {
    add(
        id, title, Unit.TIME_NS, true, percentile,
        m -> {
          Long ns = load(m, l -> of.apply(l.responseTime()));
          return ns == null ? null : (Double) (double) ns;
        });
  }

  /** Adds a panel unless nothing was measured of it. */
  private void add(String id, String title, Unit unit, boolean logarithmic, double percentile, Figure figure) {
    TreeMap<Integer, List<Measurement>> servers = new TreeMap<>();
    all.forEach(m -> servers.computeIfAbsent(m.server(), _ -> new ArrayList<>()).add(m));
    List<Line> lines = new ArrayList<>();
    servers.forEach(
        (server, rungs) -> {
          List<Mark> marks = marks(rungs, percentile, figure);
          if (!marks.isEmpty()) {
            lines.add(new Line(server, marks));
          }
        });
    if (!lines.isEmpty()) {
      panels.add(new Panel(id, title, unit, logarithmic, lines));
    }
  }

  private static List<Mark> marks(List<Measurement> rungs, double percentile, Figure figure) {
    TreeMap<Integer, List<Measurement>> byConnections = new TreeMap<>();
    for (Measurement m : rungs) {
      if (figure.apply(m) != null) {
        byConnections.computeIfAbsent(m.rung().connections(), _ -> new ArrayList<>()).add(m);
      }
    }
    List<Mark> marks = new ArrayList<>();
    byConnections.forEach(
        (connections, repeats) -> {
          List<Double> valid = new ArrayList<>();
          for (Measurement m : repeats) {
            Double value = figure.apply(m);
            if (value == null) {
              continue;
            }
            if (m.rung().valid()) {
              valid.add(value);
            } else {
              marks.add(new Mark(connections, value, value, value, 1, false, atLeast(m, percentile)));
            }
          }
          if (!valid.isEmpty()) {
            valid.sort(null);
            marks.add(
                new Mark(connections, median(valid), valid.getFirst(), valid.getLast(), valid.size(), true, false));
          }
        });
    return marks;
  }

  /** Any unanswered message makes a rung invalid, so a valid value is never a lower bound. */
  private static boolean atLeast(Measurement m, double percentile) {
    Double beyond = load(m, LoadResult::responseTimeLowerBoundBeyond);
    return beyond != null && percentile > beyond;
  }

  /** Of sorted values; of an even number the mean of the middle two. */
  static double median(List<Double> sorted) {
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
  }

  private static <T> @Nullable T load(Measurement m, Function<LoadResult, @Nullable T> of) {
    LoadResult load = m.rung().load();
    return load == null ? null : of.apply(load);
  }

  private static <T> @Nullable T probes(Measurement m, Function<ProbeFigures, @Nullable T> of) {
    ProbeFigures probes = m.rung().probes();
    return probes == null ? null : of.apply(probes);
  }
}
