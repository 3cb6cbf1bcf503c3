package echoladder.servers.floor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The end of the TLS record that is being read from a socket. Reads stop there, so that none takes a byte of the next record: behind a
 * handshake that one may be the kernel's to read.
 */
final class RecordEnd {
  // RFC 8446, 5.1: type, version, and the length of what follows.
  private static final int HEAD_BYTES = 5;
  private static final int LENGTH_AT = 3;

  private int headBytes;
  private int length;
  private int bodyBytes;

  /** The most that the next read may take: 1 or more. */
  int bytes() {
    return headBytes < HEAD_BYTES ? HEAD_BYTES - headBytes : length - bodyBytes;
  }

  /** Takes what was read: at most {@link #bytes}. */
  void read(MemorySegment from, int bytes) {
    if (headBytes == HEAD_BYTES) {
      bodyBytes += bytes;
    }
    for (int i = 0; headBytes < HEAD_BYTES && i < bytes; i++, headBytes++) {
      if (headBytes >= LENGTH_AT) {
        length = (length << 8) | (from.get(ValueLayout.JAVA_BYTE, i) & 0xff);
      }
    }
    if (headBytes == HEAD_BYTES && bodyBytes == length) {
      headBytes = 0;
      length = 0;
      bodyBytes = 0;
    }
  }
}
