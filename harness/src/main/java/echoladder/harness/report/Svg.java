package echoladder.harness.report;

import java.util.Locale;

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
            .formatted(width, height, escaped(title), escaped(description), GROUND));
  }

  /** Text that may stand between or in tags. */
  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
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
    StringBuilder d = new StringBuilder();
    for (int i = 0; i < points.length; i += 2) {
      d.append(i == 0 ? 'M' : 'L').append(number(points[i])).append(' ').append(number(points[i + 1]));
    }
    out.append("<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n".formatted(d, colour));
  }

  void rect(double x, double y, double width, double height, String fill, String stroke) {
    out.append(
        "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" fill=\"%s\" stroke=\"%s\"/>%n"
            .formatted(number(x), number(y), number(width), number(height), fill, stroke));
  }

  /** A mark around a point; hollow where its measurement is invalid. */
  void mark(double x, double y, String shape, String colour, boolean hollow) {
    double r = 4;
    String d =
        switch (shape) {
          case "circle" -> "M%s %sm-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z".formatted(number(x), number(y));
          case "square" -> polygon(x, y, -r, -r, r, -r, r, r, -r, r);
          case "triangle" -> polygon(x, y, 0, -r * 1.2, r * 1.15, r * 0.9, -r * 1.15, r * 0.9);
          case "diamond" -> polygon(x, y, 0, -r * 1.3, r * 1.3, 0, 0, r * 1.3, -r * 1.3, 0);
          case "down" -> polygon(x, y, 0, r * 1.2, r * 1.15, -r * 0.9, -r * 1.15, -r * 0.9);
          case "cross" -> "M%s %sl8 8m0 -8l-8 8".formatted(number(x - r), number(y - r));
          default -> "M%s %sh8m-4 -4v8".formatted(number(x - r), number(y));
        };
    out.append(
        "<path d=\"%s\" fill=\"%s\" stroke=\"%s\" stroke-width=\"1.5\"/>%n"
            .formatted(d, hollow ? GROUND : colour, colour));
  }

  private static String polygon(double x, double y, double... around) {
    StringBuilder d = new StringBuilder();
    for (int i = 0; i < around.length; i += 2) {
      d.append(i == 0 ? 'M' : 'L').append(number(x + around[i])).append(' ').append(number(y + around[i + 1]));
    }
    return d.append('z').toString();
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
            .formatted(number(x), number(y), anchor, colour, more, escaped(text)));
  }

  /** The whole document. */
  String end() {
    return out + "</svg>\n";
  }
}
