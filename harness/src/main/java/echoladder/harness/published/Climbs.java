package echoladder.harness.published;

import echoladder.harness.common.Refusal;
import java.nio.file.Path;
import java.util.List;

/** The ends of the climbs of published runs as their file has them. */
public record Climbs(List<ClimbEnd> all) {
  public Climbs {
    all = List.copyOf(all);
  }

  /**
   * Reads the file that {@code index} writes.
   *
   * @throws Refusal (bad usage) where there is none, or a line is not what it writes
   */
  public static Climbs read(Path file) {
    return new Climbs(ListFile.read(file, ClimbEnd.HEADER, ClimbEnd::parse));
  }
}
