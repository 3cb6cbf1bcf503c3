package echoladder.openloop;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/**
 * What the head of an HTTP/1.1 answer says about its body (RFC 9112, 6.3). One instance is filled again for each head,
 * so that reading one allocates nothing. Belongs to one event loop.
 */
final class HttpHead {
  private static final String CONTENT_LENGTH = "content-length:";
  private static final String CODING = "transfer-encoding:";

  private int status;
  private int lengths;
  private int codings;
  private boolean chunked;
  private boolean last;
  private long length;

  /** Reads a whole head, its empty line included, from {@code from} to before {@code end}. */
  void read(MemorySegment in, int from, int end) {
    status = status(in, from, end);
    lengths = 0;
    codings = 0;
    chunked = false;
    last = false;
    length = -1;
    for (int i = from; i + 1 < end; i++) {
      if (in.get(JAVA_BYTE, i) == '\n') {
        int line = i + 1;
        if (matches(in, line, CONTENT_LENGTH)) {
          lengths++;
          length = contentLength(in, line + CONTENT_LENGTH.length(), end);
        }
        codings += matches(in, line, CODING) ? 1 : 0;
        chunked |= isHeader(in, line, end, CODING, "chunked\r");
        last |= isHeader(in, line, end, "connection:", "close");
      }
    }
  }

  /** The status code; negative where there is no status line of HTTP/1.1. */
  int status() {
    return status;
  }

  /** How many content-lengths there are. */
  int lengths() {
    return lengths;
  }

  /** How many transfer-encodings there are. */
  int codings() {
    return codings;
  }

  /** Whether the body comes in chunks. */
  boolean chunked() {
    return chunked;
  }

  /** Whether the server says that it closes the connection behind this answer. */
  boolean last() {
    return last;
  }

  /** The content-length; -1 where there is none, or none that is a number. */
  long length() {
    return length;
  }

  /** Position after the empty line, or -1. */
  static int end(MemorySegment in, int from, int to) {
    for (int i = from; i + 3 < to; i++) {
      if (in.get(JAVA_BYTE, i) == '\r'
          && in.get(JAVA_BYTE, i + 1) == '\n'
          && in.get(JAVA_BYTE, i + 2) == '\r'
          && in.get(JAVA_BYTE, i + 3) == '\n') {
        return i + 4;
      }
    }
    return -1;
  }

  private static int status(MemorySegment in, int from, int end) {
    if (end - from < 16 || !matches(in, from, "http/1.1 ")) {
      return -1;
    }
    int status = 0;
    for (int i = from + 9; i < from + 12; i++) {
      int digit = Character.digit(in.get(JAVA_BYTE, i), 10);
      if (digit < 0) {
        return -1;
      }
      status = status * 10 + digit;
    }
    return status;
  }

  /** The number that begins at {@code from}; -1 where it is none. */
  private static long contentLength(MemorySegment in, int from, int end) {
    long length = -1;
    boolean over = false;
    for (int at = from; at < end; at++) {
      byte b = in.get(JAVA_BYTE, at);
      int digit = Character.digit(b, 10);
      if (digit >= 0 && !over && length < 1L << 40) {
        length = Math.max(0, length) * 10 + digit;
      } else if (b == ' ' || b == '\t') {
        over = length >= 0;
      } else {
        return b == '\r' ? length : -1;
      }
    }
    return -1;
  }

  /** Whether that line is a header of {@code name}, lower case with its colon, whose value begins with {@code value}. */
  private static boolean isHeader(MemorySegment in, int line, int end, String name, String value) {
    if (!matches(in, line, name)) {
      return false;
    }
    int at = line + name.length();
    while (at < end && in.get(JAVA_BYTE, at) == ' ') {
      at++;
    }
    return at + value.length() <= end && matches(in, at, value);
  }

  private static boolean matches(MemorySegment in, int at, String lower) {
    if (at + lower.length() > in.byteSize()) {
      return false;
    }
    for (int i = 0; i < lower.length(); i++) {
      int b = in.get(JAVA_BYTE, at + i);
      if ((b >= 'A' && b <= 'Z' ? b + 32 : b) != lower.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
