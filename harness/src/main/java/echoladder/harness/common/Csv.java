package echoladder.harness.common;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What RFC 4180 says of a cell, written and read. */
public final class Csv {
  /**
   * A cell with what ends it: a comma, a line's end, or the end of the text. Possessive, as a lost quote makes a cell of the whole file,
   * which a pattern that goes back would follow until the stack is full.
   */
  private static final Pattern CELL = Pattern.compile("\\G(?:\"((?:[^\"]++|\"\")*+)\"|([^,\"\\r\\n]*))(,|\\r?\\n|\\z)");

  private Csv() {}

  /** A cell's text, in quotes where it would not be read as one cell without. */
  public static String cell(String text) {
    return text.chars().anyMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n') ? '"' + text.replace("\"", "\"\"") + '"' : text;
  }

  /**
   * The rows below a header, each with its cells by the header's names.
   *
   * @throws IllegalArgumentException where a row has not as many cells as the header, or quotes are not as they should be
   */
  public static List<Map<String, String>> rows(String text) {
    List<List<String>> lines = lines(text);
    if (lines.isEmpty()) {
      throw new IllegalArgumentException("it is empty, without even a header");
    }
    List<String> header = lines.getFirst();
    List<Map<String, String>> rows = new ArrayList<>();
    for (List<String> line : lines.subList(1, lines.size())) {
      if (line.size() != header.size()) {
        throw new IllegalArgumentException("row %d has %d cells, its header %d".formatted(rows.size() + 1, line.size(), header.size()));
      }
      Map<String, String> row = new LinkedHashMap<>();
      for (int i = 0; i < line.size(); i++) {
        row.put(header.get(i), line.get(i));
      }
      rows.add(row);
    }
    return rows;
  }

  private static List<List<String>> lines(String text) {
    List<List<String>> lines = new ArrayList<>();
    List<String> line = new ArrayList<>();
    Matcher cell = CELL.matcher(text);
    int end = 0;
    while (end < text.length()) {
      if (!cell.find()) {
        throw new IllegalArgumentException("row %d cannot be read: a quote is not as it should be".formatted(lines.size()));
      }
      end = cell.end();
      line.add(cell.group(1) == null ? cell.group(2) : cell.group(1).replace("\"\"", "\""));
      if (!cell.group(3).equals(",")) {
        lines.add(line);
        line = new ArrayList<>();
      } else if (end == text.length()) {
        line.add("");
        lines.add(line);
      }
    }
    return lines;
  }
}
