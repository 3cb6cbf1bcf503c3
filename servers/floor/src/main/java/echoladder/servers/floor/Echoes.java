package echoladder.servers.floor;

import echoladder.linux.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads what is there and writes it back, two system calls an echo. What a full socket does not take is kept, at most one buffer of it,
 * and the connection is parked until the socket takes more. Belongs to its loop.
 */
final class Echoes {
  /** The part of an echo that a peer has yet to take. */
  private static final class Owed {
    private final byte[] bytes;
    private int written;

    Owed(byte[] bytes) {
      this.bytes = bytes;
    }
  }

  private final Loop loop;
  private final Map<Integer, Owed> parked = new HashMap<>();

  Echoes(Loop loop) {
    this.loop = loop;
  }

  /** Echoes what is there: more than 0 where nothing remains to be done, else what the last read gave, 0 = the end. */
  int echo(int fd, int mask) {
    while (true) {
      int n = loop.sys.read(fd, loop.buffer, loop.bufferBytes);
      if (n <= 0) {
        return n;
      }
      loop.metrics.received(n);
      int written = loop.sys.write(fd, loop.buffer, n);
      if (written != n) {
        park(fd, written, n);
        return n;
      }
      loop.metrics.sent(n);
      if (n == loop.bufferBytes) {
        loop.rearm(fd, Loop.READING, fd);
        return n;
      }
      if ((mask & Loop.ENDING) == 0) {
        return n;
      }
    }
  }

  private void park(int fd, int written, int read) {
    if (written < 0 && written != -Errno.EAGAIN) {
      loop.broken(fd);
      return;
    }
    int done = Math.max(0, written);
    loop.metrics.sent(done);
    parked.put(fd, new Owed(loop.buffer.asSlice(done, read - done).toArray(ValueLayout.JAVA_BYTE)));
    loop.rearm(fd, Loop.PARKED, ~fd);
  }

  /** A parked connection takes more. */
  void writable(int fd) {
    Owed owed = parked.get(fd);
    if (owed == null) {
      throw new IllegalStateException("descriptor " + fd + " is watched as parked, but nothing is owed to it");
    }
    int left = owed.bytes.length - owed.written;
    MemorySegment.copy(owed.bytes, owed.written, loop.buffer, ValueLayout.JAVA_BYTE, 0, left);
    int n = loop.sys.write(fd, loop.buffer, left);
    if (n < 0 && n != -Errno.EAGAIN) {
      loop.broken(fd);
    } else if (n > 0) {
      loop.metrics.sent(n);
      owed.written += n;
      if (n == left) {
        parked.remove(fd);
        loop.rearm(fd, Loop.READING, fd);
      }
    }
  }

  void forget(int fd) {
    parked.remove(fd);
  }
}
