package echoladder.linux.output;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Lines of a stream in UTF-8, none of which takes more memory than it may. One thread. */
public final class BoundedLines {
  private final InputStream from;
  private final int mostBytes;
  private final byte[] buffer = new byte[8 << 10];
  private int at;
  private int end;

  /**
   * One line.
   *
   * @param text without its end; what is beyond the bound is missing
   * @param whole whether nothing is missing
   */
  public record Line(String text, boolean whole) {}

  /** Lines of at most so many bytes. */
  public BoundedLines(InputStream from, int mostBytes) {
    this.from = from;
    this.mostBytes = mostBytes;
  }

  /**
   * The next line; null at the end of the stream. What is beyond the bound is read over with {@link #rest}, so that a line
   * without end is told at its bound and not never.
   */
  public @Nullable Line next() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    while (true) {
      if (at == end && !fill()) {
        return line.size() == 0 ? null : new Line(text(line), true);
      }
      int from = at;
      int most = Math.min(end, at + mostBytes - line.size());
      while (at < most && buffer[at] != '\n') {
        at++;
      }
      line.write(buffer, from, at - from);
      if (at < end && buffer[at] == '\n') {
        at++;
        return new Line(text(line), true);
      }
      if (line.size() == mostBytes) {
        return new Line(text(line), false);
      }
    }
  }

  /** Reads over what is left of a line that was not whole. */
  public void rest() throws IOException {
    while (at < end || fill()) {
      if (buffer[at++] == '\n') {
        return;
      }
    }
  }

  private boolean fill() throws IOException {
    at = 0;
    end = Math.max(0, from.read(buffer));
    return end > 0;
  }

  private static String text(ByteArrayOutputStream line) {
    String text = line.toString(StandardCharsets.UTF_8);
    return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
  }
}
