package echoladder.openloop;

import echoladder.linux.Epoll;

/**
 * How an event loop waits for its next send or its sockets. The wait is counted from the moment it begins, so that what
 * the loop did before does not lengthen it. Belongs to one event loop.
 */
final class Waiting {
  /** The longest wait: how late a loop may see a new phase. */
  static final long MOST_NS = 10_000_000;

  private final Epoll epoll;
  private final Timing timing;
  private final Recorders recorders;

  Waiting(Epoll epoll, Timing timing, Recorders recorders) {
    this.epoll = epoll;
    this.timing = timing;
    this.recorders = recorders;
  }

  /**
   * Waits until a socket is ready, until {@code dueNs} on the monotonic clock, or for {@link #MOST_NS}.
   *
   * @return how many events there are
   */
  int until(long dueNs) {
    long now = System.nanoTime();
    long timeout = Math.clamp(dueNs - now, 0, MOST_NS);
    int n = epoll.await(timeout);
    if (timeout > 0) {
      long woke = System.nanoTime();
      // An event may have ended the wait before its time; or it came while the process stood still beyond it.
      if ((n == 0 || woke - now > timeout) && timing.counts(woke)) {
        recorders.record(Kind.HICCUP, woke - now - timeout);
      }
    }
    return n;
  }

  /** Looks at the sockets without waiting; how many events there are. */
  int look() {
    return epoll.await(0);
  }
}
