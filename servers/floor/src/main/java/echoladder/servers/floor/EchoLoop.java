package echoladder.servers.floor;

import echoladder.linux.Epoll;
import echoladder.linux.Errno;
import echoladder.linux.SystemCalls;
import echoladder.servers.kit.EchoMetrics;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One thread, one epoll instance, one buffer: reads what is there and writes it back, two system calls an echo beside
 * the wait that it shares with others.
 *
 * <p>Edge-triggered, as the kernel then need not look again at each echoed connection in the next wait. What that asks
 * of the reader: a read that did not fill the buffer has drained the connection, a read that filled it is followed by
 * a re-arm (so that others get their turn), and after a FIN or urgent data the reading goes on until it ends.
 *
 * <p>A connection whose peer does not read is parked: what could not be written is kept, at most one buffer of it, and
 * nothing more is read until it is gone. Its event token is then {@code ~descriptor}, so that an echo looks nothing up.
 */
final class EchoLoop {
  /** Token of the listener; every other negative token is a parked connection's. */
  static final int LISTENER = Integer.MIN_VALUE;

  /** EPOLLPRI: urgent data, at which a read stops although more may be there. */
  private static final int PRI = 0x002;
  static final int READING = Epoll.IN | PRI | Epoll.RDHUP | Epoll.EDGE;
  private static final int PARKED = Epoll.OUT | Epoll.EDGE;
  private static final int ENDING = Epoll.RDHUP | PRI | Epoll.HUP | Epoll.ERR;
  private static final long NO_TIMEOUT = -1;

  /** What a peer has yet to take. */
  private static final class Owed {
    private final byte[] bytes;
    private int written;

    Owed(byte[] bytes) {
      this.bytes = bytes;
    }
  }

  private final int index;
  private final SystemCalls sys;
  private final Epoll epoll;
  private final MemorySegment buffer;
  private final int bufferBytes;
  private final DescriptorOwners owners;
  private final EchoMetrics metrics;
  private final Drain drain;
  private final @Nullable Acceptor acceptor;
  private final Map<Integer, Owed> parked = new HashMap<>();

  // Counted up by the accepting loop before it hands a descriptor over, down by this one when it closes it.
  private final AtomicInteger open = new AtomicInteger();

  /**
   * A loop that has not begun.
   *
   * @param bufferBytes 1 or more: the most that one read takes, and the most that is kept for a peer that does not read
   * @param drain how long connections may still take once the listener is shut down
   * @param acceptor what accepts connections on this loop's thread; null on all loops but one
   */
  EchoLoop(
      int index, SystemCalls sys, Epoll epoll, int bufferBytes, DescriptorOwners owners, EchoMetrics metrics,
      Drain drain, @Nullable Acceptor acceptor) {
    this.index = index;
    this.sys = sys;
    this.epoll = epoll;
    this.buffer = Arena.ofAuto().allocate(bufferBytes, 64);
    this.bufferBytes = bufferBytes;
    this.owners = owners;
    this.metrics = metrics;
    this.drain = drain;
    this.acceptor = acceptor;
  }

  /** Runs until the listener has been shut down and every connection of this loop is closed, or time is up. */
  void run() {
    boolean draining = false;
    while (!draining || (open.get() > 0 && drain.leftNs() > 0)) {
      int n = epoll.await(draining ? drain.leftNs() : acceptor == null ? NO_TIMEOUT : acceptor.timeoutNs());
      for (int i = 0; i < n; i++) {
        int token = epoll.token(i);
        if (token >= 0) {
          echo(token, epoll.mask(i));
        } else if (token != LISTENER) {
          payBack(~token);
        } else if ((epoll.mask(i) & Epoll.HUP) != 0) {
          draining = true;
          stopReading();
        } else if (acceptor != null) {
          acceptor.accept();
        }
      }
      if (acceptor != null && !draining) {
        acceptor.resumeIfDue();
      }
    }
    drain.cutOff(open.get());
    owners.forEach(index, this::close);
  }

  private void echo(int fd, int mask) {
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
    parked.put(fd, new Owed(buffer.asSlice(done, read - done).toArray(ValueLayout.JAVA_BYTE)));
    rearm(fd, PARKED, ~fd);
  }

  private void payBack(int fd) {
    Owed owed = parked.get(fd);
    if (owed == null) {
      throw new IllegalStateException("descriptor " + fd + " is watched as parked, but nothing is owed to it");
    }
    int left = owed.bytes.length - owed.written;
    MemorySegment.copy(owed.bytes, owed.written, buffer, ValueLayout.JAVA_BYTE, 0, left);
    int n = sys.write(fd, buffer, left);
    if (n < 0 && n != -Errno.EAGAIN) {
      broken(fd);
    } else if (n > 0) {
      metrics.sent(n);
      owed.written += n;
      if (n == left) {
        parked.remove(fd);
        rearm(fd, READING, fd);
      }
    }
  }

  private void rearm(int fd, int mask, int token) {
    int r = epoll.modify(fd, mask, token);
    if (r < 0) {
      // The kernel has no limit that a change could meet; going on would leave the connection unwatched.
      throw new IllegalStateException("epoll_ctl MOD of descriptor " + fd + " failed: " + Errno.name(r));
    }
  }

  private void broken(int fd) {
    metrics.connectionBroken();
    close(fd);
  }

  private void close(int fd) {
    parked.remove(fd);
    owners.clear(fd);
    open.decrementAndGet();
    // Before the peer can see its end, so that whoever has seen it finds it counted.
    metrics.connectionClosed();
    sys.close(fd);
  }

  /** From here on the kernel ends each connection after what it has received, and the loop echoes that as ever. */
  private void stopReading() {
    if (acceptor != null) {
      acceptor.end();
    }
    owners.forEach(index, fd -> sys.shutdown(fd, SystemCalls.SHUT_RD));
  }

  /** Hands a connection over, on the accepting loop's thread: 0, or why the kernel would not watch it. */
  int deal(SystemCalls acceptorSys, MemorySegment scratch, int fd) {
    owners.set(fd, index);
    open.incrementAndGet();
    int r = epoll.addFrom(acceptorSys, scratch, fd, READING, fd);
    if (r < 0) {
      owners.clear(fd);
      open.decrementAndGet();
    }
    return r;
  }

  /** Lets this loop's next wait tell it that the listener is shut down: HUP is told without being asked for. */
  int watchEnd(SystemCalls acceptorSys, MemorySegment scratch, int listener) {
    return epoll.addFrom(acceptorSys, scratch, listener, Epoll.EDGE, LISTENER);
  }

  /** Connections dealt to this loop and not yet closed. */
  int open() {
    return open.get();
  }
}
