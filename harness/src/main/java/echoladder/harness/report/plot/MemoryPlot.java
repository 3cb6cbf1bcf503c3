package echoladder.harness.report.plot;

import echoladder.client.Verdict;
import echoladder.harness.common.Units;
import echoladder.harness.metric.MemoryMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.Unit;
import echoladder.harness.report.table.Table;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Memory per connection as bars from 0, one for each server and rung, cut into kernel, live heap and the rest. */
final class MemoryPlot {
  private static final int WIDTH = 960;
  private static final int LEFT = 190;
  private static final int RIGHT = 250;
  private static final int ROW = 20;
  private static final int GROUP = 30;
  private static final int TOP = 66;
  private static final int FOOT = 62;

  private MemoryPlot() {}

  /** The plot of at least one bar. */
  static Plot of(String file, List<MemoryBar> bars, Metric ofKernel, List<Series> series, String foot) {
    long groups = bars.stream().mapToInt(MemoryBar::connections).distinct().count();
    boolean doubtful = bars.stream().anyMatch(b -> b.verdict() != Verdict.VALID);
    Foot below = Foot.of(foot + (doubtful ? " · (invalid), (saturated): not to be quoted" : ""), WIDTH);
    int height = (int) (TOP + bars.size() * ROW + groups * GROUP + FOOT + below.more());
    String alt = "Memory per connection: kernel, live heap and the rest";
    Svg svg = new Svg(WIDTH, height, alt, description(series, bars));
    svg.bold(12, 22, alt);
    legend(svg, ofKernel.equals(MemoryMetrics.KERNEL_PER_CONNECTION) ? "kernel" : "kernel (sockets)");
    Scale scale = Scale.of(false, bars.stream().map(b -> (Double) (b.total() / 1024)).toList());
    double bottom = height - FOOT - below.more();
    for (double tick : scale.ticks()) {
      svg.line(x(scale, tick), TOP, x(scale, tick), bottom, Svg.GRID, 1);
      svg.text(x(scale, tick), bottom + 16, "middle", Svg.MUTED, Units.plain(tick));
    }
    svg.text(LEFT + (WIDTH - LEFT - RIGHT) / 2.0, bottom + 34, "middle", Svg.MUTED, "KiB per connection");
    double y = TOP;
    int connections = -1;
    for (MemoryBar bar : bars) {
      if (bar.connections() != connections) {
        connections = bar.connections();
        svg.text(12, y + GROUP - 8.0, "start", Svg.INK, Units.count(connections) + " connections");
        y += GROUP;
      }
      bar(svg, scale, bar, series.get(bar.server()), y);
      y += ROW;
    }
    below.draw(svg, height - 10.0);
    return new Plot(file, alt, svg.end(), Map.of(alt, table(series, bars)));
  }

  private static double x(Scale scale, double kib) {
    return LEFT + scale.at(kib) * (WIDTH - LEFT - RIGHT);
  }

  private static void legend(Svg svg, String kernel) {
    String[] names = {kernel, "live heap", "rest of what the process grew by"};
    double x = 12;
    for (int i = 0; i < names.length; i++) {
      svg.rect(x, 36, 12, 12, Palette.MEMORY.get(i), Svg.MUTED);
      svg.text(x + 18, 46, "start", Svg.INK, names[i]);
      x += 40 + names[i].length() * 7.0;
    }
  }

  private static Table table(List<Series> series, List<MemoryBar> bars) {
    Table table = new Table().words("server").figures("connections", "kernel", "live heap", "rest", "rss");
    for (MemoryBar bar : bars) {
      table.row(
          series.get(bar.server()).label() + bar.verdict().note(), Units.count(bar.connections()),
          text(bar.kernel()), text(bar.heap()), text(bar.rest()), text(bar.rss()));
    }
    return table;
  }

  private static void bar(Svg svg, Scale scale, MemoryBar bar, Series of, double y) {
    svg.open("class", "s" + bar.server());
    svg.mark(18, y + ROW / 2.0, of.shape(), of.colour(), bar.verdict() != Verdict.VALID,
        "%s, %s connections: %s".formatted(of.label(), Units.count(bar.connections()), text(bar)));
    svg.text(30, y + ROW / 2.0 + 4, "start", Svg.INK, of.shortened(22));
    double from = 0;
    List<Double> parts =
        List.of(MemoryBar.positive(bar.kernel()), MemoryBar.positive(bar.heap()), MemoryBar.positive(bar.rest()));
    for (int i = 0; i < parts.size(); i++) {
      double to = from + parts.get(i) / 1024;
      if (to > from) {
        svg.rect(x(scale, from), y + 3, x(scale, to) - x(scale, from), ROW - 6.0, Palette.MEMORY.get(i), Svg.MUTED);
      }
      from = to;
    }
    svg.text(x(scale, from) + 8, y + ROW / 2.0 + 4, "start", Svg.MUTED, text(bar));
    svg.close();
  }

  /** The parts in words: they are of three kinds, so no sum is given. */
  private static String text(MemoryBar bar) {
    return text(bar.kernel()) + " + " + text(bar.heap()) + " + " + text(bar.rest()) + bar.verdict().note();
  }

  private static String text(@Nullable Double bytes) {
    return bytes == null ? Units.NONE : Unit.BYTES_PER_CONNECTION.text(bytes);
  }

  /** Describes the highest rung that has figures. */
  private static String description(List<Series> series, List<MemoryBar> bars) {
    int top = bars.getLast().connections();
    return "Memory per connection as kernel + live heap + rest. At "
        + Units.count(top)
        + " connections: "
        + bars.stream()
            .filter(b -> b.connections() == top)
            .map(b -> series.get(b.server()).label() + " " + text(b))
            .collect(Collectors.joining(", "))
        + ".";
  }
}
