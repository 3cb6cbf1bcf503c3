package echoladder.openloop.loop;

import static echoladder.openloop.loop.Connections.CONNECTING;
import static echoladder.openloop.loop.Connections.OPEN;
import static echoladder.openloop.loop.Connections.VERIFYING;
import static echoladder.openloop.loop.Messages.NONE;

import echoladder.client.schedule.Slice;
import echoladder.linux.Errno;
import echoladder.linux.sockets.SystemCalls;
import echoladder.openloop.codec.Codec;
import echoladder.openloop.codec.Payload;
import echoladder.openloop.result.MessageTimes;
import echoladder.openloop.schedule.Pacer;
import echoladder.openloop.schedule.Timing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** How an event loop sends: what its pacer has due, and what waits on a connection. Belongs to that loop. */
final class Sender {
  // TCP_NODELAY is read back from one connection in so many.
  private static final int NODELAY_SAMPLE = 100;

  private final Slice slice;
  private final long salt;
  private final SystemCalls sys;
  private final LoopClock clock;
  private final Connections conns;
  private final Messages messages;
  private final Codec codec;
  private final Wire wire;
  private final Pacer pacer;
  private final MessageStats stats;
  private final ConnectionCloser closer;
  private final Reconnector reconnector;
  private final Heard heard;
  private final RollCall rollCall;
  private final SlowConnections slow;
  private final int maxInFlight;
  private long attemptedNs;
  private final MemorySegment out = Arena.ofAuto().allocate(EventLoop.BUFFER_BYTES, 64);
  /** TCP_NODELAY was read back as on, each time it was looked at. */
  volatile boolean nodelay = true;

  /** What the loop hears on a connection, as far as sending has to do with it. */
  interface Heard {
    /** A write found the connection ended: takes what the peer said before; {@code byFin} where a FIN had come. */
    void lastWords(int connection, boolean byFin);

    /** A request was sent whole. */
    void requestSent(int connection);
  }

  Sender(
      LoopConnections connections, LoopSchedule schedule, MessageStats stats, ConnectionCloser closer, Heard heard, SlowConnections slow) {
    this.slice = connections.plan().slice();
    this.salt = connections.plan().salt();
    this.maxInFlight = connections.plan().inFlight();
    this.sys = connections.sys();
    this.clock = connections.clock();
    this.conns = connections.conns();
    this.messages = connections.messages();
    this.codec = connections.codec();
    this.wire = connections.wire();
    this.pacer = schedule.pacer();
    this.reconnector = schedule.reconnector();
    this.rollCall = schedule.rollCall();
    this.stats = stats;
    this.closer = closer;
    this.heard = heard;
    this.slow = slow;
  }

  /** The connection is made: its first echo is awaited. */
  void connected(int c, long now) {
    conns.state[c] = VERIFYING;
    if (c % NODELAY_SAMPLE == 0
        && sys.option(conns.fd[c], SystemCalls.IPPROTO_TCP, SystemCalls.TCP_NODELAY) <= 0) {
      nodelay = false;
    }
    if (!reconnector.again(c)) {
      stats.connected(now - messages.intendedNs[conns.first[c]]);
    }
  }

  /** Sends what is due, at most {@code burst} messages. */
  void due(long now, int burst) {
    long due;
    for (int i = 0; i < burst && (due = pacer.nextNs()) <= now; i++) {
      int c = reconnector.standIn(pacer.take());
      if (slow.has(c)) {
        slow.due(c);
        continue;
      }
      stats.due(c, due);
      if (conns.state[c] != OPEN) {
        stats.failed(c, due);
        continue;
      }
      boolean free = conns.unsent[c] == NONE && conns.inFlight[c] < maxInFlight;
      int m = messages.take(due);
      conns.append(c, m, messages);
      if (free) {
        trySending(c, MessageTimes.FREE);
        now = Math.max(now, attemptedNs);
      }
    }
  }

  /**
   * Sends one message if it is due by now. Where none is to come, as in a ramp, it does not read the clock, which is a system
   * call in a lab.
   */
  void dueByNow() {
    if (pacer.nextNs() != Timing.UNKNOWN) {
      due(clock.now(), 1);
    }
  }

  /** Asks the connections whose turn it is for one more echo, behind whatever they still owe; at most {@code burst}. */
  void call(long now, int burst) {
    long due;
    for (int i = 0; i < burst && (due = rollCall.nextNs()) <= now; i++) {
      int c = rollCall.take();
      if (conns.state[c] == OPEN && codec.reads(c) && !slow.has(c)) {
        ask(c, due, now);
      } else if (reconnector.again(c)) {
        rollCall.missed(c);
      }
    }
  }

