package echoladder.harness.published;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Tables of the project's pages, cell by cell. */
final class PageTables {
  private PageTables() {}

  /** The cells of the table of a page that has that header. */
  static List<List<String>> table(String page, String header) throws IOException {
    return table(Files.readAllLines(Checkout.find().root().resolve(page)), header);
  }

  /** The cells of README's answer. */
  static List<List<String>> answer() throws IOException {
    return table("README.md", "| | Netty | virtual threads | goroutines | platform threads |");
  }

  /** The cells of the row of README's answer that begins so, without its first. */
  static List<String> answer(String row) throws IOException {
    List<String> cells = answer().stream().filter(each -> each.getFirst().equals(row)).findFirst().orElseThrow();
    return cells.subList(1, cells.size());
  }

  /** Rows whose first cells, so many of them, hold for the rows without one below them. */
  static List<List<String>> filledDown(List<List<String>> rows, int columns) {
    List<List<String>> filled = new ArrayList<>();
    for (List<String> row : rows) {
      List<String> cells = new ArrayList<>(row);
      for (int i = 0; i < columns; i++) {
        cells.set(i, row.get(i).isEmpty() ? filled.getLast().get(i) : row.get(i));
      }
      filled.add(cells);
    }
    return filled;
  }

  /** The cells of the first table of these lines that has that header. */
  static List<List<String>> table(List<String> lines, String header) {
    int at = lines.indexOf(header);
    assertThat(at).as("%s", header).isNotNegative();
    return lines.subList(at + 2, lines.size()).stream()
        .takeWhile(line -> line.startsWith("|"))
        .map(line -> Arrays.stream(line.split("\\|")).map(String::strip).skip(1).toList())
        .toList();
  }
}
