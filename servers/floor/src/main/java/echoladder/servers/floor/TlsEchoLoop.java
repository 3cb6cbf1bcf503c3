package echoladder.servers.floor;

import echoladder.linux.Errno;
import echoladder.linux.sockets.Epoll;
import echoladder.servers.kit.options.TlsOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Echoes over TLS by OpenSSL. An echo takes one read and one write of the socket, as in {@link EchoLoop}; in between OpenSSL opens and
 * seals records in memory. Every read is worked off to its last whole record before the next one, so no bytes are left in OpenSSL that no
 * event would tell of. What a full socket does not take stays in memory, at most the echo of one read; nothing more is read meanwhile.
 *
 * <p>Connections are watched for room from the start. So the first event of a connection comes at once, even if its client sends nothing,
 * and the bound on its handshake begins with that event. Who ends its side, by close_notify or by a FIN alone, gets close_notify.
 */
class TlsEchoLoop extends Loop {
  private static final int WATCHED = READING | Epoll.OUT;
  private static final int RECORD_BYTES = 16 << 10;

  private final OpenSslContext context;
  // What one record opens to, and the address of bytes to be sent.
  private final MemorySegment plain = Arena.ofAuto().allocate(RECORD_BYTES, 64);
  final MemorySegment at = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
  private @Nullable TlsConnection[] connections = new TlsConnection[64];
  // In the order in which their time is up. Those that are settled leave when they are at the front.
  private final Deque<TlsConnection> shaking = new ArrayDeque<>();

  TlsEchoLoop(LoopSetup setup, OpenSslContext context) {
    super(setup);
    this.context = context;
  }

  @Override
  int watched() {
    return WATCHED;
  }

  @Override
  void readable(int fd, int mask) {
    TlsConnection c = connection(fd);
    if (c.blocked) {
      if (flush(c)) {
        // Else nobody would be told of what came meanwhile.
        rearm(fd, WATCHED, fd);
      }
    } else if ((mask & ~Epoll.OUT) != 0) {
      read(c, mask);
    }
  }

  private TlsConnection connection(int fd) {
    if (fd >= connections.length) {
      connections = Arrays.copyOf(connections, Math.max(fd + 1, 2 * connections.length));
    }
    TlsConnection c = connections[fd];
    if (c == null) {
      c = new TlsConnection(context, fd, System.nanoTime() + TlsOptions.HANDSHAKE_MOST.toNanos());
      connections[fd] = c;
      shaking.add(c);
      begun(c);
    }
    return c;
  }

  /** A connection has come, of which nothing was read. */
  void begun(TlsConnection c) {}

  /** Reads what is there, goes on with the handshake and echoes. */
  void read(TlsConnection c, int mask) {
    while (true) {
      int n = sys.read(c.fd, buffer, bufferBytes);
      if (n == -Errno.EAGAIN) {
        return;
      }
      if (n < 0) {
        broken(c.fd);
        return;
      }
      if (n == 0) {
        end(c);
        return;
      }
      c.came(buffer, n);
      if (!goOn(c)) {
        return;
      }
      if (n == bufferBytes) {
        rearm(c.fd, WATCHED, c.fd);
        return;
      }
      if ((mask & ENDING) == 0) {
        return;
      }
    }
  }

  /** Shakes hands, echoes what has come by now, and sends; gives whether more may be read. */
  final boolean goOn(TlsConnection c) {
    if (!c.open() && !c.shake(at)) {
      return failed(c);
    }
    if (c.open()) {
      int n;
      while ((n = c.read(plain)) > 0) {
        metrics.received(n);
        if (!c.seal(plain, n)) {
          return failed(c);
        }
      }
      if (n == TlsConnection.FAILED) {
        return failed(c);
      }
      if (n == 0) {
        end(c);
        return false;
      }
    }
    return flush(c);
  }

  /** The peer ends, or the server stops: the peer gets what it is owed, and close_notify. */
  final void end(TlsConnection c) {
    if (!c.open()) {
      close(c.fd);
      return;
    }
    c.sayEnd();
    c.ending = true;
    boolean _ = flush(c);
  }

  /** The connection cannot go on; the alert that says why is sent where the socket takes it. */
  private boolean failed(TlsConnection c) {
    int bytes = c.waiting(at);
    if (bytes > 0) {
      int _ = sys.write(c.fd, TlsConnection.address(at), bytes);
    }
    broken(c.fd);
    return false;
  }

  /** Sends what waits; gives whether the connection goes on, with nothing left to be sent. */
  private boolean flush(TlsConnection c) {
    for (int bytes = c.waiting(at); bytes > 0; bytes = c.waiting(at)) {
      int n = sys.write(c.fd, TlsConnection.address(at), bytes);
      if (n == -Errno.EAGAIN) {
        c.blocked = true;
        return false;
      }
      if (n < 0) {
        broken(c.fd);
        return false;
      }
      c.sent(n, plain);
    }
    c.blocked = false;
    metrics.sent(c.owedBytes);
    c.owedBytes = 0;
    if (c.ending) {
      close(c.fd);
    }
    return !c.ending;
  }

  @Override
  void writable(int fd) {
    throw new IllegalStateException("descriptor " + fd + " is watched as parked, which no connection over TLS is");
  }

  @Override
  long untilDueNs() {
    TlsConnection first = firstToShake();
    return first == null ? NO_TIMEOUT : Math.max(0, first.shakenByNs - System.nanoTime());
  }

  private @Nullable TlsConnection firstToShake() {
    while (!shaking.isEmpty() && shaking.getFirst().settled()) {
      shaking.removeFirst();
    }
    return shaking.peekFirst();
  }

  @Override
  void whatIsDue() {
    for (TlsConnection c = firstToShake(); c != null && c.shakenByNs - System.nanoTime() <= 0; c = firstToShake()) {
      broken(c.fd);
    }
  }

  @Override
  void forget(int fd) {
    TlsConnection c = fd < connections.length ? connections[fd] : null;
    if (c != null) {
      connections[fd] = null;
      c.free();
    }
  }

  @Override
  long directBytes() {
    return super.directBytes() + plain.byteSize();
  }
}
