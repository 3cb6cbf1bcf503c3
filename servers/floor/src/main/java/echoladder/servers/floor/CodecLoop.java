package echoladder.servers.floor;

import echoladder.linux.Errno;
import echoladder.linux.sockets.Epoll;
import echoladder.linux.sockets.SystemCalls;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The loop under a protocol: what is read goes through the connection's {@link Conversation}, and its answers are written
 * together. A connection is given up that does not send the rest of a message in time.
 */
final class CodecLoop extends Loop {
  /** How long a peer that was told of the end may take to end its side, and how much it may send until then. */
  private static final long LINGER_NS = 2_000_000_000;

  private static final int LINGER_BYTES = 2 << 20;

  private final IntFunction<Conversation> conversations;
  private final long messageNs;
  private final byte[] in;
  private final Outgoing out;
  private final long originNs = System.nanoTime();
  private final NavigableSet<Conversation> due =
      new TreeSet<>(Comparator.comparingLong((Conversation c) -> c.dueNs()).thenComparingInt(Conversation::fd));

  // By descriptor.
  private @Nullable Conversation[] all = new Conversation[64];

  /**
   * A loop that has not begun.
   *
   * @param conversations makes that of a descriptor
   * @param messageTimeout from a message's first byte to its last
   */
  CodecLoop(LoopSetup setup, IntFunction<Conversation> conversations, Duration messageTimeout) {
    super(setup);
    this.conversations = conversations;
    this.messageNs = messageTimeout.toNanos();
    this.in = new byte[bufferBytes];
    this.out = new Outgoing(sys, bufferBytes);
  }

  @Override
  long directBytes() {
    return 2L * bufferBytes;
  }

  @Override
  void readable(int fd, int mask) {
    Conversation c = of(fd);
    if (c.waitNs() > 0) {
      // Nothing is read meanwhile, so this is an end by error.
      if ((mask & (Epoll.ERR | Epoll.HUP)) != 0) {
        broken(fd);
      }
      return;
    }
    while (true) {
      int n = sys.read(fd, buffer, bufferBytes);
      if (n <= 0) {
        if (n == 0) {
          finish(c);
        } else if (n != -Errno.EAGAIN) {
          broken(fd);
        }
        return;
      }
      if (!takes(c, n)) {
        return;
      }
      if (n == bufferBytes) {
        rearm(fd, READING, fd);
        return;
      }
      if ((mask & ENDING) == 0) {
        return;
      }
    }
  }

  private Conversation of(int fd) {
    if (fd >= all.length) {
      all = Arrays.copyOf(all, Math.max(fd + 1, 2 * all.length));
    }
    Conversation c = all[fd];
    if (c == null) {
      c = conversations.apply(fd);
      all[fd] = c;
    }
    return c;
  }

  /** Takes what was read; gives whether reading may go on. */
  private boolean takes(Conversation c, int count) {
    if (c.dropping()) {
      if (c.dropped(count) > LINGER_BYTES) {
        close(c.fd());
        return false;
      }
      return true;
    }
    MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, in, 0, count);
    out.begin(c.fd());
    c.received(in, count, out);
    return answered(c);
  }

  /** Writes what was answered; gives whether reading may go on. */
  private boolean answered(Conversation c) {
    metrics.received(c.takeReceived());
    byte[] rest = out.end();
    if (out.failed()) {
      broken(c.fd());
      return false;
    }
    if (rest != null) {
      c.owe(rest);
      plan(c, Conversation.NEVER);
      rearm(c.fd(), PARKED, ~c.fd());
      return false;
    }
    metrics.sent(c.takeAnswered());
    if (c.ends()) {
      linger(c);
      return false;
    }
    if (c.waitNs() > 0) {
      plan(c, nowNs() + c.waitNs());
      rearm(c.fd(), WAITING, c.fd());
      return false;
    }
    boolean another = c.progressed();
    if (!c.partial() || !c.hurries()) {
      plan(c, Conversation.NEVER);
    } else if (another || c.dueNs() == Conversation.NEVER) {
      plan(c, nowNs() + messageNs);
    }
    return true;
  }

  /** Ends this side and drops what comes: a close with bytes unread would be a reset, which may overtake the last answer. */
  private void linger(Conversation c) {
    c.drop();
    sys.shutdown(c.fd(), SystemCalls.SHUT_WR);
    plan(c, nowNs() + LINGER_NS);
    rearm(c.fd(), READING, c.fd());
  }

  /** The peer has ended its side, or the server has stopped. */
  private void finish(Conversation c) {
    if (!c.dropping()) {
      out.begin(c.fd());
      c.farewell(out);
      // What does not fit into a socket that is about to be closed is lost.
      var _ = out.end();
    }
    close(c.fd());
  }

  @Override
  void writable(int fd) {
    Conversation c = of(fd);
    for (byte[] owed = c.owed(); owed != null; owed = c.owed()) {
      int n = out.write(fd, owed, c.paidBytes());
      if (n < 0 && n != -Errno.EAGAIN) {
        broken(fd);
        return;
      }
      if (n <= 0) {
        return;
      }
      c.paid(n);
    }
    metrics.sent(c.takeAnswered());
    out.begin(fd);
    c.goOn(out);
    if (answered(c)) {
      rearm(fd, READING, fd);
    }
  }

  private long nowNs() {
    return System.nanoTime() - originNs;
  }

  private void plan(Conversation c, long dueNs) {
    if (c.dueNs() != Conversation.NEVER) {
      due.remove(c);
    }
    c.dueAt(dueNs);
    if (dueNs != Conversation.NEVER) {
      due.add(c);
    }
  }

  @Override
  long untilDueNs() {
    return due.isEmpty() ? NO_TIMEOUT : Math.max(0, due.first().dueNs() - nowNs());
  }

  @Override
  void whatIsDue() {
    while (!due.isEmpty() && due.first().dueNs() <= nowNs()) {
      Conversation c = due.first();
      plan(c, Conversation.NEVER);
      if (c.waitNs() == 0) {
        close(c.fd());
        continue;
      }
      out.begin(c.fd());
      c.waited();
      c.timeUp(out);
      c.goOn(out);
      if (answered(c)) {
        rearm(c.fd(), READING, c.fd());
      }
    }
  }

  @Override
  void stopping() {
    out.stop();
  }

  @Override
  void forget(int fd) {
    if (fd < all.length) {
      Conversation c = all[fd];
      if (c != null) {
        plan(c, Conversation.NEVER);
        all[fd] = null;
      }
    }
  }
}
