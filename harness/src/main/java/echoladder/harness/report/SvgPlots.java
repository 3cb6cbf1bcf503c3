package echoladder.harness.report;

import echoladder.harness.report.Panel.Line;
import echoladder.harness.report.Panel.Mark;
import echoladder.harness.results.RunRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The main plots as SVG, for READMEs and papers: the same panels as in report.html, without a browser. */
final class SvgPlots {
  private static final int WIDTH = 960;
  private static final int PANEL_HEIGHT = 300;
  private static final int FOOT = 34;
  private static final int LEFT = 62;
  private static final int RIGHT = 128;
  private static final int LABEL_GAP = 14;

  private final List<Series> series;
  private final String foot;

  private SvgPlots(RunRecord run) {
    series = Series.of(run);
    String version = run.environment().get("ladder") instanceof Map<?, ?> ladder ? " " + ladder.get("version") : "";
    foot = "echo ladder" + version + " · study " + run.study().name() + " · run " + run.runId();
  }

  /**
   * A plot of a run.
   *
   * @param file its name beside the report
   * @param alt what it shows, for where its figures stand beside it; those are in the plot's own description
   */
  record Plot(String file, String alt, String svg) {}

  /** Those for which a run has figures. */
  static List<Plot> of(RunRecord run) {
    SvgPlots plots = new SvgPlots(run);
    SvgMemory memory = new SvgMemory(plots.series, plots.foot);
    Map<String, List<Panel>> panels = new LinkedHashMap<>();
    panels.put("response-time", LadderPanels.responseTimes(run));
    panels.put("cpu-per-echo", LadderPanels.cpu(run));
    AxisPanels.of(run).forEach((axis, of) -> panels.put("over-" + axis, of));
    List<Plot> made = new ArrayList<>();
    panels.forEach(
        (name, of) -> {
          if (!of.isEmpty()) {
            made.add(plots.panels(name + ".svg", of));
          }
        });
    List<MemoryBar> bars = MemoryBar.of(run);
    if (!bars.isEmpty()) {
      made.add(memory.plot("memory-per-connection.svg", bars));
    }
    return made;
  }

  private Plot panels(String file, List<Panel> panels) {
    int columns = Math.min(2, panels.size());
    int rows = (panels.size() + columns - 1) / columns;
    String alt = alt(panels);
    String description = String.join(" ", panels.stream().map(p -> p.description(series)).toList());
    Svg svg = new Svg(WIDTH, rows * PANEL_HEIGHT + FOOT, alt, description);
    double width = (double) WIDTH / columns;
    for (int i = 0; i < panels.size(); i++) {
      int row = i / columns;
      panel(svg, panels.get(i), i % columns * width, (double) row * PANEL_HEIGHT, width);
    }
    svg.text(12, rows * PANEL_HEIGHT + FOOT - 12.0, "start", Svg.MUTED, foot + note(panels));
    return new Plot(file, alt, svg.end());
  }

  private static String alt(List<Panel> panels) {
    Panel.Across across = panels.getFirst().across();
    if (!across.values().isEmpty()) {
      return "p99 response time, server CPU per echo and memory per connection over " + across.name();
    }
    return panels.getFirst().unit() == Panel.Unit.TIME_NS
        ? "Response time over the connections, both axes logarithmic"
        : "Server CPU per echo over the connections";
  }

  private static String note(List<Panel> panels) {
    List<Mark> marks = panels.stream().flatMap(p -> p.lines().stream()).flatMap(l -> l.marks().stream()).toList();
    String repeats = marks.stream().anyMatch(m -> m.repeats() > 1) ? " · median, bar: lowest to highest repeat" : "";
    String invalid = marks.stream().anyMatch(m -> !m.valid()) ? " · hollow: invalid, not to be quoted" : "";
    return repeats + invalid;
  }

  private void panel(Svg svg, Panel panel, double left, double top, double width) {
    Axis across = panel.across().axis(panel.places());
    Axis up = Axis.of(panel.logarithmic(), panel.values());
    Area area = new Area(left + LEFT, top + 40, width - LEFT - RIGHT, PANEL_HEIGHT - 40 - 48, across, up);
    svg.bold(left + 12, top + 22, panel.title());
    grid(svg, panel, area);
    for (Line line : panel.lines()) {
      line(svg, line, area);
    }
    labels(svg, panel, area);
  }

  /** Where a panel's values lie on the page. */
  private record Area(double left, double top, double width, double height, Axis across, Axis up) {
    double x(double value) {
      return left + across.at(value) * width;
    }

    double y(double value) {
      return top + height - Math.clamp(up.at(value), 0, 1) * height;
    }

    double bottom() {
      return top + height;
    }
  }

  private static void grid(Svg svg, Panel panel, Area area) {
    for (double tick : area.up().ticks()) {
      svg.line(area.left(), area.y(tick), area.left() + area.width(), area.y(tick), Svg.GRID, 1);
      svg.text(area.left() - 8, area.y(tick) + 4, "end", Svg.MUTED, panel.unit().tick(tick));
    }
    double last = Double.NEGATIVE_INFINITY;
    for (double tick : area.across().ticks()) {
      double x = area.x(tick);
      svg.line(x, area.bottom(), x, area.bottom() + 4, Svg.MUTED, 1);
      // Rungs may lie closer than their names are long.
      if (x - last >= 44) {
        svg.text(x, area.bottom() + 18, "middle", Svg.MUTED, panel.across().text((int) tick));
        last = x;
      }
    }
    svg.line(area.left(), area.bottom(), area.left() + area.width(), area.bottom(), Svg.MUTED, 1);
    svg.text(
        area.left() + area.width() / 2, area.bottom() + 36, "middle", Svg.MUTED,
        panel.across().label(panel.logarithmic()));
  }

  private void line(Svg svg, Line line, Area area) {
    Series of = series.get(line.series());
    String colour = of.colour();
    List<Mark> valid = line.valid();
    double[] points = new double[2 * valid.size()];
    for (int i = 0; i < valid.size(); i++) {
      points[2 * i] = area.x(valid.get(i).place());
      points[2 * i + 1] = area.y(valid.get(i).value());
    }
    if (valid.size() > 1) {
      svg.path(points, colour);
    }
    for (Mark mark : line.marks()) {
      double x = area.x(mark.place());
      if (mark.high() > mark.low()) {
        svg.line(x, area.y(mark.low()), x, area.y(mark.high()), colour, 1.5);
      }
      svg.mark(x, area.y(mark.value()), of.shape(), colour, !mark.valid());
    }
  }

  /** Each server's name at the end of its line, moved apart where lines end close to each other. */
  private void labels(Svg svg, Panel panel, Area area) {
    List<Line> ends =
        panel.lines().stream()
            .sorted(Comparator.comparingDouble((Line l) -> area.y(l.marks().getLast().value())))
            .toList();
    double[] wanted = ends.stream().mapToDouble(l -> area.y(l.marks().getLast().value())).toArray();
    double[] at = Labels.apart(wanted, LABEL_GAP, area.top(), area.bottom());
    for (int i = 0; i < at.length; i++) {
      Line line = ends.get(i);
      Series of = series.get(line.series());
      double x = area.left() + area.width();
      svg.line(area.x(line.marks().getLast().place()) + 6, wanted[i], x + 6, at[i], Svg.GRID, 1);
      svg.mark(x + 12, at[i], of.shape(), of.colour(), false);
      svg.text(x + 21, at[i] + 4, "start", Svg.INK, of.shortened(16));
    }
  }
}
