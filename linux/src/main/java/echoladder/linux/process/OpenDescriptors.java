package echoladder.linux.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The open descriptors of a process.
 *
 * @param total how many
 * @param kinds how many of each kind, by the kernel's names such as {@code pipe} and {@code eventpoll}; else {@code file} or
 *     {@code device}
 * @param sockets the inodes of its sockets
 */
public record OpenDescriptors(long total, Map<String, Long> kinds, Set<Long> sockets) {
  private static final String SOCKET = "socket:[";
  private static final String ANONYMOUS = "anon_inode:";

  /**
   * Looks at each: about 2 s for a million.
   *
   * @throws NoSuchFileException where there is no such process
   * @throws java.nio.file.AccessDeniedException where this one may not look
   */
  public static OpenDescriptors of(long pid) throws IOException {
    Map<String, Long> kinds = new TreeMap<>();
    Set<Long> sockets = new HashSet<>();
    long total = 0;
    try (Stream<Path> open = Files.list(Path.of("/proc/" + pid + "/fd"))) {
      for (Path descriptor : (Iterable<Path>) open::iterator) {
        String target;
        try {
          target = Files.readSymbolicLink(descriptor).toString();
        } catch (NoSuchFileException e) {
          continue; // It has been closed meanwhile.
        }
        total++;
        kinds.merge(kind(target), 1L, Long::sum);
        if (target.startsWith(SOCKET)) {
          sockets.add(Long.parseLong(target, SOCKET.length(), target.length() - 1, 10));
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return new OpenDescriptors(total, kinds, sockets);
  }

  /** From what a descriptor leads to: {@code socket:[1]}, {@code anon_inode:[eventpoll]}, {@code /dev/null}, {@code /tmp/x}. */
  static String kind(String target) {
    if (target.startsWith(ANONYMOUS)) {
      return target.substring(ANONYMOUS.length()).replaceAll("[\\[\\]]", "");
    }
    if (target.startsWith("/")) {
      return target.startsWith("/dev/") ? "device" : "file";
    }
    int colon = target.indexOf(":[");
    return colon > 0 ? target.substring(0, colon) : "file";
  }
}
