package echoladder.harness.common;

import java.util.ArrayList;
import java.util.List;

/** Rows of cells, aligned in columns. The first column and the last are left-aligned, as they hold words. */
public final class TextTable {
  private final List<List<String>> rows = new ArrayList<>();

  /** Adds a row, of as many cells as the first. */
  public TextTable row(List<String> cells) {
    rows.add(List.copyOf(cells));
    return this;
  }

  /** The lines, without spaces at their ends. */
  public List<String> lines() {
    int columns = rows.getFirst().size();
    int[] width = new int[columns];
    for (List<String> row : rows) {
      for (int c = 0; c < columns; c++) {
        width[c] = Math.max(width[c], row.get(c).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int c = 0; c < columns; c++) {
        String pad = " ".repeat(width[c] - row.get(c).length());
        boolean words = c == 0 || c == columns - 1;
        line.append(c == 0 ? "" : "  ").append(words ? row.get(c) + pad : pad + row.get(c));
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
