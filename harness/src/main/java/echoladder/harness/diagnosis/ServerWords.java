package echoladder.harness.diagnosis;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The words by which a server's log shows a refusal by the kernel or by its runtime: the words of the JDK, of Go and of libc. */
public enum ServerWords {
  NO_FILE_ON_HOST("too many open files in system|\\bENFILE\\b"),
  NO_DESCRIPTOR("too many open files(?! in system)|\\bEMFILE\\b"),
  NO_THREAD("unable to create native thread|failed to create new OS thread|pthread_create failed|newosproc"),
  NO_WATCH("epoll_?ctl[^\\n]*(failed: 28|no space left on device|ENOSPC)|ENOSPC"),
  HEAP_FULL("Java heap space|GC overhead limit exceeded"),
  NO_MAPPING(
      "\\(mmap\\) failed|Map failed|insufficient memory for the Java Runtime|cannot allocate memory"
          + "|failed to map|os::commit_memory");

  /** What is read of each end of a log; a server logs a failure at most once a second. */
  private static final int MOST_BYTES = 256 << 10;

  private static final int MOST_SHOWN = 240;

  private final Pattern pattern;

  ServerWords(String pattern) {
    this.pattern = Pattern.compile(pattern, Pattern.CASE_INSENSITIVE);
  }

  /** The last line of each kind in a log, shortened; none where the log cannot be read. */
  public static Map<ServerWords, String> of(Path log) {
    return in(read(log).orElse(""));
  }

  /** The last line of each kind, as it stands there, shortened. */
  static Map<ServerWords, String> in(String log) {
    Map<ServerWords, String> found = new EnumMap<>(ServerWords.class);
    log.lines()
        .forEach(
            line -> {
              for (ServerWords kind : values()) {
                if (kind.pattern.matcher(line).find()) {
                  found.put(kind, line.length() <= MOST_SHOWN ? line : line.substring(0, MOST_SHOWN) + "...");
                  // The first that fits: "too many open files in system" is not both.
                  return;
                }
              }
            });
    return found;
  }

  /** A log's beginning and end; empty where it cannot be read. */
  static Optional<String> read(Path log) {
    if (!Files.isReadable(log)) {
      return Optional.empty();
    }
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long bytes = file.length();
      byte[] text = new byte[(int) Math.min(bytes, 2L * MOST_BYTES)];
      if (bytes <= text.length) {
        file.readFully(text);
      } else {
        file.readFully(text, 0, MOST_BYTES);
        file.seek(bytes - MOST_BYTES);
        file.readFully(text, MOST_BYTES, MOST_BYTES);
      }
      return Optional.of(new String(text, StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
