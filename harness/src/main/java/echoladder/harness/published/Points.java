package echoladder.harness.published;

import echoladder.harness.common.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** The points of published runs as their file has them. */
public record Points(List<Point> all) {
  private static final long MOST_BYTES = 16L << 20;

  public Points {
    all = List.copyOf(all);
  }

  /**
   * Reads the file that {@code index} writes.
   *
   * @throws Refusal (bad usage) where there is none, or a line is not what it writes
   */
  public static Points read(Path file) {
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw Refusal.badUsage(file + ": larger than 16 MiB, which no file of points is");
      }
      return parse(Files.readString(file), file.toString());
    } catch (NoSuchFileException e) {
      throw Refusal.badUsage(file + ": there is no such file; './ladder index DIR' writes it for the runs below DIR");
    } catch (IOException e) {
      throw Refusal.badUsage(file + ": cannot be read: " + e);
    }
  }

  /** Whether there is one of that server. */
  public boolean has(String server) {
    return all.stream().anyMatch(point -> point.server().equals(server));
  }

  static Points parse(String text, String shown) {
    List<String> lines = text.lines().toList();
    if (lines.isEmpty() || !lines.getFirst().equals(Point.HEADER)) {
      throw Refusal.badUsage(shown + ": its first line is not '" + Point.HEADER + "'; './ladder index' writes such a file");
    }
    try {
      return new Points(lines.stream().skip(1).map(Point::parse).toList());
    } catch (IllegalArgumentException e) {
      throw Refusal.badUsage(shown + ": " + e.getMessage() + "; './ladder index' writes it anew");
    }
  }
}
