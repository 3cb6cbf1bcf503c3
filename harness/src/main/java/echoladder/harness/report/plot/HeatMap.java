package echoladder.harness.report.plot;

import echoladder.harness.common.Units;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.report.table.Table;
import echoladder.harness.report.words.RungText;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord.Status;
import echoladder.harness.results.RungRepeats;
import echoladder.harness.stats.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Connections over rates, a map for each server: CPU per echo as a multiple of the floor's, the median of the valid repeats. A
 * cell that is saturated, invalid or was not tried has that word in place of a value.
 */
final class HeatMap {
  private static final Metric FIGURE = HostMetrics.CPU_MULTIPLE_OF_FLOOR;
  private static final String TITLE = "Server CPU per echo as a multiple of the floor's, connections over messages/s";
  private static final int WIDTH = 960;
  private static final int COLUMNS = 2;
  private static final int LEFT = 70;
  private static final int RIGHT = 16;
  private static final int TOP = 34;
  private static final int ROW = 30;
  private static final int BELOW = 44;
  private static final int FOOT = 34;

  /** From 1 to the greatest of the plot, evenly in the logarithm. */
  private static final List<String> SHADES =
      List.of("#f1f6fb", "#d6e6f4", "#b4d3e9", "#86bbdc", "#57a0ce", "#3182bd", "#1664a4", "#084184");

  private static final int DARK_FROM = 4;

  /** Cells with a word. */
  private static final String BLANK = "#f6f8fa";

  private HeatMap() {}

  /**
   * One cell.
   *
   * @param multiple null = there is none to be quoted
   * @param word what it says, the value or why there is none
   */
  private record Cell(@Nullable Double multiple, String word) {}

  /** The map of one server: its rows by connections, each of a cell for every rate. */
  private record Grid(int server, List<Double> rates, Map<Integer, List<Cell>> rows) {}

  /** The plot; empty of a run of one rate, and where no server has the figure. */
  static Optional<Plot> of(RunRecord run, List<Series> series, String foot) {
    List<Grid> grids = new ArrayList<>();
    for (int i = 0; i < run.servers().size(); i++) {
      RunRecord.ServerRecord server = run.servers().get(i);
      List<RungRepeats> rungs =
          RungText.repeatsByServer(run).stream().filter(r -> r.any().server().equals(server.label()) && r.any().stand() != null).toList();
      if (!server.role().equals("reference") && !rungs.isEmpty()) {
        grids.add(grid(i, rungs));
      }
    }
    double most = cells(grids).flatMap(cell -> Stream.ofNullable(cell.multiple())).mapToDouble(m -> m).max().orElse(0);
    return most == 0 ? Optional.empty() : Optional.of(plot(grids, series, Math.max(2, most), foot));
  }

  private static Stream<Cell> cells(List<Grid> grids) {
    return grids.stream().flatMap(grid -> grid.rows().values().stream()).flatMap(List::stream);
  }

  private static Grid grid(int server, List<RungRepeats> rungs) {
    List<Double> rates = rungs.stream().map(r -> (Double) r.any().ratePerS()).distinct().sorted().toList();
    Map<Integer, List<Cell>> rows = new LinkedHashMap<>();
    for (int connections : rungs.stream().map(r -> r.any().connections()).distinct().sorted().toList()) {
      rows.put(
          connections,
          rates.stream()
              .map(
                  rate ->
                      rungs.stream()
                          .filter(r -> r.any().connections() == connections && r.any().ratePerS() == rate)
                          .findFirst()
                          .map(HeatMap::cell)
                          .orElse(new Cell(null, Units.NONE)))
              .toList());
    }
    return new Grid(server, rates, rows);
  }

  private static Cell cell(RungRepeats rung) {
    boolean measured = rung.rungs().stream().anyMatch(r -> r.status() == Status.MEASURED);
    if (rung.valid().isEmpty()) {
      boolean beyond = !measured && rung.rungs().stream().allMatch(r -> r.status() == Status.NOT_ATTEMPTED);
      return new Cell(null, measured ? rung.verdict().id() : beyond ? "not tried" : "out of reach");
    }
    Spread spread = rung.spread(FIGURE);
    return spread == null ? new Cell(null, "no floor") : new Cell(spread.median(), Units.ratio(spread.median()) + "×");
  }

