package echoladder.servers.floor;

import echoladder.linux.sockets.SystemCalls;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The part of an echo that a peer has yet to take. */
final class OwedBytes {
  private final byte[] bytes;
  private int written;

  /** Keeps the bytes of a buffer from one position to another. */
  OwedBytes(MemorySegment buffer, int from, int to) {
    bytes = buffer.asSlice(from, to - from).toArray(ValueLayout.JAVA_BYTE);
  }

  /**
   * Writes what is left: bytes, or why not.
   *
   * @param scratch memory that nobody needs, as large as the buffer that they were in
   */
  int write(SystemCalls sys, int fd, MemorySegment scratch) {
    int left = bytes.length - written;
    MemorySegment.copy(bytes, written, scratch, ValueLayout.JAVA_BYTE, 0, left);
    int n = sys.write(fd, scratch, left);
    written += Math.max(0, n);
    return n;
  }

  /** Whether nothing is left. */
  boolean paid() {
    return written == bytes.length;
  }
}
