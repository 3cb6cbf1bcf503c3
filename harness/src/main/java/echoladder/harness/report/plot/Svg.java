package echoladder.harness.report.plot;

import echoladder.harness.report.words.Html;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes one SVG document: shapes and text, on a ground of its own so that it can be read wherever it is embedded. */
final class Svg {
  static final String INK = "#1f2328";
  static final String MUTED = "#57606a";
  static final String GRID = "#d8dee4";
  private static final String GROUND = "#ffffff";

  private final StringBuilder out = new StringBuilder();

  /** A document of that many pixels; the description is what a screen reader says of it. */
  Svg(int width, int height, String title, String description) {
    out.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" role="img" \
        font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif" font-size="12">
        <title>%3$s</title>
        <desc>%4$s</desc>
        <rect width="%1$d" height="%2$d" fill="%5$s"/>
        """
            .formatted(width, height, Html.escaped(title), Html.escaped(description), GROUND));
  }

  /** Begins a part; {@code attributes} are pairs of name and value. */
  void open(String... attributes) {
    out.append("<g");
    for (int i = 0; i < attributes.length; i += 2) {
      out.append(" %s=\"%s\"".formatted(attributes[i], Html.escaped(attributes[i + 1])));
    }
    out.append(">\n");
  }

  /** Ends the part that was begun last. */
  void close() {
    out.append("</g>\n");
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  void line(double x1, double y1, double x2, double y2, String colour, double width) {
    out.append(
        "<line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\" stroke=\"%s\" stroke-width=\"%s\"/>%n"
            .formatted(number(x1), number(y1), number(x2), number(y2), colour, number(width)));
  }

  /** A line through points, given as x and y in turn. */
  void path(double[] points, String colour) {
    path(d(points), colour, "stroke-width=\"2\"");
  }

  /**
   * A line in pieces through points that can be read.
   *
   * @param pieces the points of each, as x and y in turn
   * @param words what each of the places that the part names has: as many words as points, empty ones between; those at the end are
   *     left out
   */
  void curve(List<double[]> pieces, String colour, boolean dashed, List<String> words) {
    String d = pieces.stream().map(Svg::steps).collect(Collectors.joining());
    String dashes = dashed ? " stroke-dasharray=\"3 4\"" : " stroke-linecap=\"round\"";
    String values = String.join("|", words).replaceFirst("\\|+$", "");
    path(d, colour, "stroke-width=\"1.5\"%s data-v=\"%s\"".formatted(dashes, Html.escaped(values)));
  }

  /** A beginning and steps from there, in tenths of a pixel, as short as can be: a page has tens of thousands of them. */
  private static String steps(double[] points) {
    StringBuilder d = new StringBuilder();
    long[] from = new long[2];
    for (int i = 0; i < points.length; i++) {
      long to = Math.round(points[i] * 10);
      String step = BigDecimal.valueOf(to - from[i % 2], 1).stripTrailingZeros().toPlainString();
      d.append(i == 0 ? "M" : i == 2 ? "l" : step.startsWith("-") ? "" : " ").append(step);
      from[i % 2] = to;
    }
    // A single point is closed, so that its round end shows.
    return points.length == 2 ? d + "Z" : d.toString();
  }

  private void path(String d, String colour, String more) {
    out.append("<path d=\"%s\" fill=\"none\" stroke=\"%s\" %s/>%n".formatted(d, colour, more));
  }

  private static String d(double[] points) {
    StringBuilder d = new StringBuilder();
    for (int i = 0; i < points.length; i += 2) {
      d.append(i == 0 ? 'M' : 'L').append(number(points[i])).append(' ').append(number(points[i + 1]));
    }
    return d.toString();
  }

  void rect(double x, double y, double width, double height, String fill, String stroke) {
    out.append(
        "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" fill=\"%s\" stroke=\"%s\"/>%n"
            .formatted(number(x), number(y), number(width), number(height), fill, stroke));
  }

  /** A rectangle with a name in it, and what it says to who points at it; an empty name is not written. */
  void frame(double x, double y, double width, double height, String fill, String words, String name) {
    String text = name.isEmpty() ? "" : "<text x=\"%s\" y=\"%s\" fill=\"%s\" font-size=\"11\">%s</text>"
        .formatted(number(x + 2), number(y + height - 4), INK, Html.escaped(name));
    out.append(
        "<g><title>%s</title><rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" fill=\"%s\" stroke=\"%s\" stroke-width=\"0.5\"/>%s</g>%n"
            .formatted(
                Html.escaped(words), number(x), number(y), number(width), number(height), fill, GROUND, text));
  }

  /** The end of a line at a bar, with what it says to who points at it. */
  void end(double from, double x, double y, String colour, String words) {
    String d = d(new double[] {from, y, x, y}) + d(new double[] {x, y - 7, x, y + 7});
    out.append(
        "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" stroke-dasharray=\"3 3\"><title>%s</title></path>%n"
            .formatted(d, colour, Html.escaped(words)));
  }

  /** A mark around a point; hollow where its measurement may not be quoted; with what it says to who points at it. */
  void mark(double x, double y, String shape, String colour, boolean hollow, String words) {
    double r = 4;
    String d =
        switch (shape) {
          case "circle" -> "M%s %sm-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z".formatted(number(x), number(y));
          case "square" -> d(new double[] {x - r, y - r, x + r, y - r, x + r, y + r, x - r, y + r}) + 'z';
          case "triangle" -> d(new double[] {x, y - r * 1.2, x + r * 1.15, y + r * 0.9, x - r * 1.15, y + r * 0.9}) + 'z';
          case "diamond" -> d(new double[] {x, y - r * 1.3, x + r * 1.3, y, x, y + r * 1.3, x - r * 1.3, y}) + 'z';
          case "down" -> d(new double[] {x, y + r * 1.2, x + r * 1.15, y - r * 0.9, x - r * 1.15, y - r * 0.9}) + 'z';
          case "cross" -> "M%s %sl8 8m0 -8l-8 8".formatted(number(x - r), number(y - r));
          default -> "M%s %sh8m-4 -4v8".formatted(number(x - r), number(y));
        };
    String said = words.isEmpty() ? "/>" : "><title>" + Html.escaped(words) + "</title></path>";
    out.append(
        "<path d=\"%s\" fill=\"%s\" stroke=\"%s\" stroke-width=\"1.5\"%s%n"
            .formatted(d, hollow ? GROUND : colour, colour, said));
  }

  /** Text at a point; anchor is start, middle or end. */
  void text(double x, double y, String anchor, String colour, String text) {
    styled(x, y, anchor, colour, "", text);
  }

  void bold(double x, double y, String text) {
    styled(x, y, "start", INK, " font-weight=\"600\" font-size=\"13\"", text);
  }

  private void styled(double x, double y, String anchor, String colour, String more, String text) {
    out.append(
        "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\" fill=\"%s\"%s>%s</text>%n"
            .formatted(number(x), number(y), anchor, colour, more, Html.escaped(text)));
  }

  /** The whole document. */
  String end() {
    return out + "</svg>\n";
  }
}
