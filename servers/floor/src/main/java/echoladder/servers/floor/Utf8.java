package echoladder.servers.floor;

/** Whether a text that comes in pieces is UTF-8 (RFC 3629: no surrogates, nothing beyond U+10FFFF, no longer form than needed). */
final class Utf8 {
  private static final int CONTINUATION_LEAST = 0x80;
  private static final int CONTINUATION_MOST = 0xbf;

  private int missing;
  private int least = CONTINUATION_LEAST;
  private int most = CONTINUATION_MOST;

  /** Begins a text. */
  void begin() {
    missing = 0;
    least = CONTINUATION_LEAST;
    most = CONTINUATION_MOST;
  }

  /** Takes a piece; false where no piece could make a text of it any more. */
  boolean takes(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      int b = bytes[i] & 0xff;
      if (missing == 0) {
        if (b >= 0x80 && !leads(b)) {
          return false;
        }
      } else {
        if (b < least || b > most) {
          return false;
        }
        missing--;
        least = CONTINUATION_LEAST;
        most = CONTINUATION_MOST;
      }
    }
    return true;
  }

  private boolean leads(int b) {
    if (b >= 0xc2 && b <= 0xdf) {
      missing = 1;
    } else if (b >= 0xe0 && b <= 0xef) {
      missing = 2;
      least = b == 0xe0 ? 0xa0 : CONTINUATION_LEAST;
      most = b == 0xed ? 0x9f : CONTINUATION_MOST;
    } else if (b >= 0xf0 && b <= 0xf4) {
      missing = 3;
      least = b == 0xf0 ? 0x90 : CONTINUATION_LEAST;
      most = b == 0xf4 ? 0x8f : CONTINUATION_MOST;
    }
    return missing > 0;
  }

  /** Whether no character is left half done. */
  boolean whole() {
    return missing == 0;
  }
}
