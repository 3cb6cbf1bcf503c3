package echoladder.harness.report.plot;

import echoladder.harness.compare.ProcessGroups;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.ServerTimes;
import echoladder.harness.metric.Shown;
import echoladder.harness.metric.Unit;
import echoladder.harness.report.plot.Panel.Line;
import echoladder.harness.report.plot.Panel.Mark;
import echoladder.harness.report.plot.Panel.Style;
import echoladder.harness.report.words.Measurement;
import echoladder.harness.report.words.RungText;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRepeats;
import echoladder.harness.stats.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is plotted over the connections. Percentiles are never averaged: of repeats stands the median with the lowest and
 * the highest beside it. Processes that fall apart in groups have a line for each group. A figure that there is not has no mark.
 */
final class LadderPanels {
  private LadderPanels() {}

  /** Server times, or response times where none was stamped; none of a load without a ladder of connections (users in stages). */
  static List<Panel> times(RunRecord run, ProcessGroups groups) {
    return panels(run, groups, Shown.TIMES_PLOTTED);
  }

  /** CPU per echo, as it is and as a multiple of the floor's. */
  static List<Panel> cpu(RunRecord run, ProcessGroups groups) {
    return panels(run, groups, Shown.COSTS_PLOTTED);
  }

  private static List<Panel> panels(RunRecord run, ProcessGroups groups, List<Metric> figures) {
    TreeMap<Integer, List<Measurement>> servers = new TreeMap<>();
    // Where the rate is a part of a rung's key, a figure over the connections alone would be of several rates at once.
    if (run.study().load().staged() == null && !RungText.severalRates(run)) {
      Measurement.all(run).forEach(m -> servers.computeIfAbsent(m.server(), _ -> new ArrayList<>()).add(m));
    }
    return ServerTimes.in(run.rungs(), figures).stream()
        .flatMap(
            figure ->
                panel(
                        figure, figure.words().title(), Across.CONNECTIONS, servers, m -> m.rung().connections(),
                        m -> note(groups.high(figure, run.runId(), m.rung().key())))
                    .stream())
        .toList();
  }

  private static String note(@Nullable Boolean high) {
    return high == null ? "" : high ? ", upper group" : ", lower group";
  }

  /**
   * A panel; empty where nothing was measured of it.
   *
   * @param lines what each line is made of, by its index among the series
   * @param at where a measurement stands across
   */
  static Optional<Panel> panel(
      Metric figure,
      String title,
      Across across,
      Map<Integer, List<Measurement>> lines,
      ToIntFunction<Measurement> at) {
    return panel(figure, title, across, lines, at, _ -> "");
  }

  private static Optional<Panel> panel(
      Metric figure,
      String title,
      Across across,
      Map<Integer, List<Measurement>> lines,
      ToIntFunction<Measurement> at,
      Function<Measurement, String> note) {
    List<Line> drawn = new ArrayList<>();
    lines.forEach(
        (series, rungs) ->
            rungs.stream().collect(Collectors.groupingBy(note, TreeMap::new, Collectors.toList())).forEach(
                (of, part) -> {
                  List<Mark> marks = marks(part, figure, at, across.kind() == Across.Kind.COUNTS);
                  if (!marks.isEmpty()) {
                    drawn.add(new Line(series, of, Style.MARKS, marks));
                  }
                }));
    return drawn.isEmpty()
        ? Optional.empty()
        : Optional.of(new Panel(title, figure.unit(), figure.unit() == Unit.NS, across, drawn));
  }

  private static List<Mark> marks(List<Measurement> rungs, Metric figure, ToIntFunction<Measurement> at, boolean climb) {
    TreeMap<Integer, List<Measurement>> places = new TreeMap<>();
    for (Measurement m : rungs) {
      places.computeIfAbsent(at.applyAsInt(m), _ -> new ArrayList<>()).add(m);
    }
    List<Mark> marks = new ArrayList<>();
    places.forEach(
        (place, repeats) -> {
          RungRepeats group = new RungRepeats(repeats.stream().map(Measurement::rung).toList());
          for (Measurement m : repeats) {
            Double value = figure.value(m.rung());
            if (value != null && !m.rung().valid()) {
              marks.add(new Mark(place, value, Objects.requireNonNull(m.rung().load()).verdict(), figure.atLeast(m.rung())));
            }
          }
          // With any unanswered message a rung is not valid, so a valid value is never a lower bound.
          Spread valid = group.valid().isEmpty() ? null : group.spread(figure);
          if (valid != null) {
            marks.add(Mark.of(place, valid));
          }
        });
    if (climb) {
      end(rungs, at, marks);
    }
    return marks;
  }

  /** A line of a climb ends at the first connections beyond its values that were only found too many. */
  private static void end(List<Measurement> rungs, ToIntFunction<Measurement> at, List<Mark> marks) {
    if (marks.isEmpty()) {
      return;
    }
    Mark last = marks.getLast();
    rungs.stream()
        .filter(m -> m.rung().saturated() && at.applyAsInt(m) > last.place())
        .mapToInt(at)
        .min()
        .ifPresent(place -> marks.add(Mark.end(place, last.value())));
  }
}
