package echoladder.harness.report.plot;

import echoladder.harness.report.words.RungText;
import echoladder.harness.results.RunRecord;
import echoladder.harness.study.AxisPoint;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A line over an axis of the study: the entries of one server that are alike on all other axes.
 *
 * @param entries labels of them
 * @param series its name, the server's hue and a mark
 */
public record AxisLine(String axis, Set<String> entries, Series series) {
  public AxisLine {
    entries = Set.copyOf(entries);
  }

  /** Those of every axis that has more than one value, in the study's order; none of users in stages, nor of several rates. */
  static List<AxisLine> all(RunRecord run) {
    List<AxisLine> all = new ArrayList<>();
    if (run.study().load().staged() == null && !RungText.severalRates(run)) {
      run.study().axes().forEach(
          (axis, values) -> {
            if (values.size() > 1) {
              all.addAll(over(run, axis));
            }
          });
    }
    return all;
  }

  /** Whatever of a run has a name, a colour and a mark: the entries of the study at their index, then the lines over its axes. */
  public static List<Series> series(RunRecord run) {
    List<Series> all = new ArrayList<>();
    List<String> colours = Palette.colours(run);
    for (int i = 0; i < run.servers().size(); i++) {
      String label = run.servers().get(i).label();
      // Over the rate, a panel has the values of the axes in its title.
      boolean onAxes =
          !RungText.severalRates(run) && run.study().entry(label).map(entry -> entry.point() != null).orElse(false);
      all.add(new Series(label, colours.get(i), Palette.shape(i), onAxes));
    }
    all(run).forEach(line -> all.add(line.series()));
    return all;
  }

  private static List<AxisLine> over(RunRecord run, String axis) {
    Map<String, Map<String, Set<String>>> servers = new LinkedHashMap<>();
    for (Study.Entry entry : run.study().servers()) {
      AxisPoint point = entry.point();
      if (point != null && point.values().containsKey(axis)) {
        Map<String, String> others = new LinkedHashMap<>(point.values());
        others.remove(axis);
        servers
            .computeIfAbsent(point.server(), _ -> new LinkedHashMap<>())
            .computeIfAbsent(new AxisPoint(point.server(), others).label(), _ -> new LinkedHashSet<>())
            .add(entry.label());
      }
    }
    Map<String, String> hues = Palette.hues(run);
    List<AxisLine> lines = new ArrayList<>();
    servers.forEach(
        (server, of) -> {
          String hue = hues.getOrDefault(server, Palette.REFERENCE);
          int index = 0;
          for (Map.Entry<String, Set<String>> line : of.entrySet()) {
            String colour = Palette.shade(hue, index++, of.size());
            Series series = new Series(line.getKey(), colour, Palette.shape(lines.size()), true);
            lines.add(new AxisLine(axis, line.getValue(), series));
          }
        });
    return lines;
  }
}
