package echoladder.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders as wholes. */
public final class Folders {
  private Folders() {}

  /**
   * Removes one with all that is in it; no link is followed.
   *
   * @throws IOException where a part of it cannot be removed; the rest may be gone
   */
  public static void delete(Path dir) throws IOException {
    try (Stream<Path> all = Files.walk(dir)) {
      List<Path> inner = all.sorted(Comparator.reverseOrder()).toList();
      for (Path file : inner) {
        Files.deleteIfExists(file);
      }
    }
  }
}
