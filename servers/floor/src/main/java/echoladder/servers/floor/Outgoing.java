package echoladder.servers.floor;

import echoladder.linux.Errno;
import echoladder.linux.sockets.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What goes to one connection at a time: gathered in a buffer of the loop's, so that a few answers are one system call, and
 * kept on the heap where the peer does not take it. For the loop's thread.
 */
final class Outgoing {
  private static final byte[] NOTHING = {};

  private final SystemCalls sys;
  private final MemorySegment buffer;
  private final int bufferBytes;
  private final byte[] digits = new byte[10];
  private int fd;
  private int filled;
  private boolean failed;
  private byte[] kept = NOTHING;
  private int keptBytes;
  private boolean stopping;

  Outgoing(SystemCalls sys, int bufferBytes) {
    this.sys = sys;
    this.bufferBytes = bufferBytes;
    this.buffer = Arena.ofAuto().allocate(bufferBytes, 64);
  }

  /** Begins for a connection; what went before has been ended. */
  void begin(int connection) {
    fd = connection;
    failed = false;
  }

  /** The server stops: each answer is the last of its connection. */
  void stop() {
    stopping = true;
  }

  /** Whether each answer is the last of its connection. */
  boolean stopping() {
    return stopping;
  }

  /** Whether the peer has stopped taking: nothing more should be made for it. */
  boolean blocked() {
    return keptBytes > 0 || failed;
  }

  /** Whether the connection has failed. */
  boolean failed() {
    return failed;
  }

  void put(byte[] bytes) {
    put(bytes, 0, bytes.length);
  }

  void put(byte[] bytes, int from, int count) {
    int at = from;
    int left = count;
    while (left > 0 && keptBytes == 0 && !failed) {
      if (filled == bufferBytes) {
        flush();
      } else {
        int n = Math.min(left, bufferBytes - filled);
        MemorySegment.copy(bytes, at, buffer, ValueLayout.JAVA_BYTE, filled, n);
        filled += n;
        at += n;
        left -= n;
      }
    }
    if (left > 0 && !failed) {
      keep(left);
      System.arraycopy(bytes, at, kept, keptBytes, left);
      keptBytes += left;
    }
  }

  /** A whole number from 0, in decimal digits. */
  void putNumber(int number) {
    int at = digits.length;
    int left = number;
    do {
      digits[--at] = (byte) ('0' + left % 10);
      left /= 10;
    } while (left > 0);
    put(digits, at, digits.length - at);
  }

  private void flush() {
    int n = sys.write(fd, buffer, filled);
    if (n < 0 && n != -Errno.EAGAIN) {
      failed = true;
    } else if (n != filled) {
      int done = Math.max(0, n);
      keep(filled - done);
      MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, done, kept, 0, filled - done);
      keptBytes = filled - done;
    }
    filled = 0;
  }

  private void keep(int more) {
    if (keptBytes + more > kept.length) {
      kept = Arrays.copyOf(kept, keptBytes + more);
    }
  }

  /** Writes what is gathered; gives what the peer has yet to take, or null where it has taken all or has failed. */
  byte @Nullable [] end() {
    if (filled > 0 && keptBytes == 0 && !failed) {
      flush();
    }
    byte[] rest = keptBytes == 0 || failed ? null : Arrays.copyOf(kept, keptBytes);
    filled = 0;
    kept = NOTHING;
    keptBytes = 0;
    return rest;
  }

  /** Writes from {@code bytes}, beginning at {@code from}, what the peer takes now: how much, or a negated errno. */
  int write(int connection, byte[] bytes, int from) {
    int n = Math.min(bufferBytes, bytes.length - from);
    MemorySegment.copy(bytes, from, buffer, ValueLayout.JAVA_BYTE, 0, n);
    return sys.write(connection, buffer, n);
  }
}
