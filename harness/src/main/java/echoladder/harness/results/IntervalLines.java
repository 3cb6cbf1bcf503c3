package echoladder.harness.results;

import echoladder.linux.ErrorText;
import echoladder.openloop.result.EncodedHistogram;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.jspecify.annotations.Nullable;

/**
 * The intervals of an {@code *.hlog} that may be somebody else's, by HdrHistogram's own reader. That one takes its room from
 * what a line says of itself, so each line is looked at first: its length, and the range and size of the histogram in it,
 * which a line of a hundred bytes may say is 2 GiB.
 */
public final class IntervalLines implements AutoCloseable {
  /** A day of one line per second and kind of time, twice over. */
  private static final int MOST_LINES = 2_000_000;

  /** The most that is read of one. */
  static final long MOST_BYTES = 2L << 30;

  private static final String ENDING = ".hlog";

  private static final int MOST_LINE_BYTES = EncodedHistogram.MOST_BYTES;

  private final Screen screen;
  private final HistogramLogReader reader;
  private @Nullable String damage;

  private IntervalLines(Screen screen) {
    this.screen = screen;
    this.reader = new HistogramLogReader(screen);
  }

  /**
   * Opens one; of a published run it may be a part of the file that has all of them.
   *
   * @throws java.nio.file.NoSuchFileException where there is none
   * @throws IOException where it is no regular file, or too large
   */
  public static IntervalLines open(PlainFiles files, String name) throws IOException {
    boolean together = !files.has(name) && files.has(PublishedRecord.TIMES);
    InputStream in = together ? new ByteArrayInputStream(AllLogs.of(files).lines(name)) : files.open(name, MOST_BYTES);
    return new IntervalLines(new Screen(new BufferedInputStream(in, 1 << 16)));
  }

  /** What the tags of a log's intervals begin with in the file that has all of them. */
  public static String tagged(String name) {
    return (name.endsWith(ENDING) ? name.substring(0, name.length() - ENDING.length()) : name) + ":";
  }

  /** The next interval; null at the end, and where {@link #damage} says why the log cannot be read on. */
  public @Nullable Histogram next() {
    try {
      while (damage == null && reader.hasNext()) {
        switch (reader.nextIntervalHistogram()) {
          case null -> damage = "it ends in the middle of a line";
          case Histogram histogram -> {
            return histogram;
          }
          default -> {
            // Of another kind than the ladder's clients write.
          }
        }
      }
    } catch (RuntimeException e) {
      // What the reader throws at a line that was cut differs with the place of the cut.
      damage = "it could not be read to its end (" + ErrorText.of(e) + ")";
    }
    damage = screen.complaint.isEmpty() ? damage : screen.complaint;
    return null;
  }

  /** The sum of an interval and those before it, which may be none. Of another program's log each may have a range of its own. */
  public static Histogram sum(@Nullable Histogram before, Histogram interval) {
    if (before == null) {
      Histogram first = interval.copy();
      first.setAutoResize(true);
      return first;
    }
    before.add(interval);
    return before;
  }

  /** Why it could not be read to its end; null where it could, and before. */
  public @Nullable String damage() {
    return damage;
  }

  @Override
  public void close() {
    reader.close();
  }

  /** Gives on whole lines alone, each when nothing speaks against it; ends at the first other one. */
  private static final class Screen extends InputStream {
    private final InputStream in;
    private byte[] line = {};
    private int at;
    private int lines;
    private String complaint = "";

    Screen(InputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      return more() ? line[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      if (!more()) {
        return -1;
      }
      int given = Math.min(length, line.length - at);
      System.arraycopy(line, at, into, from, given);
      at += given;
      return given;
    }

    private boolean more() {
      if (at == line.length && complaint.isEmpty()) {
        try {
          line = next();
          at = 0;
        } catch (IOException e) {
          complaint = String.valueOf(e.getMessage());
        }
      }
      return at < line.length && complaint.isEmpty();
    }

    private byte[] next() throws IOException {
      ByteArrayOutputStream whole = new ByteArrayOutputStream(4096);
      for (int b = in.read(); b >= 0; b = in.read()) {
        whole.write(b);
        if (b == '\n') {
          break;
        }
        if (whole.size() > MOST_LINE_BYTES) {
          throw new IOException("line %,d is longer than %,d bytes, as no histogram's is".formatted(lines + 1, MOST_LINE_BYTES));
        }
      }
      if (whole.size() > 0 && ++lines > MOST_LINES) {
        throw new IOException("it has more than %,d lines".formatted(MOST_LINES));
      }
      String text = whole.toString(StandardCharsets.ISO_8859_1);
      String payload = text.substring(text.lastIndexOf(',') + 1).strip();
      if (payload.startsWith("HIST")) {
        String wrong = complaint(payload);
        if (!wrong.isEmpty()) {
          throw new IOException("line %,d: %s".formatted(lines, wrong));
        }
      }
      return whole.toByteArray();
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  /** What speaks against decoding that; a text that was cut is left to the reader, which says so. */
  private static String complaint(String payload) {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(payload);
    } catch (IllegalArgumentException e) {
      return "";
    }
    return EncodedHistogram.complaint(bytes);
  }
}
