package echoladder.openloop.loop;

import echoladder.client.LoadPlan;
import echoladder.client.Tls;
import echoladder.linux.Errno;
import echoladder.linux.sockets.SystemCalls;
import echoladder.openloop.result.Counters;
import echoladder.openloop.tls.TlsSessions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Bytes under TLS. A message is sealed before it counts as sent, so the client's own encryption is no part of the server's time. What a
 * full socket does not take of a record waits in its session, and the connection is blocked until the socket has room.
 */
final class TlsWire implements Wire {
  private static final String UNFINISHED = "TLS: the server ended the connection in the handshake";
  private static final String TRUNCATED = "TLS: truncated: the server ended the connection without close_notify";

  private final SystemCalls sys;
  private final Connections conns;
  private final Arrivals arrivals;
  private final Counters counters;
  private final TlsSessions sessions;
  // One read of a socket, and what of a record came before it.
  private final MemorySegment plain = Arena.ofAuto().allocate(EventLoop.BUFFER_BYTES + 2L * TlsSessions.RECORD_BYTES, 64);
  private boolean full;
  private String failure = "";

  TlsWire(LoadPlan plan, Tls tls, SystemCalls sys, Connections conns, Arrivals arrivals, Counters counters) {
    this.sys = sys;
    this.conns = conns;
    this.arrivals = arrivals;
    this.counters = counters;
    this.sessions = new TlsSessions(tls, conns.fd.length);
    String offered = Tls.offered(plan.protocol());
    if (offered != null) {
      sessions.offer(offered);
    }
  }

  @Override
  public boolean isOpen(int c) {
    return sessions.established(c);
  }

  @Override
  public int open(int c) {
    if (!sessions.established(c) && shake(c) == FAILED) {
      return FAILED;
    }
    int r = flush(c);
    return r < 0 ? r : sessions.established(c) ? 1 : 0;
  }

  /** Goes on with a handshake, and counts it where it ends: 0, or {@link #FAILED}. */
  private int shake(int c) {
    if (sessions.shake(c) == TlsSessions.FAILED) {
      return failed(sessions.failure());
    }
    if (sessions.established(c)) {
      counters.add(Counters.Of.TLS_HANDSHAKES, 1);
      counters.add(Counters.Of.TLS_RESUMED, sessions.resumed() ? 1 : 0);
    }
    return 0;
  }

  @Override
  public int seal(int c, MemorySegment out, int bytes) {
    int sealed = sessions.seal(c, out, bytes);
    return sealed == TlsSessions.FAILED ? failed(sessions.failure()) : sealed;
  }

  @Override
  public int write(int c, MemorySegment out, int sealed) {
    int r = flush(c);
    if (r == -Errno.EAGAIN) {
      conns.blocked[c] = true;
      return sealed;
    }
    return r < 0 ? r : sealed;
  }

  @Override
  public int flush(int c) {
    for (int bytes = sessions.waiting(c); bytes > 0; bytes = sessions.waiting(c)) {
      int n = sys.write(conns.fd[c], sessions.waitingAt(c), bytes);
      if (n < 0) {
        return n;
      }
      sessions.sent(c, n);
    }
    return 0;
  }

  @Override
  public int read(int c) {
    full = false;
    if (sessions.ended(c)) {
      return opened(c);
    }
    int n = arrivals.read(conns.fd[c]);
    if (n == 0) {
      return failed(sessions.established(c) ? TRUNCATED : UNFINISHED);
    }
    if (n < 0) {
      return n;
    }
    full = n == EventLoop.BUFFER_BYTES;
    if (sessions.received(c, arrivals.buffer(), n) == TlsSessions.FAILED) {
      return failed(sessions.failure());
    }
    if (sessions.established(c)) {
      n = opened(c);
      // The answer to a key update.
      int r = conns.blocked[c] ? 0 : flush(c);
      if (r == -Errno.EAGAIN) {
        conns.blocked[c] = true;
      }
      return n;
    }
    if (shake(c) == FAILED) {
      return FAILED;
    }
    // The server's tickets may be behind the end of its handshake.
    return sessions.established(c) ? opened(c) : PROGRESS;
  }

  private int opened(int c) {
    int n = sessions.read(c, plain, (int) plain.byteSize());
    return switch (n) {
      case TlsSessions.FAILED -> failed(sessions.failure());
      case TlsSessions.NOTHING -> PROGRESS;
      default -> n;
    };
  }

  @Override
  public MemorySegment buffer() {
    return plain;
  }

  @Override
  public boolean more(int c) {
    return full || sessions.ended(c);
  }

  @Override
  public boolean beyond(int c) {
    return full || sessions.holdsMore(c);
  }

  private int failed(String cause) {
    failure = cause;
    return FAILED;
  }

  @Override
  public String failure() {
    return failure;
  }

  @Override
  public void close(int c) {
    sessions.sayEnd(c);
    if (!conns.blocked[c]) {
      // An alert that says why, or the end; who does not take it misses nothing else.
      int _ = flush(c);
    }
    sessions.forget(c);
    sys.close(conns.fd[c]);
  }

  @Override
  public void end() {
    sessions.close();
  }

  @Override
  public long arrayBytes() {
    return sessions.arrayBytes();
  }
}
