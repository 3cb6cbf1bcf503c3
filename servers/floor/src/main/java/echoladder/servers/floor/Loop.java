package echoladder.servers.floor;

import echoladder.linux.Errno;
import echoladder.linux.sockets.Epoll;
import echoladder.linux.sockets.SystemCalls;
import echoladder.servers.kit.EchoMetrics;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One thread, one epoll instance, one buffer. What is done with the bytes of a connection is the subclass's; a process has one
 * subclass, so that calling it costs nothing. Each has its own loop of reads, as what it does with the bytes stands in the middle of
 * that; those that echo what the socket gives share {@link Echoes}.
 *
 * <p>Edge-triggered, as the kernel then need not look again at each answered connection in the next wait. What that asks
 * of the reader: a read that did not fill the buffer has drained the connection, a read that filled it is followed by
 * a re-arm (so that others get their turn), and after a FIN or urgent data the reading goes on until it ends.
 *
 * <p>A connection whose peer does not read is parked: nothing more is read until what it is owed is gone. Its event token is
 * then {@code ~descriptor}, so that an echo looks nothing up.
 */
abstract class Loop {
  /** Token of the listener; every other negative token is a parked connection's. */
  static final int LISTENER = Integer.MIN_VALUE;

  /** EPOLLPRI: urgent data, at which a read stops although more may be there. */
  private static final int PRI = 0x002;

  static final int READING = Epoll.IN | PRI | Epoll.RDHUP | Epoll.EDGE;
  static final int PARKED = Epoll.OUT | Epoll.EDGE;

  /** An error and a hang-up are told without being asked for. */
  static final int WAITING = Epoll.EDGE;

  static final int ENDING = Epoll.RDHUP | PRI | Epoll.HUP | Epoll.ERR;
  static final long NO_TIMEOUT = -1;

  private final int index;
  private final DescriptorOwners owners;
  private final Drain drain;
  private final @Nullable Acceptor acceptor;
  private final Epoll epoll;

  /** System calls for this loop's thread alone. */
  final SystemCalls sys;

  /** What one read goes to. */
  final MemorySegment buffer;

  /** Size of {@link #buffer}. */
  final int bufferBytes;

  final EchoMetrics metrics;

  // Counted up by the accepting loop before it hands a descriptor over, down by this one when it closes it.
  private final AtomicInteger open = new AtomicInteger();

  Loop(LoopSetup setup) {
    this.index = setup.index();
    this.sys = setup.sys();
    this.epoll = setup.epoll();
    this.bufferBytes = setup.bufferBytes();
    this.buffer = Arena.ofAuto().allocate(bufferBytes, 64);
    this.owners = setup.owners();
    this.metrics = setup.metrics();
    this.drain = setup.drain();
    this.acceptor = setup.acceptor();
  }

  /** Bytes came, or the end, or an error. */
  abstract void readable(int fd, int mask);

  /** What a new connection is watched for. */
  int watched() {
    return READING;
  }

  /** A parked connection takes more. */
  abstract void writable(int fd);

  /** How long until something is due whether or not bytes come; negative = never. */
  long untilDueNs() {
    return NO_TIMEOUT;
  }

  /** Does what is due. */
  void whatIsDue() {}

  /** From here on each connection ends after what it has received. */
  void stopping() {}

  /** The connection is about to be closed. */
  void forget(int fd) {}

  /** The loop takes no more events; connections that it still has are closed next. */
  void ending() {}

  /** Bytes of its buffers outside the heap. */
  long directBytes() {
    return bufferBytes;
  }

  /** Runs until the listener has been shut down and every connection of this loop is closed, or time is up. */
  final void run() {
    boolean draining = false;
    while (!draining || (open.get() > 0 && drain.leftNs() > 0)) {
      long mostNs = draining ? drain.leftNs() : acceptor == null ? NO_TIMEOUT : acceptor.timeoutNs();
      int n = epoll.await(sooner(mostNs, untilDueNs()));
      for (int i = 0; i < n; i++) {
        int token = epoll.token(i);
        if (token >= 0) {
          readable(token, epoll.mask(i));
        } else if (token != LISTENER) {
          writable(~token);
        } else if ((epoll.mask(i) & Epoll.HUP) != 0) {
          draining = true;
          stopReading();
        } else if (acceptor != null) {
          acceptor.accept();
        }
      }
      whatIsDue();
      if (acceptor != null && !draining) {
        acceptor.resumeIfDue();
      }
    }
    ending();
    drain.cutOff(open.get());
    owners.forEach(index, this::close);
  }

  private static long sooner(long aNs, long bNs) {
    return aNs < 0 ? bNs : bNs < 0 ? aNs : Math.min(aNs, bNs);
  }

  /** Watches a descriptor that is no connection; {@link #readable} is told of it. */
  final void watch(int fd) {
    int r = epoll.add(fd, Epoll.IN | Epoll.EDGE, fd);
    if (r < 0) {
      throw new IllegalStateException("epoll_ctl ADD of descriptor " + fd + " failed: " + Errno.name(r));
    }
  }

  final void rearm(int fd, int mask, int token) {
    int r = epoll.modify(fd, mask, token);
    if (r < 0) {
      // The kernel has no limit that a change could meet; going on would leave the connection unwatched.
      throw new IllegalStateException("epoll_ctl MOD of descriptor " + fd + " failed: " + Errno.name(r));
    }
  }

  /** Whether a descriptor is a connection of this loop: one that ended earlier in a turn may have an event left in it. */
  final boolean owns(int fd) {
    return owners.has(fd, index);
  }

  final void broken(int fd) {
    metrics.connectionBroken();
    close(fd);
  }

  final void close(int fd) {
    forget(fd);
    owners.clear(fd);
    open.decrementAndGet();
    // Before the peer can see its end, so that whoever has seen it finds it counted.
    metrics.connectionClosed();
    sys.close(fd);
  }

  /** From here on the kernel ends each connection after what it has received, and the loop answers that as ever. */
  private void stopReading() {
    stopping();
    if (acceptor != null) {
      acceptor.end();
    }
    owners.forEach(index, fd -> sys.shutdown(fd, SystemCalls.SHUT_RD));
  }

  /** Hands a connection over, on the accepting loop's thread: 0, or why the kernel would not watch it. */
  final int deal(SystemCalls acceptorSys, MemorySegment scratch, int fd) {
    owners.set(fd, index);
    open.incrementAndGet();
    int r = epoll.addFrom(acceptorSys, scratch, fd, watched(), fd);
    if (r < 0) {
      owners.clear(fd);
      open.decrementAndGet();
    }
    return r;
  }

  /** Lets this loop's next wait tell it that the listener is shut down: HUP is told without being asked for. */
  final int watchEnd(SystemCalls acceptorSys, MemorySegment scratch, int listener) {
    return epoll.addFrom(acceptorSys, scratch, listener, Epoll.EDGE, LISTENER);
  }

  /** Connections dealt to this loop and not yet closed. */
  final int open() {
    return open.get();
  }
}
