package echoladder.servers.floor;

/**
 * A body in chunks (RFC 9112, 7.1), put together where it lies: behind the head, over its own framing. Positions count from the
 * request's first byte, as that may move into another array between two calls.
 */
final class Chunks {
  /** {@link #read}: more has to come. */
  static final int INCOMPLETE = 0;

  /** {@link #read}: the body is there. Every other result is the status that refuses it. */
  static final int WHOLE = 1;

  private static final int BAD = 400;
  private static final int TOO_LARGE = 413;

  /** Digits of a size: sixteen hold any length that a client may send, and fit a long. */
  private static final int SIZE_DIGITS_MAX = 15;

  private enum Phase {
    SIZE,
    DATA,
    DATA_END,
    TRAILER
  }

  private final int mostBodyBytes;
  private final int mostFramingBytes;
  private final int bodyFrom;
  private Phase phase = Phase.SIZE;
  private int bodyTo;
  private int next;
  private int end;
  private int lineSeen;
  private long left;
  private int framingBytes;

  /**
   * A body that begins behind the head.
   *
   * @param bodyFrom where it begins
   * @param mostBodyBytes beyond it 413
   * @param mostFramingBytes of extensions and trailers together, which nobody reads
   */
  Chunks(int bodyFrom, int mostBodyBytes, int mostFramingBytes) {
    this.bodyFrom = bodyFrom;
    this.bodyTo = bodyFrom;
    this.next = bodyFrom;
    this.mostBodyBytes = mostBodyBytes;
    this.mostFramingBytes = mostFramingBytes;
  }

  /** Bytes of the body so far. */
  int bodyBytes() {
    return bodyTo - bodyFrom;
  }

  int bodyFrom() {
    return bodyFrom;
  }

  /** The position behind the request, or where it is incomplete behind the last byte that is of use. */
  int end() {
    return end;
  }

  /**
   * Goes on.
   *
   * @param base where the request begins
   * @param limit the position behind the last byte that came, from the array's beginning
   */
  int read(byte[] bytes, int base, int limit) {
    int to = limit - base;
    int result = INCOMPLETE;
    boolean goesOn = true;
    while (goesOn) {
      int before = next;
      Phase was = phase;
      result =
          switch (phase) {
            case SIZE -> size(bytes, base, to);
            case DATA -> data(bytes, base, to);
            case DATA_END -> dataEnd(bytes, base, to);
            case TRAILER -> trailer(bytes, base, to);
          };
      goesOn = result == INCOMPLETE && (next > before || phase != was);
    }
    if (result == INCOMPLETE) {
      // What was framing is of no use any more.
      System.arraycopy(bytes, base + next, bytes, base + bodyTo, to - next);
      lineSeen = Math.max(0, lineSeen - (next - bodyTo));
      to -= next - bodyTo;
      next = bodyTo;
    }
    end = result == WHOLE ? next : to;
    return result;
  }

  /** Where the line ends that begins at {@link #next}: the position of its CR; -1 = not there yet; -2 = no line. */
  private int lineEnd(byte[] bytes, int base, int to) {
    int at = Math.max(next, lineSeen);
    while (at < to && bytes[base + at] != '\n') {
      at++;
    }
    if (at == to) {
      lineSeen = to;
      return to - next + framingBytes > mostFramingBytes ? -2 : -1;
    }
    return at > next && bytes[base + at - 1] == '\r' && HttpText.isText(bytes, base + next, base + at - 1) ? at - 1 : -2;
  }

  private int size(byte[] bytes, int base, int to) {
    int lineTo = lineEnd(bytes, base, to);
    if (lineTo < 0) {
      return lineTo == -1 ? INCOMPLETE : BAD;
    }
    int at = next;
    left = 0;
    for (; at < lineTo && Character.digit(bytes[base + at], 16) >= 0; at++) {
      left = left << 4 | Character.digit(bytes[base + at], 16);
      if (at - next >= SIZE_DIGITS_MAX) {
        return BAD;
      }
    }
    if (at == next || (at < lineTo && bytes[base + at] != ';')) {
      return BAD;
    }
    framingBytes += lineTo - at;
    if (framingBytes > mostFramingBytes) {
      return BAD;
    }
    if (left > mostBodyBytes - bodyBytes()) {
      return TOO_LARGE;
    }
    next = lineTo + 2;
    phase = left == 0 ? Phase.TRAILER : Phase.DATA;
    return INCOMPLETE;
  }

  private int data(byte[] bytes, int base, int to) {
    int n = (int) Math.min(left, to - next);
    System.arraycopy(bytes, base + next, bytes, base + bodyTo, n);
    next += n;
    bodyTo += n;
    left -= n;
    if (left == 0) {
      phase = Phase.DATA_END;
    }
    return INCOMPLETE;
  }

  private int dataEnd(byte[] bytes, int base, int to) {
    int there = to - next;
    if ((there > 0 && bytes[base + next] != '\r') || (there > 1 && bytes[base + next + 1] != '\n')) {
      return BAD;
    }
    if (there > 1) {
      next += 2;
      phase = Phase.SIZE;
    }
    return INCOMPLETE;
  }

  private int trailer(byte[] bytes, int base, int to) {
    int lineTo = lineEnd(bytes, base, to);
    if (lineTo < 0) {
      return lineTo == -1 ? INCOMPLETE : BAD;
    }
    if (lineTo > next && !HttpText.isField(bytes, base + next, base + lineTo)) {
      return BAD;
    }
    boolean last = lineTo == next;
    framingBytes += lineTo - next;
    next = lineTo + 2;
    return last ? WHOLE : framingBytes > mostFramingBytes ? BAD : INCOMPLETE;
  }
}
