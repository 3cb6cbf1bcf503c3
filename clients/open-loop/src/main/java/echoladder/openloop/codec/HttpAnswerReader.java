package echoladder.openloop.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import echoladder.openloop.result.Answer;
import echoladder.openloop.result.Failures;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Answers over HTTP/1.1 with keep-alive (RFC 9112) on each of several connections. What the right answer is, its {@link HttpAnswers} says.
 * An answer of the right status has its body by content-length, in chunks, or up to the end of the connection. A connection's place in
 * its answer is a state and a few numbers; only a head that arrives in pieces is kept aside until it is whole. No part of an answer is
 * taken without end.
 */
class HttpAnswerReader {
  // States of a connection: where in an answer the next byte belongs.
  private static final byte HEAD = 0;
  private static final byte BODY = 1;
  private static final byte UNTIL_CLOSE = 2;
  private static final byte CHUNK_DATA = 3;
  private static final byte CHUNK_FRAMING = 4;

  private static final byte STATE = 0x07;
  /** An answer like 100 Continue came, which the answer proper is to follow. */
  private static final byte INTERIM = 0x08;
  private static final byte DECLINED = 0x10;
  private static final byte WRONG = 0x20;
  /** The server says that it closes the connection behind this answer. */
  private static final byte CLOSES = 0x40;

  /** How answers with another status than the right one are counted, with the status behind. */
  public static final String STATUS = "HTTP status ";

  /** How what is no answer over HTTP/1.1 is counted, with what is wrong with it behind. */
  static final String CAUSE = "HTTP answer ";

  /** How answers of the right status that are the last of their connection are counted. */
  static final String LAST = CAUSE + "with Connection: close";

  private static final int SWITCHING_PROTOCOLS = 101;

  private final HttpAnswers right;
  private final Failures failures;
  private final byte[] state;
  /** Bytes left of the body or chunk. */
  private final int[] left;
  /** Bytes of the body seen. */
  private final int[] seen;
  private final AnswerHeads heads = new AnswerHeads();
  private final Chunks chunks;
  private final HttpHead head = new HttpHead();
  private boolean complete;
  private boolean closes;
  private Answer answer = Answer.RIGHT;

  HttpAnswerReader(int connections, HttpAnswers right, Failures failures) {
    this.right = right;
    this.failures = failures;
    state = new byte[connections];
    left = new int[connections];
    seen = new int[connections];
    chunks = new Chunks(left);
  }

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

  public void restart(int c) {
    heads.restart(c);
    state[c] = HEAD;
    left[c] = 0;
    seen[c] = 0;
  }

  private void enter(int c, byte next) {
    state[c] = (byte) ((state[c] & ~STATE) | next);
  }

  private void end(int c, Answer how) {
    complete = true;
    closes = (state[c] & CLOSES) != 0;
    answer = how;
    state[c] = HEAD;
    left[c] = 0;
    seen[c] = 0;
  }

  private void broken(int c, String what) {
    failures.count(CAUSE + what);
    end(c, Answer.BROKEN);
  }

  private void bodyEnded(int c) {
    boolean whole = right.whole(c, seen[c]);
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
    if (bytes > right.mostBodyBytes() - seen[c]) {
      tooLong(c);
      return to;
    }
    if ((state[c] & (DECLINED | WRONG)) == 0 && !right.matches(c, key, in, at, seen[c], bytes)) {
      state[c] |= WRONG;
    }
    seen[c] += bytes;
    if (untilClose) {
      return to;
    }
    left[c] -= bytes;
    if (left[c] == 0) {
      if ((state[c] & STATE) == BODY) {
        bodyEnded(c);
      } else {
        chunks.dataOver(c);
        enter(c, CHUNK_FRAMING);
      }
    }
    return at + bytes;
  }

  private void tooLong(int c) {
    broken(c, "with a body over %,d bytes".formatted(right.mostBodyBytes()));
  }

  private void takeFraming(int c, byte b) {
    chunks.take(c, b);
    String fault = chunks.fault();
    if (fault != null) {
      broken(c, fault);
    } else if (chunks.over(c)) {
      bodyEnded(c);
    } else if (chunks.atData(c)) {
      enter(c, CHUNK_DATA);
    }
  }

  // ---- head ----

  private int takeHead(int c, MemorySegment in, int at, int to) {
    int next = heads.take(c, in, at, to);
    String fault = heads.fault();
    if (fault != null) {
      broken(c, fault);
    } else if (heads.whole()) {
      headDone(c, heads.segment(), heads.from(), heads.end());
    }
    return next;
  }

  private void headDone(int c, MemorySegment in, int from, int end) {
    head.read(in, from, end);
    int status = head.status();
    if (status < 0 || status == SWITCHING_PROTOCOLS) {
      broken(c, status < 0 ? "without a status line of HTTP/1.1" : "that switches to a protocol that was not asked for");
      return;
    }
    if (status / 100 == 1) {
      // 100 Continue and its like are followed by the answer proper.
      state[c] |= INTERIM;
      return;
    }
    // RFC 9112, 6.3: whatever the headers say, these have no body.
    boolean empty = status == 204 || status == 304;
    String fault = empty ? null : head.fault();
    if (fault != null) {
      broken(c, fault);
      return;
    }
    if (head.last()) {
      state[c] |= CLOSES;
    }
    if (!right.right(status)) {
      state[c] |= DECLINED;
      failures.count(STATUS + status);
    } else if (head.last()) {
      // The connection will be lost: say beforehand that its server does not keep it.
      failures.count(LAST);
    }
    if (empty || head.length() == 0) {
      bodyEnded(c);
    } else if (head.chunked()) {
      chunks.begin(c);
      enter(c, CHUNK_FRAMING);
    } else if (head.length() < 0) {
      // RFC 9112, 6.3: without either the body lasts until the connection is closed.
      enter(c, UNTIL_CLOSE);
    } else if (head.length() > right.mostBodyBytes()) {
      tooLong(c);
    } else {
      left[c] = (int) head.length();
      enter(c, BODY);
    }
  }

  public boolean complete() {
    return complete;
  }

  public boolean endedBy(int c) {
    if ((state[c] & STATE) != UNTIL_CLOSE) {
      return false;
    }
    bodyEnded(c);
    return true;
  }

  public boolean closes() {
    return closes;
  }

  public boolean answersEarly() {
    return true;
  }

  /** A server may refuse a connection on which nothing was asked, as by 408 Request Timeout. */
  public boolean speaksUnasked(int c, MemorySegment in, int from, int to) {
    return state[c] != HEAD || heads.begun(c) || HttpHead.refuses(in, from, to);
  }

  public @Nullable String unended(int c) {
    return switch (state[c] & STATE) {
      case BODY -> CAUSE + "shorter than its content-length";
      case UNTIL_CLOSE -> CAUSE + "without a length, on a connection that stays open";
      case CHUNK_DATA, CHUNK_FRAMING -> CAUSE + "without its last chunk";
      default -> heads.begun(c) ? CAUSE + heads.unended(c) : state[c] == INTERIM ? CAUSE + "of a status below 200 alone" : null;
    };
  }

  public Answer answer() {
    return answer;
  }

  public long arrayBytes() {
    return 9L * state.length + chunks.arrayBytes();
  }
}
