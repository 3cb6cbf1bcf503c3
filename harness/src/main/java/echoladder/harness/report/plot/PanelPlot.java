package echoladder.harness.report.plot;

import echoladder.harness.report.plot.Panel.Line;
import echoladder.harness.report.plot.Panel.Mark;
import echoladder.harness.report.plot.Panel.Style;
import echoladder.harness.report.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * Panels drawn side by side in one SVG, for REPORT.md, papers and pages alike. Each mark says its value in a title; a curve has
 * those of its points in {@code data-v}, at the places of its panel's {@code data-x}, which report.js reads.
 */
public final class PanelPlot {
  private static final int WIDTH = 960;
  private static final int PANEL_HEIGHT = 300;
  private static final int FOOT = 34;
  private static final int LEFT = 62;
  private static final int RIGHT = 128;
  private static final int LABEL_GAP = 14;

  private final List<Series> series;

  private PanelPlot(List<Series> series) {
    this.series = series;
  }

  /**
   * The plot of some panels.
   *
   * @param file its name beside the report; empty where it stands in a page alone
   * @param foot what stands below it; nothing where it is empty
   */
  public static Plot of(String file, String title, List<Panel> panels, List<Series> series, String foot) {
    int columns = Math.min(2, panels.size());
    int rows = (panels.size() + columns - 1) / columns;
    double width = (double) WIDTH / columns;
    Foot below = Foot.of(foot + note(panels), WIDTH);
    int headings = panels.stream().mapToInt(panel -> Foot.heading(panel.title(), width).more()).max().orElse(0);
    int high = PANEL_HEIGHT + headings;
    int height = rows * high + (foot.isEmpty() ? 0 : FOOT + below.more());
    String description = String.join(" ", panels.stream().map(panel -> panel.description(series)).toList());
    Svg svg = new Svg(WIDTH, height, title, description);
    PanelPlot plot = new PanelPlot(series);
    Map<String, Table> tables = new LinkedHashMap<>();
    for (int i = 0; i < panels.size(); i++) {
      Panel panel = panels.get(i);
      int row = i / columns;
      plot.panel(svg, panel, i % columns * width, (double) row * high, width, headings);
      // The values of curves are many: the script makes their tables when they are asked for.
      if (!curves(panel)) {
        tables.put(panel.title(), panel.table(series));
      }
    }
    if (!foot.isEmpty()) {
      below.draw(svg, height - 12.0);
    }
    return new Plot(file, title, svg.end(), tables);
  }

  private static boolean curves(Panel panel) {
    return panel.lines().stream().anyMatch(line -> line.style() != Style.MARKS);
  }

  private static String note(List<Panel> panels) {
    List<Mark> marks = panels.stream().flatMap(p -> p.lines().stream()).flatMap(l -> l.marks().stream()).toList();
    String repeats = marks.stream().anyMatch(m -> m.repeats() > 1) ? " · median, bar: lowest to highest repeat" : "";
    String hollow = marks.stream().anyMatch(m -> !m.valid() && !m.ends()) ? " · hollow: invalid or saturated, not to be quoted" : "";
    String ends = marks.stream().anyMatch(Mark::ends) ? " · dashed to a bar: saturated, not carried" : "";
    return repeats + hollow + ends;
  }

  /** @param headings room for second and further lines of the headings in its row, in pixels */
  private void panel(Svg svg, Panel panel, double left, double top, double width, int headings) {
    Scale across = panel.across().scale(panel.places());
    Scale up = panel.up();
    double scale = Math.max(LEFT, 16 + Foot.room(up.ticks().stream().map(panel::tick).toList()));
    Area area =
        new Area(left + scale, top + 40 + headings, width - scale - RIGHT, PANEL_HEIGHT - 40 - 48, across, up, panel.divisor());
    List<String> places = curves(panel) ? panel.places().stream().map(place -> panel.across().text(place)).toList() : List.of();
    svg.open("class", "panel", "data-title", panel.title(), "data-x", String.join("|", places));
    List<String> heading = Foot.heading(panel.title(), width).lines();
    for (int i = 0; i < heading.size(); i++) {
      svg.bold(left + 12, top + 22 + i * Foot.LINE, heading.get(i));
    }
    grid(svg, panel, area);
    for (Line line : panel.lines()) {
      svg.open("class", "s" + line.series(), "data-name", line.name(series));
      if (line.style() == Style.MARKS) {
        marks(svg, panel, line, area);
      } else {
        curve(svg, panel, line, area);
      }
      svg.close();
    }
    labels(svg, panel, area);
    svg.close();
  }

  /** Where a panel's values lie on the page. */
  private record Area(double left, double top, double width, double height, Scale across, Scale up, int divisor) {
    double x(double value) {
      return left + across.at(value) * width;
    }

    double y(double value) {
      return top + height - Math.clamp(up.at(value / divisor), 0, 1) * height;
    }

    double[] points(List<Mark> marks) {
      return marks.stream().flatMapToDouble(mark -> DoubleStream.of(x(mark.place()), y(mark.value()))).toArray();
    }

