package echoladder.harness.report.plot;

import echoladder.harness.common.Units;
import echoladder.harness.compare.TwoServers;
import echoladder.harness.metric.Quoting;
import echoladder.harness.report.table.Table;
import echoladder.harness.report.words.Legend;
import echoladder.harness.stats.Finding;
import echoladder.harness.stats.Interval;
import echoladder.harness.stats.PairedRatio;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** A forest plot of two servers: for each figure the ratio of every pair as a point, and of all pairs together with its interval. */
final class PairForest {
  /** The name of its file beside a report. */
  private static final String FILE = "a-or-b.svg";

  private static final int COLUMN = 420;
  private static final int TOP = 44;
  private static final int ROW = 30;
  private static final int BELOW = 60;
  private static final int EDGE = 12;
  private static final double DOT = 2;

  /** A plot about nothing would magnify noise. */
  private static final double LEAST_FARTHEST = 1.1;

  /** One time that an interruption made a hundredfold would leave no room for the first figure, which is the answer. */
  private static final double ROOM = 1.5;

  private static final double LEAST_ROOM = 2;
  private static final String GAPS = Legend.sign(Quoting.Mark.GAPS);

  /** Where ratios lie: {@code left} is the pixel at which the scale begins. */
  private record Axis(Scale scale, double left) {
    double right() {
      return left + COLUMN;
    }

    /** What lies beyond the scale stands at its edge; its figures stand beside it. */
    double x(double ratio) {
      return left + Math.clamp(scale.at(ratio), 0, 1) * COLUMN;
    }
  }

  private PairForest() {}

  /** The plot; empty where no figure has a pair. */
  static Optional<Plot> of(TwoServers two, String foot) {
    List<TwoServers.Row> rows = two.rows();
    return rows.isEmpty() ? Optional.empty() : Optional.of(plot(two, rows, foot));
  }

  private static Plot plot(TwoServers two, List<TwoServers.Row> rows, String foot) {
    Axis axis = new Axis(Scale.ofRatios(farthest(rows)), 2 * EDGE + Foot.room(rows.stream().map(PairForest::label).toList()));
    int width = (int) Math.ceil(axis.right() + 2 * EDGE + Foot.room(rows.stream().map(PairForest::words).toList()));
    String title =
        "%s / %s at %s connections: each pair, and all pairs with their interval".formatted(two.second(), two.first(), two.at().load());
    String gaps = rows.stream().anyMatch(TwoServers.Row::gaps) ? " · %s: the host's gaps may explain it".formatted(GAPS) : "";
    String reads = foot + " · right of 1: %s has more · filled: the interval leaves 1 out".formatted(two.second()) + gaps;
    Foot below = Foot.of(reads, width);
    int height = TOP + ROW * rows.size() + BELOW + below.more();
    Table table = table(rows);
    Svg svg = new Svg(width, height, title, title + ". " + described(rows));
    svg.text(EDGE, 20, "start", Svg.INK, title);
    double bottom = TOP + (double) ROW * rows.size();
    svg.line(axis.left, bottom, axis.right(), bottom, Svg.GRID, 1);
    for (double tick : axis.scale.ticks()) {
      svg.line(axis.x(tick), TOP, axis.x(tick), bottom, tick == 1 ? Svg.MUTED : Svg.GRID, 1);
      svg.text(axis.x(tick), bottom + 16, "middle", Svg.MUTED, tick == 1 ? "1" : Units.ratio(tick));
    }
    for (int i = 0; i < rows.size(); i++) {
      draw(svg, axis, rows.get(i), TOP + ROW * (i + 0.5));
    }
    below.draw(svg, height - 12.0);
    return new Plot(FILE, title, svg.end(), Map.of("Ratios of %s to %s".formatted(two.second(), two.first()), table));
  }

  private static void draw(Svg svg, Axis axis, TwoServers.Row row, double y) {
    svg.text(axis.left - EDGE, y + 4, "end", Svg.INK, label(row));
    for (double value : row.ratios()) {
      svg.rect(axis.x(value) - DOT / 2, y + 6, DOT, DOT * 2, Palette.REFERENCE, Palette.REFERENCE);
    }
    PairedRatio ratio = row.ratio();
    Interval interval = ratio == null ? null : ratio.interval();
    svg.text(axis.right() + EDGE, y + 4, "start", interval == null ? Svg.MUTED : Svg.INK, words(row));
    if (ratio == null || interval == null) {
      return;
    }
    Finding finding = ratio.finding();
    String colour = finding == Finding.MORE ? Palette.MORE : finding == Finding.LESS ? Palette.LESS : Palette.REFERENCE;
    svg.line(axis.x(interval.low()), y, axis.x(interval.high()), y, colour, 2);
    String words = row.figure().label() + ": " + words(row);
    svg.mark(axis.x(ratio.ratio()), y, "square", colour, finding == Finding.NO_DIFFERENCE_SHOWN, words);
  }

  private static String label(TwoServers.Row row) {
    return row.figure().label() + (row.gaps() ? GAPS : "");
  }

  private static String described(List<TwoServers.Row> rows) {
    return rows.stream()
        .filter(row -> row.ratio() != null)
        .map(row -> row.figure().label() + ": " + Units.ratio(Objects.requireNonNull(row.ratio()).ratio()))
        .collect(Collectors.joining("; "));
  }

  /** What stands beside a row. */
  private static String words(TwoServers.Row row) {
    PairedRatio ratio = row.ratio();
    Interval interval = ratio == null ? null : ratio.interval();
    return ratio == null || interval == null
        ? "%d pairs, no interval".formatted(row.ratios().size())
        : "%s (%s), %d pairs".formatted(Units.ratio(ratio.ratio()), Units.interval(interval), ratio.pairs());
  }

  private static double farthest(List<TwoServers.Row> rows) {
    double room = Math.max(LEAST_ROOM, ROOM * farthest(rows.getFirst()));
    return Math.min(room, rows.stream().mapToDouble(PairForest::farthest).reduce(LEAST_FARTHEST, Math::max));
  }

  private static double farthest(TwoServers.Row row) {
    return row.ratios().stream().mapToDouble(ratio -> Math.max(ratio, 1 / ratio)).max().orElse(1);
  }

  private static Table table(List<TwoServers.Row> rows) {
    Table table = new Table().words("figure").figures("pairs", "ratio", "interval", "range");
    for (TwoServers.Row row : rows) {
      PairedRatio ratio = row.ratio();
      Interval interval = ratio == null ? null : ratio.interval();
      table.row(
          label(row), String.valueOf(row.ratios().size()), ratio == null ? Units.NONE : Units.ratio(ratio.ratio()),
          interval == null ? Units.NONE : Units.interval(interval),
          ratio == null ? Units.NONE : Units.interval(ratio.least(), ratio.most()));
    }
    return table;
  }
}
