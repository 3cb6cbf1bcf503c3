package echoladder.linux.output;

import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The way to a terminal, and to logs that somebody will look at on one: what of the text a terminal would obey and this
 * program does not write itself is shown as a sign. Line ends and tabs pass. One thread at a time, as PrintStream has it.
 */
public final class TerminalStream extends FilterOutputStream {
  /** Stands for a character that would be obeyed. */
  public static final String INSTEAD = "\ufffd";

  /** What this program writes itself: a line that is written anew, and the colours of verdicts. */
  private static final List<String> OWN = List.of("\r\033[K", "\033[31m", "\033[32m", "\033[33m", "\033[0m");

  /** The obeyed characters beyond ASCII, as bytes of UTF-8: C1, and what turns the direction of the text around. */
  private static final Pattern OBEYED_UTF_8 =
      Pattern.compile("\u00c2[\u0080-\u009f]|\u00e2(\u0080[\u00aa-\u00ae]|\u0081[\u00a6-\u00a9])");

  private static final List<String> BEGINNINGS_UTF_8 = List.of("\u00c2", "\u00e2\u0080", "\u00e2\u0081");

  private final List<String> own;
  private final boolean utf8;
  private final byte[] instead;
  /** Bytes, as characters, that may be the beginning of something longer. */
  private String pending = "";

  private TerminalStream(OutputStream to, Charset charset, List<String> own) {
    super(to);
    this.own = own;
    utf8 = charset.equals(StandardCharsets.UTF_8);
    instead = INSTEAD.getBytes(charset);
  }

  /** The way of a text of others, in UTF-8, to a log: nothing in it is of this program's making. */
  public static OutputStream ofOthers(OutputStream to) {
    return new TerminalStream(to, StandardCharsets.UTF_8, List.of());
  }

  /** Has System.out and System.err go this way from now on. */
  public static void install() {
    System.setOut(before(System.out));
    System.setErr(before(System.err));
  }

  /** A stream that hands on to {@code to}, in the same character set. */
  public static PrintStream before(PrintStream to) {
    return new PrintStream(new TerminalStream(to, to.charset(), OWN), true, to.charset());
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    ByteArrayOutputStream shown = new ByteArrayOutputStream(count + 16);
    for (int i = from; i < from + count; i++) {
      take((char) (bytes[i] & 0xff), shown);
    }
    out.write(shown.toByteArray());
    out.flush();
    // A PrintStream keeps to itself that its reader is gone.
    if (out instanceof PrintStream printed && printed.checkError()) {
      throw new IOException("what was written could not be handed on");
    }
  }

  private void take(char b, ByteArrayOutputStream shown) {
    pending += b;
    while (!pending.isEmpty() && !begins(pending)) {
      boolean whole = own.contains(pending);
      boolean obeyed = utf8 && OBEYED_UTF_8.matcher(pending).matches();
      if (whole) {
        shown.writeBytes(pending.getBytes(StandardCharsets.ISO_8859_1));
      } else if (obeyed) {
        shown.writeBytes(instead);
      } else {
        first(pending.charAt(0), shown);
      }
      pending = whole || obeyed ? "" : pending.substring(1);
    }
  }

  private boolean begins(String text) {
    return own.stream().anyMatch(written -> written.length() > text.length() && written.startsWith(text))
        || (utf8 && BEGINNINGS_UTF_8.stream().anyMatch(beginning -> beginning.startsWith(text)));
  }

  private void first(char b, ByteArrayOutputStream shown) {
    boolean control = (b < 0x20 && b != '\n' && b != '\t') || b == 0x7f || (!utf8 && b >= 0x80 && b < 0xa0);
    if (control) {
      shown.writeBytes(instead);
    } else {
      shown.write(b);
    }
  }

  @Override
  public void close() throws IOException {
    for (int i = 0; i < pending.length(); i++) {
      out.write(instead);
    }
    pending = "";
    super.close();
  }
}
