package echoladder.harness.report;

import echoladder.harness.common.Units;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A plot as a template takes it: its names, its sentence, and its table. */
final class PanelRows {
  private PanelRows() {}

  /**
   * Of one panel.
   *
   * @param index among the panels of the page's data
   * @param series of the page
   */
  static Map<String, Object> of(int index, Panel panel, List<Series> series) {
    Map<String, Object> plot = new HashMap<>();
    plot.put("index", index);
    plot.put("title", panel.title());
    plot.put("across", panel.across().name());
    plot.put("description", panel.description(series));
    plot.put("heads", panel.lines().stream().map(l -> series.get(l.series()).label()).toList());
    plot.put("rows", panel.places().stream().map(place -> row(panel, place)).toList());
    return plot;
  }

  private static Map<String, Object> row(Panel panel, int place) {
    List<String> cells = new ArrayList<>();
    for (Panel.Line line : panel.lines()) {
      List<String> values =
          line.marks().stream().filter(m -> m.place() == place).map(m -> value(panel, m)).toList();
      cells.add(values.isEmpty() ? Units.NONE : String.join("; ", values));
    }
    return Map.of("place", panel.across().text(place), "cells", cells);
  }

  private static String value(Panel panel, Panel.Mark mark) {
    String spread =
        mark.repeats() > 1
            ? " (%s to %s)".formatted(panel.unit().text(mark.low()), panel.unit().text(mark.high()))
            : "";
    return (mark.atLeast() ? "≥ " : "") + panel.unit().text(mark.value()) + spread + (mark.valid() ? "" : " (invalid)");
  }
}
