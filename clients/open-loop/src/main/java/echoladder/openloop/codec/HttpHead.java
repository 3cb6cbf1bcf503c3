package echoladder.openloop.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What the head of an HTTP/1.1 answer says about its body (RFC 9112, 6.3). Header names, codings and options are told in any case, with
 * spaces, tabs and folded lines around them, and as members of lists (RFC 9110, 5.5 and 5.6.1). One instance is filled again for each
 * head, so that reading one allocates nothing. Belongs to one event loop.
 */
public final class HttpHead {
  private static final String BEGIN = "http/";
  private static final String VERSION = BEGIN + "1.1 ";
  private static final String CONTENT_LENGTH = "content-length";
  private static final String CODING = "transfer-encoding";
  private static final String CONNECTION = "connection";
  private static final long LENGTH_MOST = 1L << 40;

  private int status;
  private int lengths;
  private int codings;
  private boolean chunked;
  private boolean last;
  private boolean spaced;
  private long length;

  /** Reads a whole head, its empty line included, from {@code from} to before {@code end}. */
  void read(MemorySegment in, int from, int end) {
    status = status(in, from, end);
    lengths = 0;
    codings = 0;
    chunked = false;
    last = false;
    spaced = false;
    length = -1;
    for (int at = fieldEnd(in, from, end) + 1; at < end; ) {
      int next = fieldEnd(in, at, end);
      field(in, at, next);
      at = next + 1;
    }
  }

  /** The status code; negative where there is no status line of HTTP/1.1. */
  int status() {
    return status;
  }

  /** Whether the body comes in chunks. */
  boolean chunked() {
    return chunked;
  }

  /** Whether the server says that it closes the connection behind this answer. */
  boolean last() {
    return last;
  }

  /** The content-length, which may be told several times; -1 where there is none. */
  long length() {
    return length;
  }

  /** Why the end of the body would be a guess, and what follows perhaps somebody else's answer; null where it is none. */
  @Nullable String fault() {
    if (spaced) {
      return "with white space between a header's name and its colon";
    }
    if (codings > 1 || (codings == 1 && (!chunked || lengths > 0))) {
      return "with %d content-lengths, %d transfer-encodings%s".formatted(lengths, codings, chunked ? "" : ", not chunked alone");
    }
    return lengths > 0 && length < 0 ? "without a usable content-length" : null;
  }

