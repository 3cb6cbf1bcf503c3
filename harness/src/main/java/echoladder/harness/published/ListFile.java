package echoladder.harness.published;

import echoladder.harness.common.Refusal;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/** A list that {@code index} writes: a header, and a line per row whose cells need no quotes. */
final class ListFile {
  private static final long MOST_BYTES = 16L << 20;

  private ListFile() {}

  /**
   * Its rows.
   *
   * @param row from a line; an {@link IllegalArgumentException} says what is wrong with that
   * @throws Refusal (bad usage) where there is no such file, or a line is not what {@code index} writes
   */
  static <T> List<T> read(Path file, String header, Function<String, T> row) {
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw Refusal.badUsage(file + ": larger than 16 MiB, which no list of published runs is");
      }
      return parse(Files.readString(file), header, row, file.toString());
    } catch (NoSuchFileException e) {
      throw Refusal.badUsage(file + ": there is no such file; './ladder index DIR' writes it for the runs below DIR");
    } catch (IOException e) {
      throw Refusal.badUsage(file + ": cannot be read: " + ErrorText.of(e));
    }
  }

  /** The rows in a text; fails as {@link #read} does. */
  static <T> List<T> parse(String text, String header, Function<String, T> row, String shown) {
    List<String> lines = text.lines().toList();
    if (lines.isEmpty() || !lines.getFirst().equals(header)) {
      throw Refusal.badUsage(shown + ": its first line is not '" + header + "'; './ladder index' writes such a file");
    }
    try {
      return lines.stream().skip(1).map(row).toList();
    } catch (IllegalArgumentException e) {
      throw Refusal.badUsage(shown + ": " + e.getMessage() + "; './ladder index' writes it anew");
    }
  }

  /** A line; an {@link IllegalArgumentException} where a cell would need quotes. */
  static String line(List<String> cells) {
    for (String cell : cells) {
      if (cell.matches("(?s).*[,\"\r\n].*")) {
        throw new IllegalArgumentException(String.join("/", cells.subList(0, 2)) + ": '" + cell + "' cannot stand in a cell of this file");
      }
    }
    return String.join(",", cells);
  }

  /** The cells of a line; an {@link IllegalArgumentException} where there are more or fewer than the header has. */
  static List<String> cells(String line, String header) {
    List<String> cells = List.of(line.split(",", -1));
    if (cells.size() != header.split(",", -1).length) {
      throw new IllegalArgumentException("'" + line + "' has not the cells of " + header);
    }
    return cells;
  }
}
