package echoladder.harness.report;

import echoladder.client.LoadResult;
import echoladder.client.Percentiles;
import echoladder.harness.report.Panel.Across;
import echoladder.harness.report.Panel.Line;
import echoladder.harness.report.Panel.Mark;
import echoladder.harness.report.Panel.Unit;
import echoladder.harness.results.ProbeFigures;
import echoladder.harness.results.RunRecord;
import echoladder.harness.stats.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What is plotted over the connections. Percentiles are never averaged: of repeats stands the median with the lowest and
 * the highest beside it. A figure that there is not has no mark.
 */
final class LadderPanels {
  private static final Kind P99 = time("p99", "Response time, p99", 99, Percentiles::p99Ns);
  private static final Kind CPU =
      new Kind("cpu", "Server CPU per echo", Unit.CPU_US, false, 0, m -> load(m, LoadResult::serverCpuUsPerEcho));

  private static final List<Kind> TIMES =
      List.of(
          time("p50", "Response time, median (p50)", 50, Percentiles::p50Ns),
          P99,
          time("p999", "Response time, p99.9", 99.9, Percentiles::p999Ns),
          time("max", "Response time, maximum (a single message)", 100, Percentiles::maxNs));

  private static final List<Kind> COSTS =
      List.of(
          CPU,
          new Kind(
              "floor", "The same as a multiple of the floor's", Unit.MULTIPLE, false, 0,
              m -> probes(m, ProbeFigures::serverCpuMultipleOfFloor)));

  /** The main figures, where there is no room for all. */
  static final List<Kind> MAIN =
      List.of(
          P99,
          CPU,
          new Kind(
              "rss", "RSS per connection", Unit.KIB, false, 0,
              m -> kib(m, ProbeFigures::serverRssBytesPerConnection)),
          new Kind(
              "heap", "Live heap per connection", Unit.KIB, false, 0,
              m -> kib(m, ProbeFigures::serverLiveHeapBytesPerConnection)));

  private LadderPanels() {}

  /** One kind of value that a rung may have. */
  interface Figure extends Function<Measurement, @Nullable Double> {}

  /**
   * A figure as it is plotted.
   *
   * @param percentile of response times; 0 = it is none, and never a lower bound
   */
  record Kind(String id, String title, Unit unit, boolean logarithmic, double percentile, Figure figure) {
    Kind named(String otherId, String otherTitle) {
      return new Kind(otherId, otherTitle, unit, logarithmic, percentile, figure);
    }
  }

  /** Response times; none of a load without a ladder of connections (users in stages). */
  static List<Panel> responseTimes(RunRecord run) {
    return panels(run, TIMES);
  }

  /** CPU per echo, as it is and as a multiple of the floor's. */
  static List<Panel> cpu(RunRecord run) {
    return panels(run, COSTS);
  }

  private static List<Panel> panels(RunRecord run, List<Kind> kinds) {
    TreeMap<Integer, List<Measurement>> servers = new TreeMap<>();
    if (run.study().load().staged() == null) {
      Measurement.all(run).forEach(m -> servers.computeIfAbsent(m.server(), _ -> new ArrayList<>()).add(m));
    }
    return kinds.stream()
        .flatMap(kind -> panel(kind, Across.CONNECTIONS, servers, m -> m.rung().connections()).stream())
        .toList();
  }

  private static Kind time(String id, String title, double percentile, Function<Percentiles, @Nullable Long> of) {
    return new Kind(
        id, title, Unit.TIME_NS, true, percentile,
        m -> {
          Long ns = load(m, l -> of.apply(l.responseTime()));
          return ns == null ? null : (Double) (double) ns;
        });
  }

  /**
   * A panel; empty where nothing was measured of it.
   *
   * @param lines what each line is made of, by its index among the series
   * @param at where a measurement stands across
   */
  static Optional<Panel> panel(
      Kind kind, Across across, Map<Integer, List<Measurement>> lines, ToIntFunction<Measurement> at) {
    List<Line> drawn = new ArrayList<>();
    lines.forEach(
        (series, rungs) -> {
          List<Mark> marks = marks(rungs, kind, at);
          if (!marks.isEmpty()) {
            drawn.add(new Line(series, marks));
          }
        });
    return drawn.isEmpty()
        ? Optional.empty()
        : Optional.of(new Panel(kind.id(), kind.title(), kind.unit(), kind.logarithmic(), across, drawn));
  }

  private static List<Mark> marks(List<Measurement> rungs, Kind kind, ToIntFunction<Measurement> at) {
    TreeMap<Integer, List<Measurement>> places = new TreeMap<>();
    for (Measurement m : rungs) {
      if (kind.figure().apply(m) != null) {
        places.computeIfAbsent(at.applyAsInt(m), _ -> new ArrayList<>()).add(m);
      }
    }
    List<Mark> marks = new ArrayList<>();
    places.forEach(
        (place, repeats) -> {
          List<Double> valid = new ArrayList<>();
          for (Measurement m : repeats) {
            Double value = kind.figure().apply(m);
            if (value == null) {
              continue;
            }
            if (m.rung().valid()) {
              valid.add(value);
            } else {
              marks.add(new Mark(place, value, value, value, 1, false, atLeast(m, kind.percentile())));
            }
          }
          if (!valid.isEmpty()) {
            Spread of = Spread.of(valid);
            marks.add(new Mark(place, of.median(), of.least(), of.most(), of.count(), true, false));
          }
        });
    return marks;
  }

  /** Any unanswered message makes a rung invalid, so a valid value is never a lower bound. */
  private static boolean atLeast(Measurement m, double percentile) {
    Double beyond = load(m, LoadResult::responseTimeLowerBoundBeyond);
    return beyond != null && percentile > beyond;
  }

  private static <T> @Nullable T load(Measurement m, Function<LoadResult, @Nullable T> of) {
    LoadResult load = m.rung().load();
    return load == null ? null : of.apply(load);
  }

  private static @Nullable Double kib(Measurement m, Function<ProbeFigures, @Nullable Double> of) {
    Double bytes = probes(m, of);
    return bytes == null ? null : (Double) (bytes / 1024);
  }

  private static <T> @Nullable T probes(Measurement m, Function<ProbeFigures, @Nullable T> of) {
    ProbeFigures probes = m.rung().probes();
    return probes == null ? null : of.apply(probes);
  }
}
