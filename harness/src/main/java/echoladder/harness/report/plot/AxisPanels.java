package echoladder.harness.report.plot;

import echoladder.harness.common.Units;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.ServerTimes;
import echoladder.harness.metric.Shown;
import echoladder.harness.report.words.Measurement;
import echoladder.harness.results.RunRecord;
import echoladder.harness.study.AxisPoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What is plotted over the axes of a study: the main figures at each connection count. */
final class AxisPanels {
  private AxisPanels() {}

  /** By axis, in the study's order; none of a study without axes. */
  static Map<String, List<Panel>> of(RunRecord run) {
    Map<String, List<Panel>> all = new LinkedHashMap<>();
    List<AxisLine> lines = AxisLine.all(run);
    for (String axis : lines.stream().map(AxisLine::axis).distinct().toList()) {
      List<Panel> panels = new ArrayList<>();
      for (Metric figure : ServerTimes.in(run.rungs(), Shown.OVER_AXES)) {
        for (int connections : run.study().rungs()) {
          panel(run, axis, lines, figure, connections, panels);
        }
      }
      if (!panels.isEmpty()) {
        all.put(axis, panels);
      }
    }
    return all;
  }

  private static void panel(
      RunRecord run, String axis, List<AxisLine> lines, Metric figure, int connections, List<Panel> into) {
    List<String> values = List.copyOf(run.study().axes().getOrDefault(axis, Set.of()));
    TreeMap<Integer, List<Measurement>> measured = new TreeMap<>();
    for (int i = 0; i < lines.size(); i++) {
      AxisLine line = lines.get(i);
      if (line.axis().equals(axis)) {
        // The lines stand behind the entries of the study, see AxisLine.series.
        measured.put(
            run.servers().size() + i,
            Measurement.all(run).stream()
                .filter(m -> m.rung().connections() == connections && line.entries().contains(m.rung().server()))
                .toList());
      }
    }
    LadderPanels.panel(
            figure,
            "%s, %s connections".formatted(figure.words().title(), Units.count(connections)),
            new Across(axis, values), measured, m -> values.indexOf(value(run, m, axis)))
        .ifPresent(into::add);
  }

  private static String value(RunRecord run, Measurement m, String axis) {
    AxisPoint point = run.study().entry(m.rung().server()).orElseThrow().point();
    return point == null ? "" : point.values().getOrDefault(axis, "");
  }
}