  /** A connection has been opened anew: it is asked now where it has missed its turn in the roll call. */
  void openAgain(int c, long now) {
    if (rollCall.late(c)) {
      ask(c, now, now);
    }
  }

  private void ask(int c, long due, long now) {
    stats.asked();
    conns.append(c, messages.take(due), messages);
    trySending(c, now);
  }

  /**
   * Sends what waits on a connection, as far as its socket, its codec and the messages in flight allow.
   *
   * @param freed since when they allow it; {@link MessageTimes#FREE} where they did when it was due
   */
  void trySending(int c, long freed) {
    // What the codec itself has to say goes between two requests.
    while (!conns.blocked[c]
        && (conns.written[c] > 0 || mayBegin(c))
        && conns.unsent[c] != NONE
        && conns.inFlight[c] < maxInFlight) {
      if (!write(c, conns.unsent[c], freed)) {
        return;
      }
    }
  }

  /** The socket has room again: what waits for that goes first. */
  void room(int c, long now) {
    conns.blocked[c] = false;
    int r = wire.flush(c);
    if (r < 0) {
      notWritten(c, r);
    } else {
      trySending(c, now);
    }
  }

  /** Whether a request may begin, once the wire and the codec have said what they have to say themselves. */
  private boolean mayBegin(int c) {
    if (!wire.isOpen(c)) {
      long before = clock.now();
      int r = wire.open(c);
      if (r < 0) {
        notWritten(c, r);
        return false;
      }
      if (conns.state[c] == CONNECTING) {
        connected(c, before);
      }
      if (r == 0) {
        return false;
      }
    }
    for (int bytes = codec.ownBytes(c); bytes > 0; bytes = codec.ownBytes(c)) {
      codec.own(c, out);
      int sealed = wire.seal(c, out, bytes);
      long before = clock.now();
      int n = sealed < 0 ? sealed : wire.write(c, out, sealed);
      if (n < 0) {
        notWritten(c, n);
        return false;
      }
      if (conns.state[c] == CONNECTING) {
        connected(c, before);
      }
      codec.ownSent(c, n);
      if (conns.blocked[c]) {
        return false;
      }
    }
    return codec.open(c);
  }

  /** What waits for room in its socket from here on waits for the server. */
  private void attempted(int m, long freed, long at) {
    messages.sentNs[m] = at;
    messages.freedNs[m] = freed;
    attemptedNs = at;
    stats.leaves(messages.intendedNs[m], freed, at);
  }

  private void notWritten(int c, int errno) {
    conns.blocked[c] = true;
    if (errno == -Errno.EAGAIN) {
      return;
    }
    if (errno == Wire.FAILED) {
      closer.failed(c, wire.failure());
      return;
    }
    // On loopback a refusal has come by now, and this write is what brings the news of it.
    boolean refused = errno == -Errno.ECONNREFUSED;
    if (!refused) {
      // What the peer said before it ended the connection is the reason for that; the error of this call is only what followed.
      heard.lastWords(c, errno == -Errno.EPIPE);
    }
    if (conns.alive(c)) {
      closer.byPeer(c, refused ? "connect" : "write", errno);
    }
  }

  /** Writes one message from where it stands; false if that did not finish it. */
  private boolean write(int c, int m, long freed) {
    int from = conns.written[c];
    int bytes = codec.requestBytes(c);
    long key = Payload.key(salt, slice.global(c), conns.sequence[c] + conns.inFlight[c]);
    while (from < bytes) {
      int chunk = Math.min(bytes - from, EventLoop.BUFFER_BYTES);
      codec.request(out, c, key, from, chunk);
      int sealed = wire.seal(c, out, chunk);
      long before = clock.now();
      int n = sealed < 0 ? sealed : wire.write(c, out, sealed);
      if (messages.sentNs[m] == Messages.UNSENT) {
        attempted(m, freed, before);
      }
      if (n < 0) {
        conns.written[c] = from;
        notWritten(c, n);
        return false;
      }
      if (conns.state[c] == CONNECTING) {
        connected(c, before);
      }
      from += n;
      if (conns.blocked[c] && from < bytes) {
        conns.written[c] = from;
        return false;
      }
    }
    conns.written[c] = 0;
    conns.inFlight[c]++;
    conns.unsent[c] = messages.next[m];
    stats.sent(messages.intendedNs[m], reconnector.again(c));
    heard.requestSent(c);
    return conns.alive(c);
  }
}