  private static Plot plot(List<Grid> grids, List<Series> series, double most, String foot) {
    int rows = (grids.size() + COLUMNS - 1) / COLUMNS;
    int high = TOP + BELOW + ROW * grids.stream().mapToInt(grid -> grid.rows().size()).max().orElse(1);
    Foot below = Foot.of(foot + " · median of the valid repeats; the darker, the dearer, to " + Units.ratio(most) + "×", WIDTH);
    int height = rows * high + FOOT + below.more();
    Svg svg = new Svg(WIDTH, height, TITLE, description(grids, series));
    Map<String, Table> tables = new LinkedHashMap<>();
    for (int i = 0; i < grids.size(); i++) {
      Grid grid = grids.get(i);
      int row = i / COLUMNS;
      draw(svg, grid, series.get(grid.server()), most, i % COLUMNS * (double) WIDTH / COLUMNS, (double) row * high);
      tables.put(series.get(grid.server()).label(), table(grid));
    }
    below.draw(svg, height - 12.0);
    return new Plot("cost-heat-map.svg", TITLE, svg.end(), tables);
  }

  private static void draw(Svg svg, Grid grid, Series of, double most, double left, double top) {
    svg.open("class", "s" + grid.server());
    svg.bold(left + 12, top + 20, of.label());
    double cell = (WIDTH / (double) COLUMNS - LEFT - RIGHT) / grid.rates().size();
    double y = top + TOP;
    for (Map.Entry<Integer, List<Cell>> row : grid.rows().entrySet()) {
      svg.text(left + LEFT - 8, y + ROW / 2.0 + 4, "end", Svg.MUTED, Units.count(row.getKey()));
      for (int i = 0; i < row.getValue().size(); i++) {
        cell(svg, row.getValue().get(i), most, left + LEFT + i * cell, y, cell);
      }
      y += ROW;
    }
    for (int i = 0; i < grid.rates().size(); i++) {
      svg.text(left + LEFT + (i + 0.5) * cell, y + 16, "middle", Svg.MUTED, Units.plain(grid.rates().get(i)));
    }
    svg.text(left + LEFT, y + 34, "start", Svg.MUTED, "messages/s, by connections");
    svg.close();
  }

  private static void cell(Svg svg, Cell cell, double most, double x, double y, double width) {
    Double multiple = cell.multiple();
    if (multiple == null) {
      svg.rect(x, y, width, ROW, BLANK, Svg.GRID);
      svg.line(x, y + ROW, x + width, y, Svg.GRID, 1);
      svg.text(x + width / 2, y + ROW / 2.0 + 4, "middle", Svg.MUTED, width < 9.0 * cell.word().length() * 0.72 ? brief(cell.word())
          : cell.word());
      return;
    }
    int shade = (int) Math.clamp(Math.log(Math.max(1, multiple)) / Math.log(most) * SHADES.size(), 0, SHADES.size() - 1);
    svg.rect(x, y, width, ROW, SHADES.get(shade), Svg.GRID);
    svg.text(x + width / 2, y + ROW / 2.0 + 4, "middle", shade >= DARK_FROM ? "#ffffff" : Svg.INK, cell.word());
  }

  /** The first letters, where a cell has no room for the word. */
  private static String brief(String word) {
    return word.substring(0, Math.min(3, word.length())) + ".";
  }

  private static Table table(Grid grid) {
    Table table = new Table().figures("connections").figures(grid.rates().stream().map(rate -> Units.plain(rate) + "/s").toList());
    grid.rows()
        .forEach(
            (connections, cells) ->
                table.row(Stream.concat(Stream.of(Units.count(connections)), cells.stream().map(Cell::word)).toList()));
    return table;
  }

  private static String description(List<Grid> grids, List<Series> series) {
    return TITLE
        + ". "
        + grids.stream()
            .map(grid -> series.get(grid.server()).label() + " " + range(grid))
            .collect(Collectors.joining(", "))
        + ".";
  }

  private static String range(Grid grid) {
    List<Double> values = cells(List.of(grid)).flatMap(cell -> Stream.ofNullable(cell.multiple())).sorted().toList();
    return values.isEmpty() ? "without a valid value" : Units.ratio(values.getFirst()) + "× to " + Units.ratio(values.getLast()) + "×";
  }
}
