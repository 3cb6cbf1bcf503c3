package echoladder.openloop;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1.1 with keep-alive (RFC 9112): what is asked and what the right answer is, its {@link HttpTalk} says; an answer
 * of the right status has its body by content-length, in chunks, or up to the end of the connection. A connection's place in its
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

  /** How answers with another status than the right one are counted, with the status behind. */
  static final String STATUS = "HTTP status ";

  /** How answers of the right status that are the last of their connection are counted. */
  static final String LAST = "HTTP answer with Connection: close";

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
  private final Map<Integer, HeadInPieces> pieces = new HashMap<>();
  private final HttpHead head = new HttpHead();
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

  @Override
  public void restart(int c) {
    pieces.remove(c);
    state[c] = HEAD;
    left[c] = 0;
    seen[c] = 0;
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
    @Nullable HeadInPieces gathered = pieces.isEmpty() ? null : pieces.get(c);
    if (gathered == null) {
      int end = HttpHead.end(in, at, to);
      if (end > 0) {
        headDone(c, in, at, end);
        return end;
      }
      gathered = new HeadInPieces();
      pieces.put(c, gathered);
    }
    int next = gathered.take(in, at, to, HEAD_MOST);
    if (gathered.whole()) {
      pieces.remove(c);
      headDone(c, gathered.segment(), 0, gathered.size());
    } else if (gathered.size() == HEAD_MOST) {
      broken(c, "with a head over " + HEAD_MOST + " bytes");
    }
    return next;
  }

  private void headDone(int c, MemorySegment in, int from, int end) {
    head.read(in, from, end);
    int status = head.status();
    if (status < 0) {
      broken(c, "without a status line of HTTP/1.1");
      return;
    }
    if (status / 100 == 1) {
      // 100 Continue and its like are followed by the answer proper.
      return;
    }
    boolean chunked = head.chunked();
    if (head.lengths() + head.codings() > 1 || (head.codings() == 1 && !chunked)) {
      // RFC 9112, 6.3: where it ends would be a guess, and what follows perhaps somebody else's answer.
      broken(
          c,
          "with %d content-lengths, %d transfer-encodings%s"
              .formatted(head.lengths(), head.codings(), chunked ? "" : ", not chunked"));
      return;
    }
    if (status != talk.status()) {
      state[c] |= DECLINED;
      failures.count(STATUS + status);
    } else if (head.last()) {
      // The connection will be lost: say beforehand that its server does not keep it.
      failures.count(LAST);
    }
    boolean empty = status == 204 || status == 304;
    if (chunked) {
      left[c] = -1;
      enter(c, CHUNK_SIZE);
      return;
    }
    if (head.lengths() == 0 && !empty) {
      // RFC 9112, 6.3: without either the body lasts until the connection is closed.
      enter(c, UNTIL_CLOSE);
      return;
    }
    long length = empty ? 0 : head.length();
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
