package echoladder.servers.floor;

import echoladder.linux.Errno;
import echoladder.linux.sockets.Epoll;
import echoladder.linux.sockets.SystemCalls;
import echoladder.servers.kit.AcceptErrors;
import echoladder.servers.kit.EchoMetrics;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Accepts connections on the thread of loop 0 and deals them out in turn. One listener for all loops: with
 * SO_REUSEPORT, one for each, a second server could take the same port without anybody being told.
 *
 * <p>When there are no descriptors left, the connection stays in the queue and the listener stays ready; so it is not
 * watched for {@link AcceptErrors#PAUSE}, and loop 0 goes on echoing instead of spinning.
 */
final class Acceptor {
  // Bounds what a burst of connects adds to the response time of loop 0's connections; the rest is told again.
  private static final int BATCH = 64;

  private final SystemCalls sys;
  private final Epoll epoll;
  private final int listener;
  private final EchoMetrics metrics;
  private final AcceptErrors errors;
  private final MemorySegment scratch = Arena.ofAuto().allocate(16, 8);
  private List<Loop> loops = List.of();
  private int next;
  private boolean paused;
  private long resumeAtNs;

  /**
   * An acceptor that does not watch yet.
   *
   * @param sys of loop 0's thread
   * @param epoll of loop 0
   */
  Acceptor(SystemCalls sys, Epoll epoll, int listener, EchoMetrics metrics, AcceptErrors errors) {
    this.sys = sys;
    this.epoll = epoll;
    this.listener = listener;
    this.metrics = metrics;
    this.errors = errors;
  }

  /** Begins to watch the listener, for these loops, loop 0 first. */
  void begin(List<Loop> all) {
    loops = List.copyOf(all);
    int r = epoll.add(listener, Epoll.IN, Loop.LISTENER);
    if (r < 0) {
      throw new IllegalStateException("epoll_ctl ADD of the listener failed: " + Errno.name(r));
    }
    // Before the first connection, as the reserve is put by then.
    if (!errors.mayAccept()) {
      pause();
    }
  }

  /** How long loop 0 may wait for events: without end, or until accepting is tried again. */
  long timeoutNs() {
    return paused ? Math.max(0, resumeAtNs - System.nanoTime()) : -1;
  }

  /** Accepts what waits, one batch at most. */
  void accept() {
    for (int i = 0; i < BATCH; i++) {
      if (!errors.mayAccept()) {
        pause();
        return;
      }
      int fd = sys.accept(listener);
      if (fd >= 0) {
        deal(fd);
      } else if (fd == -Errno.ECONNABORTED) {
        errors.failed("other", "ECONNABORTED"); // The peer gave up while it waited; the next one did not.
      } else {
        // Nothing waits; or the listener has been shut down, and its HUP is next.
        if (fd != -Errno.EAGAIN && fd != -Errno.EINVAL) {
          failed(fd);
        }
        return;
      }
    }
  }

  private void deal(int fd) {
    metrics.connectionAccepted();
    int r = sys.setOption(fd, SystemCalls.IPPROTO_TCP, SystemCalls.TCP_NODELAY, 1);
    if (r >= 0) {
      r = loops.get(next).deal(sys, scratch, fd);
      next = next + 1 == loops.size() ? 0 : next + 1;
    }
    if (r < 0) {
      sys.close(fd);
      metrics.connectionClosed();
      failed(r);
    }
  }

  private void failed(int errno) {
    String reason =
        switch (errno) {
          case -Errno.EMFILE -> "emfile";
          case -Errno.ENFILE -> "enfile";
          // Of epoll_ctl: one more watched descriptor than fs.epoll.max_user_watches allows.
          case -Errno.ENOSPC -> "enospc";
          case -Errno.ENOMEM, -Errno.ENOBUFS -> "enomem";
          default -> "other";
        };
    errors.failed(reason, Errno.name(errno));
    pause();
  }

  private void pause() {
    epoll.modify(listener, 0, Loop.LISTENER);
    paused = true;
    resumeAtNs = System.nanoTime() + AcceptErrors.PAUSE.toNanos();
  }

  /** Watches the listener again when the pause is over. */
  void resumeIfDue() {
    if (paused && System.nanoTime() - resumeAtNs >= 0) {
      paused = false;
      epoll.modify(listener, Epoll.IN, Loop.LISTENER);
    }
  }

  /** The listener is shut down: the others are told now, when nothing more will be dealt to them. */
  void end() {
    paused = false;
    // Shut down, it would report HUP at each wait from now on.
    epoll.remove(listener);
    for (Loop loop : loops.subList(1, loops.size())) {
      loop.watchEnd(sys, scratch, listener);
    }
  }
}
