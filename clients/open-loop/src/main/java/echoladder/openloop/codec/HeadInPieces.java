package echoladder.openloop.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** A head that arrives in pieces, kept until it is whole. Each byte is looked at once. Belongs to one event loop. */
final class HeadInPieces {
  private static final int END = 4;

  private byte[] bytes = new byte[256];
  private int size;
  /** How many bytes of the empty line's CR LF CR LF the last bytes are, 0 to 4. */
  private int matched;

  /**
   * Takes bytes up to the end of the head, or up to {@code most} in all, or up to {@code to}.
   *
   * @return the position after the last byte taken
   */
  int take(MemorySegment in, int at, int to, int most) {
    while (at < to && matched < END && size < most) {
      byte b = in.get(JAVA_BYTE, at++);
      if (size == bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.min(2 * size, most));
      }
      bytes[size++] = b;
      if (b == '\n') {
        matched = matched == 1 || matched == 3 ? matched + 1 : 0;
      } else {
        matched = b == '\r' ? matched == 2 ? 3 : 1 : 0;
      }
    }
    return at;
  }

  /** Whether the empty line has been taken. */
  boolean whole() {
    return matched == END;
  }

  /** Whether there is an empty line that would be the end, were LF enough (RFC 9112, 2.2). */
  boolean endsInLineFeedsAlone() {
    for (int i = 1; i < size; i++) {
      if (bytes[i] == '\n' && bytes[i - 1] == '\n') {
        return true;
      }
    }
    return false;
  }

  int size() {
    return size;
  }

  MemorySegment segment() {
    return MemorySegment.ofArray(bytes);
  }
}
