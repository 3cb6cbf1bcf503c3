package echoladder.openloop.loop;

import echoladder.linux.sockets.Epoll;
import echoladder.openloop.result.Recorders;
import echoladder.openloop.result.TimeKind;
import echoladder.openloop.schedule.Timing;

/**
 * How an event loop waits for its next send or its sockets. The wait is counted from the moment it begins, so that what
 * the loop did before does not lengthen it. Belongs to one event loop.
 */
public final class Waiting {
  /** The longest wait: how late a loop may see a new phase. */
  public static final long MOST_NS = 10_000_000;

  private final Epoll epoll;
  private final Timing timing;
  private final Recorders recorders;
  private final long spinNs;

  /** With {@code spinNs} above 0 it polls from so long before a send is due, instead of sleeping until then. */
  Waiting(Epoll epoll, Timing timing, Recorders recorders, long spinNs) {
    this.epoll = epoll;
    this.timing = timing;
    this.recorders = recorders;
    this.spinNs = spinNs;
  }

  /**
   * Waits until a socket is ready, until {@code dueNs} on the monotonic clock, or for {@link #MOST_NS}.
   *
   * @return how many events there are
   */
  int until(long dueNs) {
    long now = System.nanoTime();
    if (dueNs - now > spinNs) {
      return sleep(now, Math.min(dueNs - now - spinNs, MOST_NS));
    }
    return spinNs == 0 ? epoll.await(0) : poll(now, Math.min(dueNs, now + MOST_NS));
  }

  private int sleep(long now, long timeout) {
    int n = epoll.await(timeout);
    overrun(n, now + timeout, System.nanoTime());
    return n;
  }

  private int poll(long from, long end) {
    int n = epoll.await(0);
    long now = from;
    while (n == 0 && now < end) {
      now = System.nanoTime();
      n = epoll.await(0);
    }
    overrun(n, end, System.nanoTime());
    return n;
  }

  /** An event may have ended the wait before its time; or it came while the process stood still beyond it. */
  private void overrun(int events, long end, long woke) {
    if ((events == 0 || woke > end) && timing.counts(woke)) {
      recorders.record(TimeKind.HICCUP, woke - end);
    }
  }

  /** Looks at the sockets without waiting; how many events there are. */
  int look() {
    return epoll.await(0);
  }
}
