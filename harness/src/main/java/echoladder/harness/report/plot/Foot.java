package echoladder.harness.report.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Text of a plot that may be longer than the plot is wide, in lines. A text is broken between its parts; a part that is wider than a line
 * stays whole.
 */
record Foot(List<String> lines) {
  /** From one line to the next, in pixels. */
  static final int LINE = 16;

  /** Pixels of a character at most, on average over a text in a sans-serif font of 12 pixels; a browser may take any. */
  private static final double CHARACTER = 6.8;

  /** Pixels of a bold character at most, on average over a heading. */
  private static final double BOLD_CHARACTER = 7.8;

  Foot {
    lines = List.copyOf(lines);
  }

  /** Below a plot of that width, whose parts are set apart by a dot. */
  static Foot of(String text, double width) {
    return broken(text, " · ", (int) ((width - 24) / CHARACTER));
  }

  /** A heading of a panel of that width, whose parts are set apart by a comma. */
  static Foot heading(String text, double width) {
    return broken(text, ", ", (int) ((width - 20) / BOLD_CHARACTER));
  }

  /** Words above a column of that width. */
  static Foot words(String text, double width) {
    return broken(text, " ", (int) (width / CHARACTER));
  }

  /** Room for words below one another, as beside a scale, in pixels. */
  static double room(List<String> words) {
    return words.stream().mapToInt(String::length).max().orElse(0) * CHARACTER;
  }

  private static Foot broken(String text, String between, int most) {
    List<String> lines = new ArrayList<>();
    String line = "";
    for (String part : text.split(Pattern.quote(between), -1)) {
      String longer = line.isEmpty() ? part : line + between + part;
      if (!line.isEmpty() && longer.length() > most) {
        lines.add(line + between.stripTrailing());
        line = part;
      } else {
        line = longer;
      }
    }
    lines.add(line);
    return new Foot(lines);
  }

  /** Pixels beyond those of one line. */
  int more() {
    return (lines.size() - 1) * LINE;
  }

  /** Writes it, the last line at that height. */
  void draw(Svg svg, double y) {
    for (int i = 0; i < lines.size(); i++) {
      svg.text(12, y - (lines.size() - 1 - i) * LINE, "start", Svg.MUTED, lines.get(i));
    }
  }
}
