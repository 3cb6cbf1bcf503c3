package echoladder.openloop;

import static echoladder.openloop.Connections.CONNECTING;
import static echoladder.openloop.Connections.VERIFYING;

import echoladder.linux.Errno;
import echoladder.linux.SocketAddress;
import echoladder.linux.SystemCalls;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The order in which an event loop opens its connections: each has an intended time from the ramp's rate, and no more
 * than a window of them is under way (begun and without verified echo), so that neither the server's backlog nor its
 * accept loop is run over. A connect that waits for the window waits on its own clock: its connect time grows.
 */
final class Ramp {
  private final Slice slice;
  private final Connections conns;
  private final SystemCalls sys;
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

  Ramp(LoopPlan plan, Connections conns, SystemCalls sys, Timing timing) {
    this.slice = plan.slice();
    this.conns = conns;
    this.sys = sys;
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

  /** When to look again: the next intended connect, or the next time-out. */
  long nextNs(long now) {
    if (timing.rampStartNs == Timing.UNKNOWN) {
      return Timing.UNKNOWN;
    }
    long connect = next < slice.connections() && pending < window ? intendedNs(next) : Timing.UNKNOWN;
    long timeout = pending > 0 ? Math.max(now, intendedNs(oldest) + timeoutNs) : Timing.UNKNOWN;
    return Math.min(connect, timeout);
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
    conns.fd[c] = fd;
    pending++;
    return 0;
  }

  /** The call that made the last {@link #open} fail. */
  String failedCall() {
    return failedCall;
  }

  /** A begun connection is no longer pending. */
  void ended() {
    pending--;
  }

  /** Gives every connection that has been pending for longer than the connect timeout to {@code timeOut}. */
  void expire(long now, IntConsumer timeOut) {
    for (; oldest < next; oldest++) {
      byte state = conns.state[oldest];
      if (state == CONNECTING || state == VERIFYING) {
        if (now - intendedNs(oldest) < timeoutNs) {
          return;
        }
        timeOut.accept(oldest);
      }
    }
  }
}
