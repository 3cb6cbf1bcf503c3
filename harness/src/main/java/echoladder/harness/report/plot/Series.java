package echoladder.harness.report.plot;

import java.util.ArrayList;
import java.util.List;

/**
 * Whatever is drawn with a name, a colour and a mark of its own: the entries of the study at their index, then the lines
 * over its axes.
 *
 * @param label its name
 * @param shape of its marks
 * @param tail whether the end of a long name tells it from the others, as values of axes stand there
 */
public record Series(String label, String colour, String shape, boolean tail) {
  /** Lines of a page that is not of a run, each with a colour and a mark of its own. */
  public static List<Series> named(List<String> labels) {
    List<Series> all = new ArrayList<>();
    for (int i = 0; i < labels.size(); i++) {
      all.add(new Series(labels.get(i), Palette.colour(i), Palette.shape(i), false));
    }
    return all;
  }

  /** At most so many characters of the name. */
  String shortened(int most) {
    int length = label.length();
    return length <= most ? label : tail ? "…" + label.substring(length - most + 1) : label.substring(0, most - 1) + "…";
  }
}