    double bottom() {
      return top + height;
    }
  }

  private static void grid(Svg svg, Panel panel, Area area) {
    for (double tick : area.up().ticks()) {
      double y = area.y(tick * area.divisor());
      svg.line(area.left(), y, area.left() + area.width(), y, Svg.GRID, 1);
      svg.text(area.left() - 8, y + 4, "end", Svg.MUTED, panel.tick(tick));
    }
    double last = Double.NEGATIVE_INFINITY;
    for (double tick : area.across().ticks()) {
      double x = area.x(tick);
      svg.line(x, area.bottom(), x, area.bottom() + 4, Svg.MUTED, 1);
      // Rungs may lie closer than their names are long.
      if (x - last >= 44) {
        svg.text(x, area.bottom() + 18, "middle", Svg.MUTED, panel.across().text(tick));
        last = x;
      }
    }
    svg.line(area.left(), area.bottom(), area.left() + area.width(), area.bottom(), Svg.MUTED, 1);
    svg.text(
        area.left() + area.width() / 2, area.bottom() + 36, "middle", Svg.MUTED,
        panel.across().label(panel.logarithmic()));
  }

  private void marks(Svg svg, Panel panel, Line line, Area area) {
    Series of = series.get(line.series());
    String colour = of.colour();
    if (line.valid().size() > 1) {
      svg.path(area.points(line.valid()), colour);
    }
    for (Mark mark : line.marks()) {
      double x = area.x(mark.place());
      if (mark.high() > mark.low()) {
        svg.line(x, area.y(mark.low()), x, area.y(mark.high()), colour, 1.5);
      }
      String words = "%s, %s: %s".formatted(line.name(series), panel.across().text(mark.place()), panel.text(mark));
      if (mark.ends()) {
        List<Mark> before = line.valid().stream().filter(valid -> valid.place() < mark.place()).toList();
        double from = before.isEmpty() ? area.left() : area.x(before.getLast().place());
        svg.end(from, x, area.y(mark.value()), colour, words);
        continue;
      }
      svg.mark(x, area.y(mark.value()), of.shape(), colour, !mark.valid(), words);
    }
  }

  /** In pieces, as a line does not lead over places that have no value. */
  private void curve(Svg svg, Panel panel, Line line, Area area) {
    boolean dashed = line.style() == Style.DASHED;
    List<double[]> pieces = new ArrayList<>();
    Map<Integer, String> words = new LinkedHashMap<>();
    panel.places().forEach(place -> words.put(place, ""));
    int from = 0;
    for (int i = 0; i < line.marks().size(); i++) {
      Mark mark = line.marks().get(i);
      words.put(mark.place(), dashed && mark.valid() ? " " : panel.text(mark));
      if (i + 1 == line.marks().size() || line.marks().get(i + 1).place() - mark.place() > panel.across().step()) {
        pieces.add(area.points(line.marks().subList(from, i + 1)));
        from = i + 1;
      }
    }
    svg.curve(pieces, series.get(line.series()).colour(), dashed, List.copyOf(words.values()));
  }

  /** Each server's name at the end of its line, moved apart where lines end close to each other. */
  private void labels(Svg svg, Panel panel, Area area) {
    Map<Integer, Line> last = new LinkedHashMap<>();
    panel.lines().forEach(line -> last.put(line.series(), line));
    List<Line> ends =
        last.values().stream().sorted(Comparator.comparingDouble(l -> area.y(l.marks().getLast().value()))).toList();
    double[] wanted = ends.stream().mapToDouble(l -> area.y(l.marks().getLast().value())).toArray();
    double[] at = apart(wanted, LABEL_GAP, area.top(), area.bottom());
    for (int i = 0; i < at.length; i++) {
      Line line = ends.get(i);
      Series of = series.get(line.series());
      double x = area.left() + area.width();
      svg.open("class", "s" + line.series());
      svg.line(area.x(line.marks().getLast().place()) + 6, wanted[i], x + 6, at[i], Svg.GRID, 1);
      svg.mark(x + 12, at[i], of.shape(), of.colour(), false, "");
      svg.text(x + 21, at[i] + 4, "start", Svg.INK, of.shortened(16));
      svg.close();
    }
  }

  /**
   * Places at least {@code gap} apart, each as near to where it is wanted as the others allow.
   *
   * @param wanted ascending
   * @param from the least place
   * @param to the greatest, exceeded only where there is no room for all
   */
  private static double[] apart(double[] wanted, double gap, double from, double to) {
    double[] at = wanted.clone();
    for (int i = 0; i < at.length; i++) {
      at[i] = Math.max(at[i], i == 0 ? from : at[i - 1] + gap);
    }
    double limit = Math.max(to, from + gap * (at.length - 1));
    for (int i = at.length - 1; i >= 0; i--) {
      at[i] = Math.min(at[i], limit);
      limit = at[i] - gap;
    }
    return at;
  }
}
