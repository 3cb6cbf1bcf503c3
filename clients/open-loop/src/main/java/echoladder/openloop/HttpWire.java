package echoladder.openloop;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1.1 with keep-alive (RFC 9112): what is asked and what the right body is, its {@link HttpTalk} says; an answer
 * of status 200 has it by content-length, in chunks, or up to the end of the connection. A connection's place in its
 * answer is a state and two numbers; only a head that arrives in pieces is kept aside until it is whole.
 */
final class HttpWire implements Wire {
  // States of a connection: where in an answer the next byte belongs.
  private static final byte HEAD = 0;
  private static final byte BODY = 1;
  private static final byte CHUNK_SIZE = 2;
  private static final byte CHUNK_EXTENSION = 3;
  private static final byte CHUNK_DATA = 4;
  private static final byte CHUNK_END = 5;
  private static final byte TRAILER_START = 6;
  private static final byte TRAILER_LINE = 7;
  private static final byte TRAILER_END = 8;
  private static final byte UNTIL_CLOSE = 9;

  private static final byte STATE = 0x0f;
  private static final byte DECLINED = 0x10;
  private static final byte WRONG = 0x20;

  /** How answers with another status than 200 are counted, with the status behind. */
  static final String STATUS = "HTTP status ";

  /** How answers of status 200 that are the last of their connection are counted. */
  static final String LAST = "HTTP answer with Connection: close";

  private static final String CONTENT_LENGTH = "content-length:";
  private static final String CODING = "transfer-encoding:";

  /** A head longer than this is not an answer to us. */
  private static final int HEAD_MOST = 16 << 10;

  private final HttpTalk talk;
  private final Failures failures;
  private final byte[] state;
  /** Bytes left of the body or chunk; the number so far while a chunk's size is read, -1 before its first digit. */
  private final int[] left;
  /** Bytes of the right body seen. */
  private final int[] seen;
  // Heads that came in pieces, by connection: rare, so no array.
  private final Map<Integer, ByteArrayOutputStream> pieces = new HashMap<>();
  private boolean complete;
  private Answer answer = Answer.RIGHT;

  HttpWire(int connections, HttpTalk talk, Failures failures) {
    this.talk = talk;
    this.failures = failures;
    state = new byte[connections];
    left = new int[connections];
    seen = new int[connections];
  }

  @Override
  public int requestBytes(int connection) {
    return talk.requestBytes(connection);
  }

  @Override
  public void request(MemorySegment out, int connection, long key, int from, int bytes) {
    talk.request(out, connection, key, from, bytes);
  }

  @Override
  public int take(int c, long key, MemorySegment in, int from, int to) {
    complete = false;
    int at = from;
    while (at < to && !complete) {
      switch (state[c] & STATE) {
        case HEAD -> at = takeHead(c, in, at, to);
        case BODY, CHUNK_DATA, UNTIL_CLOSE -> at = takeBody(c, key, in, at, to);
        default -> takeFraming(c, in.get(JAVA_BYTE, at++));
      }
    }
    return at;
  }

  private void enter(int c, byte next) {
    state[c] = (byte) ((state[c] & ~STATE) | next);
  }

  private void end(int c, Answer how) {
    complete = true;
    answer = how;
    state[c] = HEAD;
    left[c] = 0;
    seen[c] = 0;
  }

  private void broken(int c, String what) {
    failures.count("HTTP answer " + what);
    pieces.remove(c);
    end(c, Answer.BROKEN);
  }

  private void bodyEnded(int c) {
    boolean whole = talk.whole(c, seen[c]);
    end(
        c,
        (state[c] & DECLINED) != 0
            ? Answer.DECLINED
            : (state[c] & WRONG) != 0 || !whole ? Answer.WRONG : Answer.RIGHT);
  }

  // ---- body ----

  private int takeBody(int c, long key, MemorySegment in, int at, int to) {
    boolean untilClose = (state[c] & STATE) == UNTIL_CLOSE;
    int bytes = untilClose ? to - at : Math.min(to - at, left[c]);
    if ((state[c] & (DECLINED | WRONG)) == 0) {
      if (talk.matches(c, key, in, at, seen[c], bytes)) {
        seen[c] += bytes;
      } else {
        state[c] |= WRONG;
      }
    }
    if (untilClose) {
      return to;
    }
    left[c] -= bytes;
    if (left[c] == 0) {
      if ((state[c] & STATE) == BODY) {
        bodyEnded(c);
      } else {
        enter(c, CHUNK_END);
      }
    }
    return at + bytes;
  }

