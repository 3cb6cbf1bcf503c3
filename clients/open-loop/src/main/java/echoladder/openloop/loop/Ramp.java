package echoladder.openloop.loop;

import static echoladder.openloop.loop.Connections.CONNECTING;
import static echoladder.openloop.loop.Connections.VERIFYING;

import echoladder.client.schedule.Slice;
import echoladder.linux.Errno;
import echoladder.linux.sockets.SocketAddress;
import echoladder.linux.sockets.SystemCalls;
import echoladder.openloop.result.FirstEcho;
import echoladder.openloop.schedule.Timing;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The order in which an event loop opens its connections: each has an intended time from the ramp's rate, and no more
 * than a window of them is under way (begun and without verified echo), so that neither the server's backlog nor its
 * accept loop is run over. A connect that waits for the window waits on its own clock: its connect time grows. Its
 * time-out does not run meanwhile, as no server is to blame for a ramp that asks for more than it takes.
 */
public final class Ramp {
  /** A loop gives its ramp up after so many failed connects, if none has had its first echo. */
  private static final int FIRST = 64;

  private static final long LOOK_LEAST_NS = 10_000_000;
  private static final long LOOK_MOST_NS = 100_000_000;

  private final Slice slice;
  private final Connections conns;
  private final Messages messages;
  private final SystemCalls sys;
  private final Arrivals arrivals;
  private final Timing timing;
  private final double gapNs;
  private final long timeoutNs;
  private final int window;
  private final List<SocketAddress> sources;
  private final List<SocketAddress> targets;
  private String failedCall = "socket";
  private int next;
  private int oldest;
  private int pending;
  private int timedOut;
  private int failed;
  private boolean anyVerified;

  Ramp(LoopPlan plan, Connections conns, Messages messages, SystemCalls sys, Arrivals arrivals, Timing timing) {
    this.slice = plan.slice();
    this.conns = conns;
    this.messages = messages;
    this.sys = sys;
    this.arrivals = arrivals;
    this.timing = timing;
    this.gapNs = 1e9 / plan.connectsPerSecond();
    this.timeoutNs = plan.connectTimeoutNs();
    this.window = plan.connectWindow();
    this.sources = plan.addresses().sources();
    this.targets = plan.addresses().targets();
  }

  /** Intended connect of connection {@code c}, ns on the monotonic clock. */
  long intendedNs(int c) {
    return timing.rampStartNs + (long) (slice.global(c) * gapNs);
  }

  /** Connections begun that are neither established nor failed. */
  int pending() {
    return pending;
  }

  /** Whether a connect is due and the window has room. */
  boolean due(long now) {
    return next < slice.connections()
        && pending < window
        && timing.rampStartNs != Timing.UNKNOWN
        && intendedNs(next) <= now;
  }

  /** When the next connect is due; time-outs can wait for the loop's longest sleep. */
  long nextNs() {
    boolean waiting = timing.rampStartNs == Timing.UNKNOWN || next == slice.connections() || pending >= window;
    return waiting ? Timing.UNKNOWN : intendedNs(next);
  }

  /** The connection whose turn it is. */
  int take() {
    return next++;
  }

  /** Creates the socket of connection {@code c} and begins to connect it; 0, or a negated errno with nothing left open. */
  int open(int c) {
    int fd = sys.tcpSocket();
    if (fd < 0) {
      failedCall = "socket";
      return fd;
    }
    int g = slice.global(c);
    int r = sys.setOption(fd, SystemCalls.IPPROTO_TCP, SystemCalls.TCP_NODELAY, 1);
    failedCall = "setsockopt";
    @Nullable SocketAddress source = sources.isEmpty() ? null : sources.get(g % sources.size());
    if (r == 0 && source != null) {
      // The port is chosen at connect(), per destination; bind() alone would take it from every destination at once.
      r = sys.setOption(fd, SystemCalls.IPPROTO_IP, SystemCalls.IP_BIND_ADDRESS_NO_PORT, 1);
      if (r == 0) {
        failedCall = "bind";
        r = sys.bind(fd, source);
      }
    }
    if (r == 0) {
      failedCall = "connect";
      r = sys.connect(fd, targets.get(g / Math.max(1, sources.size()) % targets.size()));
      r = r == -Errno.EINPROGRESS ? 0 : r;
    }
    if (r < 0) {
      sys.close(fd);
      return r;
    }
    arrivals.ask(fd);
    conns.fd[c] = fd;
    pending++;
    return 0;
  }

  /**
   * How long to wait between two looks at whether something that has lasted so long is over: its length is then known to 10 ms
   * or a hundredth. A look costs what the connections would be opened by.
   */
  public static long lookNs(long lastedNs) {
    return Math.clamp(lastedNs / 100, LOOK_LEAST_NS, LOOK_MOST_NS);
  }

  /** The call that made the last {@link #open} fail. */
  String failedCall() {
    return failedCall;
  }

  /** A begun connection is no longer pending. */
  void ended() {
    pending--;
  }

  /** A begun connection has had its first echo. */
  void verified() {
    ended();
    anyVerified = true;
  }

  /** A connection could not be made: it was refused, or the client's own side failed. */
  void failed() {
    failed++;
  }

  /** Gives every connection that was begun longer ago than the connect timeout and is pending to {@code timeOut}. */
  void expire(long now, IntConsumer timeOut) {
    for (; oldest < next; oldest++) {
      byte state = conns.state[oldest];
      if (state == CONNECTING || state == VERIFYING) {
        // The first message stands as sent since its connection was begun.
        if (now - messages.sentNs[conns.first[oldest]] < timeoutNs) {
          return;
        }
        timedOut++;
        timeOut.accept(oldest);
      }
    }
  }

  /**
   * Gives the ramp up once as many connections have timed out as may be under way at once: the server takes no more, and
   * the rest would find that out a window and a timeout at a time. It is given up, too, once {@link #FIRST} connects could not be
   * made, at least one from and to each address, and no connection was verified: nothing accepts there, or there is no way there.
   *
   * @return connections that will not be begun; 0 = it goes on, or had begun all
   */
  int giveUp() {
    boolean none = !anyVerified && failed >= Math.max(FIRST, Math.max(1, sources.size()) * targets.size());
    int left = timedOut < window && !none ? 0 : slice.connections() - next;
    next += left;
    return left;
  }

  /** Why it was given up. */
  String givenUp() {
    return timedOut < window ? "not begun, as none of the first connects could be made" : FirstEcho.NOT_BEGUN;
  }
}
