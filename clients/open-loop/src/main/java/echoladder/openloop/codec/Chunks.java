package echoladder.openloop.codec;

import org.jspecify.annotations.Nullable;

/**
 * The framing of bodies in chunks (RFC 9112, 7.1), on the connections of a loop: sizes in hex, extensions, line ends, the trailer.
 * The data of a chunk is the caller's, who says when it is over. Belongs to one event loop.
 */
final class Chunks {
  // What the next byte of framing belongs to.
  private static final byte SIZE = 0;
  private static final byte SIZE_SPACE = 1;
  private static final byte EXTENSION = 2;
  private static final byte SIZE_END = 3;
  private static final byte DATA = 4;
  private static final byte DATA_END = 5;
  private static final byte LINE_FEED = 6;
  private static final byte TRAILER_START = 7;
  private static final byte TRAILER_LINE = 8;
  private static final byte TRAILER_END = 9;
  private static final byte OVER = 10;

  /** A chunk of 16 times as many bytes would not be counted in an int. */
  private static final int MOST_BEFORE_A_DIGIT = 1 << 26;

  private static final String BAD_SIZE = "with a bad chunk size";

  private final byte[] place;
  /** Bytes of framing since the last byte of the body. */
  private final short[] bytes;
  /** The size of the chunk, so far: -1 before its first digit. */
  private final int[] size;

  private @Nullable String fault;

  /** Puts the size of each connection's chunk where the caller counts it down. */
  Chunks(int[] size) {
    this.size = size;
    place = new byte[size.length];
    bytes = new short[size.length];
  }

  /** A body begins. */
  void begin(int c) {
    size[c] = -1;
    place[c] = SIZE;
    bytes[c] = 0;
  }

  /** The data of a chunk is over. */
  void dataOver(int c) {
    place[c] = DATA_END;
    bytes[c] = 0;
  }

  /** Whether the next byte is the first of a chunk's data. */
  boolean atData(int c) {
    return place[c] == DATA;
  }

  /** Whether the line end behind a chunk's data is to come, or a part of it. */
  boolean behindData(int c) {
    return place[c] == DATA_END || place[c] == LINE_FEED;
  }

  /** Whether the body is over. */
  boolean over(int c) {
    return place[c] == OVER;
  }

  /** What is wrong with it, after a {@link #take}; null = nothing. */
  @Nullable String fault() {
    return fault;
  }

  /** Takes one byte of framing. */
  void take(int c, byte b) {
    fault = null;
    if (++bytes[c] == AnswerHeads.MOST_BYTES) {
      fault = "with chunk sizes, extensions or trailers over %,d bytes".formatted(AnswerHeads.MOST_BYTES);
      return;
    }
    switch (place[c]) {
      case SIZE -> size(c, b);
      case SIZE_SPACE -> {
        // Servers of old fill the size up with blanks; a semicolon may follow them, too.
        if (b != ' ' && b != '\t') {
          behindSize(c, b);
        }
      }
      case EXTENSION -> {
        if (b == '\n') {
          sizeOver(c);
        }
      }
      case SIZE_END -> {
        if (b == '\n') {
          sizeOver(c);
        } else {
          fault = BAD_SIZE;
        }
      }
      case DATA_END -> {
        if (b == '\r') {
          place[c] = LINE_FEED;
        } else {
          behindData(c, b);
        }
      }
      case LINE_FEED -> behindData(c, b);
      case TRAILER_START -> place[c] = b == '\n' ? OVER : b == '\r' ? TRAILER_END : TRAILER_LINE;
      case TRAILER_LINE -> place[c] = b == '\n' ? TRAILER_START : TRAILER_LINE;
      case TRAILER_END -> {
        place[c] = OVER;
        fault = b == '\n' ? null : "with a broken trailer";
      }
      default -> throw new IllegalStateException("no framing at place " + place[c]);
    }
  }

  private void size(int c, byte b) {
    int digit = Character.digit(b, 16);
    if (digit < 0 && size[c] >= 0) {
      behindSize(c, b);
    } else if (digit < 0) {
      fault = BAD_SIZE;
    } else if (size[c] >= MOST_BEFORE_A_DIGIT) {
      fault = "with a chunk of a gibibyte or more";
    } else {
      size[c] = Math.max(size[c], 0) << 4 | digit;
    }
  }

  private void behindSize(int c, byte b) {
    switch (b) {
      case '\n' -> sizeOver(c);
      case '\r' -> place[c] = SIZE_END;
      case ';' -> place[c] = EXTENSION;
      case ' ', '\t' -> place[c] = SIZE_SPACE;
      default -> fault = BAD_SIZE;
    }
  }

  private void sizeOver(int c) {
    place[c] = size[c] == 0 ? TRAILER_START : DATA;
  }

  private void behindData(int c, byte b) {
    if (b == '\n') {
      size[c] = -1;
      place[c] = SIZE;
    } else {
      fault = "with a chunk longer than its size";
    }
  }

  /** Bytes this keeps in arrays. */
  long arrayBytes() {
    return 3L * place.length;
  }
}