  /** One byte of chunked framing (RFC 9112, 7.1): size in hex, extension, line ends, trailer. */
  private void takeFraming(int c, byte b) {
    switch (state[c] & STATE) {
      case CHUNK_SIZE -> {
        int digit = Character.digit(b, 16);
        if (digit >= 0 && left[c] < 1 << 26) {
          left[c] = Math.max(left[c], 0) << 4 | digit;
        } else if (left[c] < 0 || digit >= 0) {
          broken(c, "with a bad chunk size");
        } else if (b == '\n') {
          enter(c, left[c] == 0 ? TRAILER_START : CHUNK_DATA);
        } else if (b == ';') {
          enter(c, CHUNK_EXTENSION);
        } else if (b != '\r') {
          broken(c, "with a bad chunk size");
        }
      }
      case CHUNK_EXTENSION -> {
        if (b == '\n') {
          enter(c, left[c] == 0 ? TRAILER_START : CHUNK_DATA);
        }
      }
      case CHUNK_END -> {
        if (b == '\n') {
          left[c] = -1;
          enter(c, CHUNK_SIZE);
        } else if (b != '\r') {
          broken(c, "with a chunk longer than its size");
        }
      }
      case TRAILER_START -> {
        if (b == '\n') {
          bodyEnded(c);
        } else {
          enter(c, b == '\r' ? TRAILER_END : TRAILER_LINE);
        }
      }
      case TRAILER_LINE -> {
        if (b == '\n') {
          enter(c, TRAILER_START);
        }
      }
      case TRAILER_END -> {
        if (b == '\n') {
          bodyEnded(c);
        } else {
          broken(c, "with a broken trailer");
        }
      }
      default -> throw new IllegalStateException("state " + state[c]);
    }
  }

  // ---- head ----

  private int takeHead(int c, MemorySegment in, int at, int to) {
    @Nullable ByteArrayOutputStream before = pieces.isEmpty() ? null : pieces.get(c);
    if (before == null) {
      int end = endOfHead(in, at, to);
      if (end > 0) {
        headDone(c, in, at, end);
        return end;
      }
    }
    // In pieces: gather byte by byte until it is whole.
    ByteArrayOutputStream gathered = before == null ? new ByteArrayOutputStream(256) : before;
    pieces.put(c, gathered);
    while (at < to) {
      gathered.write(in.get(JAVA_BYTE, at++));
      byte[] bytes = gathered.toByteArray();
      if (endOfHead(MemorySegment.ofArray(bytes), Math.max(0, bytes.length - 4), bytes.length) > 0) {
        pieces.remove(c);
        headDone(c, MemorySegment.ofArray(bytes), 0, bytes.length);
        return at;
      }
      if (bytes.length > HEAD_MOST) {
        broken(c, "with a head over " + HEAD_MOST + " bytes");
        return at;
      }
    }
    return at;
  }

  /** Position after the empty line, or -1. */
  private static int endOfHead(MemorySegment in, int from, int to) {
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

  private void headDone(int c, MemorySegment in, int from, int end) {
    int status = status(in, from, end);
    if (status < 0) {
      broken(c, "without a status line of HTTP/1.1");
      return;
    }
    if (status / 100 == 1) {
      // 100 Continue and its like are followed by the answer proper.
      return;
    }
    int lengthAt = -1;
    int lengths = 0;
    int codings = 0;
    boolean chunked = false;
    boolean last = false;
    for (int i = from; i + 1 < end; i++) {
      if (in.get(JAVA_BYTE, i) == '\n') {
        int line = i + 1;
        if (matches(in, line, CONTENT_LENGTH)) {
          lengths++;
          lengthAt = line + CONTENT_LENGTH.length();
        }
        codings += matches(in, line, CODING) ? 1 : 0;
        chunked |= isHeader(in, line, end, CODING, "chunked\r");
        last |= isHeader(in, line, end, "connection:", "close");
      }
    }
    if (lengths + codings > 1 || (codings == 1 && !chunked)) {
      // RFC 9112, 6.3: where it ends would be a guess, and what follows perhaps somebody else's answer.
      broken(c, "with %d content-lengths, %d transfer-encodings%s".formatted(lengths, codings, chunked ? "" : ", not chunked"));
      return;
    }
    if (status != 200) {
      state[c] |= DECLINED;
      failures.count(STATUS + status);
    } else if (last) {
      // The connection will be lost: say beforehand that its server does not keep it.
      failures.count(LAST);
    }
    boolean empty = status == 204 || status == 304;
    if (chunked) {
      left[c] = -1;
      enter(c, CHUNK_SIZE);
      return;
    }
    if (lengthAt < 0 && !empty) {
      // RFC 9112, 6.3: without either the body lasts until the connection is closed.
      enter(c, UNTIL_CLOSE);
      return;
    }
    long length = empty ? 0 : contentLength(in, lengthAt, end);
    if (length < 0 || length > Integer.MAX_VALUE) {
      broken(c, "without a usable content-length");
      return;
    }
    left[c] = (int) length;
    enter(c, BODY);
    if (length == 0) {
      bodyEnded(c);
    }
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

  @Override
  public boolean complete() {
    return complete;
  }

  @Override
  public boolean endedBy(int c) {
    if ((state[c] & STATE) != UNTIL_CLOSE) {
      return false;
    }
    bodyEnded(c);
    return true;
  }

  @Override
  public Answer answer() {
    return answer;
  }

  @Override
  public long arrayBytes() {
    return 9L * state.length;
  }
}
