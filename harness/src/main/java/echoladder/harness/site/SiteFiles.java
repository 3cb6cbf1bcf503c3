package echoladder.harness.site;

import echoladder.harness.common.Refusal;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The folder of a site. It has a list of its files, so that the next site replaces these and nothing else. A folder without the list
 * belongs to somebody else, and is refused.
 */
final class SiteFiles {
  /** The list. */
  static final String LIST = "site-files.txt";

  private static final String FIRST_LINE = "Files of a site that ./ladder site wrote. The next ./ladder site replaces them.";

  private final Path dir;
  private final Set<String> earlier;
  private final Set<String> written = new TreeSet<>();
  private long bytes;

  private SiteFiles(Path dir, Set<String> earlier) {
    this.dir = dir;
    this.earlier = earlier;
  }

  /**
   * Takes a folder that is empty, absent, or has a site.
   *
   * @throws Refusal (bad usage) where it is anything else
   */
  static SiteFiles open(Path dir) {
    Path folder = dir.toAbsolutePath().normalize();
    try {
      if (Files.exists(folder) && !Files.isDirectory(folder)) {
        throw Refusal.badUsage("--out " + dir + " is a file; a site is a folder of many; give another name");
      }
      Files.createDirectories(folder);
      Set<String> earlier = Set.of();
      try (Stream<Path> entries = Files.list(folder)) {
        if (entries.findAny().isPresent()) {
          earlier = listed(folder, dir);
        }
      }
      SiteFiles files = new SiteFiles(folder, earlier);
      // A site that was not finished is ours too.
      files.list(earlier);
      return files;
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot write a site into " + dir + ": " + ErrorText.of(e) + "; give another folder with --out DIR");
    }
  }

  private static Set<String> listed(Path folder, Path shown) throws IOException {
    Path list = folder.resolve(LIST);
    List<String> lines = Files.isRegularFile(list, LinkOption.NOFOLLOW_LINKS) ? Files.readAllLines(list) : List.of();
    if (lines.isEmpty() || !lines.getFirst().equals(FIRST_LINE)) {
      throw Refusal.badUsage(
          "--out %s: the folder is not empty, and no site is in it (it has no %s of ./ladder site); files of others would be mixed with the"
              .formatted(shown, LIST)
              + " site's; give an empty folder, or one that does not exist");
    }
    return new TreeSet<>(lines.subList(1, lines.size()));
  }

  /** Writes a file; {@code path} has / between its parts and none that leads upwards. */
  void write(String path, String text) throws IOException {
    write(path, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes a file of bytes. */
  void write(String path, byte[] content) throws IOException {
    Path file = inside(path);
    Files.createDirectories(file.resolveSibling(""));
    if (!file.resolveSibling("").toRealPath().startsWith(dir.toRealPath())) {
      throw new IOException(path + " would be written elsewhere, as a folder on its way is a link");
    }
    // A link in its place is replaced, and what it leads to stays as it is.
    Files.deleteIfExists(file);
    Files.write(file, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    written.add(path);
    bytes += content.length;
  }

  boolean has(String path) {
    return written.contains(path);
  }

  int count() {
    return written.size();
  }

  long bytes() {
    return bytes;
  }

  /** Removes what an earlier site had and this one has not. */
  void finish() throws IOException {
    for (String path : earlier) {
      if (!written.contains(path)) {
        Path file = inside(path);
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
          Files.delete(file);
        }
        removeEmpty(file.resolveSibling(""));
      }
    }
    list(written);
  }

  private void removeEmpty(Path folder) throws IOException {
    Path at = folder.normalize();
    while (!at.equals(dir) && at.startsWith(dir) && Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS)) {
      try (Stream<Path> entries = Files.list(at)) {
        if (entries.findAny().isPresent()) {
          return;
        }
      }
      Files.delete(at);
      at = at.resolveSibling("").normalize();
    }
  }

  private void list(Set<String> paths) throws IOException {
    Path list = dir.resolve(LIST);
    Files.deleteIfExists(list);
    List<String> lines = Stream.concat(Stream.of(FIRST_LINE), paths.stream()).toList();
    Files.write(list, lines, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  private Path inside(String path) throws IOException {
    Path file = dir.resolve(path).normalize();
    if (!file.startsWith(dir) || file.equals(dir)) {
      throw new IOException("'" + path + "' is no file below " + dir);
    }
    return file;
  }
}
