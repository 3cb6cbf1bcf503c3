package echoladder.harness.published;

import echoladder.harness.common.Refusal;
import java.nio.file.Path;
import java.util.List;

/** The points of published runs as their file has them. */
public record Points(List<Point> all) {
  public Points {
    all = List.copyOf(all);
  }

  /**
   * Reads the file that {@code index} writes.
   *
   * @throws Refusal (bad usage) where there is none, or a line is not what it writes
   */
  public static Points read(Path file) {
    return new Points(ListFile.read(file, Point.HEADER, Point::parse));
  }

  /** Those of a server, as it comes and with options, that echoed messages of that size. */
  List<Point> of(String server, int messageBytes) {
    return all.stream().filter(point -> point.server().equals(server) && point.messageBytes() == messageBytes).toList();
  }

  static Points parse(String text, String shown) {
    return new Points(ListFile.parse(text, Point.HEADER, Point::parse, shown));
  }
}
