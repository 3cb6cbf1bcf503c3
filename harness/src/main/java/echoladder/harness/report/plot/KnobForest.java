package echoladder.harness.report.plot;

import echoladder.harness.common.Units;
import echoladder.harness.report.table.KnobLine;
import echoladder.harness.report.table.KnobTable;
import echoladder.harness.report.table.Table;
import echoladder.harness.study.KnobEffect;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A forest plot: for each knob and figure the ratio with its interval, about a line at 1. The grey band is what could not have been
 * seen.
 */
final class KnobForest {
  private static final String TITLE = "What each knob does: ratio of each figure, with its interval";
  private static final int LEFT = 190;
  private static final int COLUMN = 170;
  private static final int TOP = 54;
  private static final int EDGE = 12;
  private static final int ROW = 22;
  private static final int BELOW = 56;
  private static final String BAND = "#eef1f4";

  /** A plot about nothing would magnify noise. */
  private static final double LEAST_FARTHEST = 1.05;

  private KnobForest() {}

  /** The plot; empty where no knob has an interval. */
  static Optional<Plot> of(List<KnobLine> all, String foot) {
    List<KnobLine> lines = all.stream().filter(line -> !line.effects().isEmpty()).toList();
    List<String> figures = lines.stream().flatMap(line -> line.effects().stream()).map(KnobEffect::figure).distinct().toList();
    return lines.isEmpty() ? Optional.empty() : Optional.of(plot(lines, figures, foot));
  }

  private static Stream<KnobEffect> effects(List<KnobLine> lines, String figure) {
    return lines.stream().flatMap(line -> line.effects().stream()).filter(effect -> effect.figure().equals(figure));
  }

  private static Plot plot(List<KnobLine> lines, List<String> figures, String foot) {
    int width = LEFT + COLUMN * figures.size();
    Foot below = Foot.of(foot + " · left of 1: less; filled: stands; grey: could not have been seen", width);
    int height = TOP + ROW * lines.size() + BELOW + below.more();
    Svg svg = new Svg(width, height, TITLE, description(lines));
    for (int row = 0; row < lines.size(); row++) {
      svg.text(LEFT - 12, y(row) + 4, "end", Svg.INK, lines.get(row).knob().name());
    }
    Map<String, Table> tables = new LinkedHashMap<>();
    for (int column = 0; column < figures.size(); column++) {
      column(svg, lines, figures.get(column), LEFT + (double) column * COLUMN);
      tables.put(figures.get(column), table(lines, figures.get(column)));
    }
    below.draw(svg, height - 12.0);
    return new Plot("knobs.svg", TITLE, svg.end(), tables);
  }

  private static double y(int row) {
    return TOP + ROW * (row + 0.5);
  }

  private static void column(Svg svg, List<KnobLine> lines, String figure, double left) {
    Scale scale = Scale.ofRatios(farthest(lines, figure));
    List<String> heading = Foot.words(figure, COLUMN).lines();
    for (int i = 0; i < heading.size(); i++) {
      svg.text(left + COLUMN / 2.0, TOP - 24.0 - (heading.size() - 1 - i) * Foot.LINE, "middle", Svg.INK, heading.get(i));
    }
    double bottom = y(lines.size() - 1) + ROW / 2.0;
    svg.line(left + EDGE, bottom, left + COLUMN - EDGE, bottom, Svg.GRID, 1);
    svg.text(left + EDGE, bottom + 16, "start", Svg.MUTED, Units.ratio(scale.ticks().getFirst()));
    svg.text(x(scale, left, 1), bottom + 16, "middle", Svg.MUTED, "1");
    svg.text(left + COLUMN - EDGE, bottom + 16, "end", Svg.MUTED, Units.ratio(scale.ticks().getLast()));
    for (int row = 0; row < lines.size(); row++) {
      for (KnobEffect effect : lines.get(row).effects()) {
        if (effect.figure().equals(figure)) {
          draw(svg, lines.get(row), effect, scale, left, y(row));
        }
      }
    }
    svg.line(x(scale, left, 1), TOP - 8.0, x(scale, left, 1), bottom, Svg.MUTED, 1);
  }

  private static double farthest(List<KnobLine> lines, String figure) {
    return effects(lines, figure).mapToDouble(e -> Math.max(Math.max(e.low(), 1 / e.low()), Math.max(e.high(), 1 / e.high())))
        .reduce(LEAST_FARTHEST, Math::max);
  }

  private static double x(Scale scale, double left, double ratio) {
    return left + EDGE + scale.at(ratio) * (COLUMN - 2 * EDGE);
  }

  private static void draw(Svg svg, KnobLine line, KnobEffect effect, Scale scale, double left, double y) {
    if (effect.detectable() != null) {
      double unseen = x(scale, left, Math.min(scale.to(), effect.detectable())) - x(scale, left, 1);
      svg.rect(x(scale, left, 1) - unseen, y - ROW / 2.0 + 2, 2 * unseen, ROW - 4.0, BAND, BAND);
    }
    String colour = !effect.shown() ? Palette.REFERENCE : effect.less() ? Palette.LESS : Palette.MORE;
    svg.line(x(scale, left, effect.low()), y, x(scale, left, effect.high()), y, colour, 2);
    String words = line.knob().name() + ", " + effect.figure() + ": " + told(effect);
    svg.mark(x(scale, left, effect.ratio()), y, "square", colour, !effect.stands(), words);
  }

  private static String told(KnobEffect effect) {
    return "×%s (%s), %d pairs"
        .formatted(effect.ratioText(), effect.intervalText(), effect.pairs());
  }

  private static Table table(List<KnobLine> lines, String figure) {
    Table table = new Table().words("knob").figures("ratio", "interval", "pairs");
    for (KnobLine line : lines) {
      for (KnobEffect effect : line.effects()) {
        if (effect.figure().equals(figure)) {
          table.row(
              line.knob().name(), effect.ratioText(), effect.intervalText(),
              String.valueOf(effect.pairs()));
        }
      }
    }
    return table;
  }

  private static String description(List<KnobLine> lines) {
    return TITLE + ". " + KnobTable.sentence(lines);
  }
}
