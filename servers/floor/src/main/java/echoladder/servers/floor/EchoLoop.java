package echoladder.servers.floor;

import echoladder.linux.Errno;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads what is there and writes it back, two system calls an echo beside the wait that it shares with others. What could not
 * be written is kept, at most one buffer of it.
 */
final class EchoLoop extends Loop {
  private final Map<Integer, OwedBytes> parked = new HashMap<>();

  EchoLoop(LoopSetup setup) {
    super(setup);
  }

  @Override
  void readable(int fd, int mask) {
    while (true) {
      int n = sys.read(fd, buffer, bufferBytes);
      if (n <= 0) {
        if (n == 0) {
          close(fd);
        } else if (n != -Errno.EAGAIN) {
          broken(fd);
        }
        return;
      }
      metrics.received(n);
      int written = sys.write(fd, buffer, n);
      if (written != n) {
        park(fd, written, n);
        return;
      }
      metrics.sent(n);
      if (n == bufferBytes) {
        rearm(fd, READING, fd);
        return;
      }
      if ((mask & ENDING) == 0) {
        return;
      }
    }
  }

  private void park(int fd, int written, int read) {
    if (written < 0 && written != -Errno.EAGAIN) {
      broken(fd);
      return;
    }
    int done = Math.max(0, written);
    metrics.sent(done);
    parked.put(fd, new OwedBytes(buffer, done, read));
    rearm(fd, PARKED, ~fd);
  }

  @Override
  void writable(int fd) {
    OwedBytes owed = parked.get(fd);
    if (owed == null) {
      throw new IllegalStateException("descriptor " + fd + " is watched as parked, but nothing is owed to it");
    }
    int n = owed.write(sys, fd, buffer);
    if (n < 0 && n != -Errno.EAGAIN) {
      broken(fd);
    } else if (n > 0) {
      metrics.sent(n);
      if (owed.paid()) {
        parked.remove(fd);
        rearm(fd, READING, fd);
      }
    }
  }

  @Override
  void forget(int fd) {
    parked.remove(fd);
  }
}
