package echoladder.harness.common;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Text of /proc and /sys. Absent is null, as what cannot be read on this kernel, in this container or of a process
 * that has just ended is no failure of a measurement but missing data, which its reader must say.
 */
public final class ProcText {
  private static final int MOST_BYTES = 4 << 20;

  private ProcText() {}

  /** The whole text, up to 4 MiB, or null where it cannot be read. */
  public static @Nullable String read(String path) {
    // Large reads, as files of /proc are generated at each read and have no size beforehand.
    try (InputStream in = Files.newInputStream(Path.of(path))) {
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      byte[] part = new byte[16 << 10];
      int n;
      while ((n = in.read(part)) > 0 && text.size() < MOST_BYTES) {
        text.write(part, 0, n);
      }
      return text.toString(StandardCharsets.UTF_8);
    } catch (IOException e) {
      return null;
    }
  }

  /** How many lines it has, however long it is; empty where it cannot be read. */
  public static OptionalLong countLines(String path) {
    try (InputStream in = Files.newInputStream(Path.of(path))) {
      byte[] part = new byte[64 << 10];
      long lines = 0;
      int n;
      while ((n = in.read(part)) > 0) {
        for (int i = 0; i < n; i++) {
          lines += part[i] == '\n' ? 1 : 0;
        }
      }
      return OptionalLong.of(lines);
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  /** Its lines; none where it cannot be read. */
  public static List<String> lines(String path) {
    String text = read(path);
    return text == null ? List.of() : text.lines().toList();
  }

  /** The first number after {@code key} at the beginning of a line, e.g. {@code MemAvailable:}. */
  public static OptionalLong number(List<String> lines, String key) {
    for (String line : lines) {
      if (line.startsWith(key)) {
        String digits = line.substring(key.length()).trim().split("[^0-9]+", 2)[0];
        return digits.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(digits));
      }
    }
    return OptionalLong.empty();
  }

  /** A file that holds one number; empty where it cannot be read or holds a word such as {@code max}. */
  public static OptionalLong number(String path) {
    String text = read(path);
    if (text == null || !text.trim().matches("\\d{1,18}")) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(Long.parseLong(text.trim()));
  }
}
