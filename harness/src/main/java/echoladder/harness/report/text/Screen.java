package echoladder.harness.report.text;

import echoladder.harness.report.words.Legend;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a text is printed on.
 *
 * @param columns characters in a line
 * @param folds whether longer lines are folded: on a terminal, which would break them within words. A pipe takes them whole, so that
 *     programs find a sentence in its line.
 * @param colours whether verdicts have colours
 */
public record Screen(int columns, boolean folds, boolean colours) {
  /** Columns where nobody says how many there are. */
  public static final int USUAL_COLUMNS = Legend.MOST_COLUMNS;

  /** What a terminal obeys and does not show. */
  private static final Pattern COLOUR = Pattern.compile("\033\\[\\d+m");

  /** Behind it begins the last cell of a line. */
  private static final Pattern GAP = Pattern.compile(" {2,}(?=\\S)");

  /** What is not a terminal. */
  static Screen file(boolean colours) {
    return new Screen(USUAL_COLUMNS, false, colours);
  }

  /** Columns of a sentence: longer lines are hard to read. */
  int sentenceColumns() {
    return Math.min(columns, Legend.MOST_COLUMNS);
  }

  /** Folds the lines that are too long between words, further lines below the last cell. Lines with colours stay as they are. */
  String folded(String text) {
    return folds ? text.lines().map(this::line).collect(Collectors.joining("\n", "", "\n")) : text;
  }

  private String line(String line) {
    if (line.length() <= columns || COLOUR.matcher(line).find()) {
      return line;
    }
    int indent = 2;
    Matcher gap = GAP.matcher(line);
    while (gap.find() && gap.end() <= columns / 2) {
      indent = gap.end();
    }
    StringBuilder out = new StringBuilder();
    String rest = line;
    int room = columns;
    while (rest.length() > room) {
      int end = rest.lastIndexOf(' ', room);
      if (end < 0 || rest.substring(0, end).isBlank()) {
        // A path or a command that is longer than a line: only the terminal can break it.
        end = rest.indexOf(' ', room);
      }
      if (end < 0) {
        break;
      }
      out.append(rest.substring(0, end).stripTrailing()).append('\n').append(" ".repeat(indent));
      rest = rest.substring(end).stripLeading();
      room = columns - indent;
    }
    return out.append(rest).toString();
  }
}