  /** Position after the empty line, or -1. */
  public static int end(MemorySegment in, int from, int to) {
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

  /** Whether bytes may be the beginning of an answer over HTTP, of whatever version. */
  static boolean begins(MemorySegment in, int from, int to) {
    return matches(in, from, BEGIN, Math.min(to - from, BEGIN.length()));
  }

  /** Whether bytes begin an answer by which a server refuses: a status from 400 to 599. */
  static boolean refuses(MemorySegment in, int from, int to) {
    int digit = from + VERSION.length();
    boolean status = digit < to && matches(in, from, VERSION, VERSION.length());
    return status && (in.get(JAVA_BYTE, digit) == '4' || in.get(JAVA_BYTE, digit) == '5');
  }

  private static int status(MemorySegment in, int from, int end) {
    int at = from + VERSION.length();
    if (end <= at + 3 || !matches(in, from, VERSION, VERSION.length())) {
      return -1;
    }
    int status = 0;
    for (int i = at; i < at + 3; i++) {
      int digit = Character.digit(in.get(JAVA_BYTE, i), 10);
      if (digit < 0) {
        return -1;
      }
      status = status * 10 + digit;
    }
    byte behind = in.get(JAVA_BYTE, at + 3);
    return behind == ' ' || behind == '\r' ? status : -1;
  }

  /** The line feed that ends the field at {@code at}: no line that begins with white space follows it, as that would go on with it. */
  private static int fieldEnd(MemorySegment in, int at, int end) {
    for (int i = at; i < end; i++) {
      if (in.get(JAVA_BYTE, i) == '\n' && (i + 1 >= end || !blank(in.get(JAVA_BYTE, i + 1)))) {
        return i;
      }
    }
    return end;
  }

  private void field(MemorySegment in, int at, int end) {
    int value = value(in, at, end, CONTENT_LENGTH);
    if (value >= 0) {
      length(in, value, end);
      return;
    }
    value = value(in, at, end, CODING);
    if (value >= 0) {
      if (members(in, value, end, "chunked", true) == 0) {
        // A header without a coding says nothing that could be relied on.
        codings++;
      }
      return;
    }
    value = value(in, at, end, CONNECTION);
    if (value >= 0) {
      members(in, value, end, "close", false);
    }
  }

  /** Where the value of the field at {@code at} begins, if that is its name; else -1. */
  private int value(MemorySegment in, int at, int end, String name) {
    int colon = at + name.length();
    if (colon >= end || !matches(in, at, name, name.length())) {
      return -1;
    }
    int behind = colon;
    while (behind < end && blank(in.get(JAVA_BYTE, behind))) {
      behind++;
    }
    if (behind == end || in.get(JAVA_BYTE, behind) != ':') {
      return -1;
    }
    // RFC 9112, 5.1: recipients differ in what they take such a line for.
    spaced |= behind > colon;
    return behind + 1;
  }

  /** Looks at the members of a list that are not empty; how many there are. */
  private int members(MemorySegment in, int from, int end, String wanted, boolean coding) {
    int members = 0;
    for (int at = from; at < end; ) {
      int comma = comma(in, at, end);
      int begin = skip(in, at, comma);
      int stop = trim(in, begin, comma);
      if (begin < stop) {
        members++;
        boolean is = stop - begin == wanted.length() && matches(in, begin, wanted, wanted.length());
        if (coding) {
          codings++;
          chunked = is;
        } else {
          last |= is;
        }
      }
      at = comma + 1;
    }
    return members;
  }

  /** One or several lengths, which have to be the same (RFC 9110, 8.6). */
  private void length(MemorySegment in, int from, int end) {
    int at = from;
    do {
      int comma = comma(in, at, end);
      int begin = skip(in, at, comma);
      long one = number(in, begin, trim(in, begin, comma));
      length = lengths++ == 0 || length == one ? one : -1;
      at = comma + 1;
    } while (at <= end);
  }

  /** The digits from {@code from} to before {@code end} as a number; -1 where that is none, or over 2^40. */
  private static long number(MemorySegment in, int from, int end) {
    long number = from == end ? -1 : 0;
    for (int at = from; at < end; at++) {
      int digit = Character.digit(in.get(JAVA_BYTE, at), 10);
      if (digit < 0 || number > LENGTH_MOST) {
        return -1;
      }
      number = number * 10 + digit;
    }
    return number;
  }

  private static int comma(MemorySegment in, int from, int end) {
    int at = from;
    while (at < end && in.get(JAVA_BYTE, at) != ',') {
      at++;
    }
    return at;
  }

  private static int skip(MemorySegment in, int from, int end) {
    int at = from;
    while (at < end && white(in.get(JAVA_BYTE, at))) {
      at++;
    }
    return at;
  }

  private static int trim(MemorySegment in, int from, int end) {
    int at = end;
    while (at > from && white(in.get(JAVA_BYTE, at - 1))) {
      at--;
    }
    return at;
  }

  private static boolean blank(byte b) {
    return b == ' ' || b == '\t';
  }

  /** Blanks, and the line ends within a folded value and behind each. */
  private static boolean white(byte b) {
    return blank(b) || b == '\r' || b == '\n';
  }

  private static boolean matches(MemorySegment in, int at, String lower, int bytes) {
    if (at + bytes > in.byteSize()) {
      return false;
    }
    for (int i = 0; i < bytes; i++) {
      int b = in.get(JAVA_BYTE, at + i);
      if ((b >= 'A' && b <= 'Z' ? b + 32 : b) != lower.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
