package echoladder.harness.report.plot;

import echoladder.harness.common.Units;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.ServerTimes;
import echoladder.harness.metric.Shown;
import echoladder.harness.report.words.Measurement;
import echoladder.harness.report.words.RungText;
import echoladder.harness.results.RunRecord;
import echoladder.harness.study.StudyLoad;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is plotted over the rate, where it is a part of a rung's key: a panel of each figure for each connection count, and for
 * each kind of load where servers get several. A figure that may not be quoted has no mark.
 */
final class RatePanels {
  private RatePanels() {}

  /** The panels by the name of their plot; none of a run of one rate. */
  static Map<String, List<Panel>> of(RunRecord run) {
    Map<String, List<Panel>> plots = new LinkedHashMap<>();
    if (RungText.severalRates(run)) {
      Shown.OVER_RATES.forEach(
          (name, figures) -> {
            List<Panel> panels = new ArrayList<>();
            ServerTimes.in(run.rungs(), figures).forEach(figure -> panels(run, figure, panels));
            if (!panels.isEmpty()) {
              plots.put(name + "-over-rate", panels);
            }
          });
    }
    return plots;
  }

  private static void panels(RunRecord run, Metric figure, List<Panel> into) {
    List<StudyLoad> loads = run.study().servers().stream().map(run.study()::load).distinct().toList();
    for (int connections : run.study().rungs()) {
      for (StudyLoad load : loads) {
        TreeMap<Integer, List<Measurement>> servers = new TreeMap<>();
        Measurement.all(run).stream()
            .filter(m -> m.rung().stand() != null && m.rung().connections() == connections)
            .filter(m -> run.study().entry(m.rung().server()).map(entry -> run.study().load(entry).equals(load)).orElse(false))
            .forEach(m -> servers.computeIfAbsent(m.server(), _ -> new ArrayList<>()).add(m));
        String title =
            "%s, %s connections%s"
                .formatted(figure.words().title(), Units.count(connections), loads.size() == 1 ? "" : ", " + words(loads, load));
        Across rates = Across.counts(run.study().rateUnit());
        LadderPanels.panel(figure, title, rates, servers, m -> (int) Math.round(m.rung().ratePerS())).ifPresent(into::add);
      }
    }
  }

  /** What tells a load from the others: its processors, and where these are the same its number. */
  private static String words(List<StudyLoad> loads, StudyLoad load) {
    long alike = loads.stream().filter(other -> other.place().equals(load.place())).count();
    return load.place() + (alike == 1 ? "" : ", load %d".formatted(loads.indexOf(load) + 1));
  }
}
