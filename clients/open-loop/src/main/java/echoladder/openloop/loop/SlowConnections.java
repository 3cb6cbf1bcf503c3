package echoladder.openloop.loop;

import static echoladder.openloop.loop.Connections.OPEN;
import static echoladder.openloop.loop.Messages.NONE;

import echoladder.client.schedule.Slice;
import echoladder.linux.Errno;
import echoladder.linux.sockets.Epoll;
import echoladder.linux.sockets.SystemCalls;
import echoladder.openloop.codec.Codec;
import echoladder.openloop.codec.Payload;
import echoladder.openloop.result.Counters;
import echoladder.openloop.result.Recorders;
import echoladder.openloop.result.TimeKind;
import echoladder.openloop.schedule.Timing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/**
 * Connections of an event loop that read nothing, or little, from the beginning of the steady state on. They send what is due to go out on
 * them as far as their sockets take it, wait for no answer, and drop what they read. None of it is in the counts and times of the load.
 * Belongs to that loop.
 */
final class SlowConnections {
  /** Messages that one connection sends, and reads of all, before the loop looks at the others again. */
  private static final int BURST = 64;

  private final SystemCalls sys;
  private final Connections conns;
  private final Messages messages;
  private final Codec codec;
  private final Slice slice;
  private final long salt;
  private final Timing timing;
  private final Counters counters;
  private final Recorders recorders;
  private final ConnectionCloser closer;
  /** The slow ones, as a set and in their order. */
  private final BitSet slow;
  private final int[] order;
  private final SlowPace pace;
  /** Messages due on a connection that its socket has not taken; empty where all read. */
  private final int[] waiting;
  /** Connections that could send more than they were let. */
  private final BitSet unfinished = new BitSet();
  private final MemorySegment buffer;
  private boolean begun;
  private boolean measured;
  private long beganNs;
  private long reads;

  SlowConnections(LoopConnections connections, Timing timing, LoopResults results, ConnectionCloser closer) {
    LoopPlan plan = connections.plan();
    this.sys = connections.sys();
    this.conns = connections.conns();
    this.messages = connections.messages();
    this.codec = connections.codec();
    this.slice = plan.slice();
    this.salt = plan.salt();
    this.timing = timing;
    this.counters = results.counters();
    this.recorders = results.recorders();
    this.closer = closer;
    this.slow = plan.plan().slowReaders().among(slice);
    this.order = slow.stream().toArray();
    this.pace = new SlowPace(plan.plan().slowReaders().bytesPerS(), order.length);
    this.waiting = new int[order.length == 0 ? 0 : slice.connections()];
    this.buffer = order.length == 0 ? MemorySegment.NULL : Arena.ofAuto().allocate(EventLoop.BUFFER_BYTES, 64);
    counters.set(Counters.Of.SLOW_READERS, order.length);
  }

  /** All of the loop, whether they have begun to be slow or not. */
  BitSet all() {
    return slow;
  }

  /** Whether a connection is slow by now, so that nothing of it counts. */
  boolean has(int c) {
    if (order.length == 0 || !slow.get(c)) {
      return false;
    }
    if (!begun && System.nanoTime() >= timing.steadyStartNs) {
      begin();
    }
    return begun;
  }

  /** Whether a connection is open, and not to be read by the loop as others are. */
  boolean pauses(int c) {
    return has(c) && conns.state[c] == OPEN;
  }

  /** When there is something to do; not before now. */
  long nextNs() {
    if (!begun) {
      return Timing.UNKNOWN;
    }
    long due = readDueNs();
    return due == Timing.UNKNOWN && unfinished.isEmpty() ? due : Math.max(System.nanoTime(), unfinished.isEmpty() ? due : 0);
  }

  private long readDueNs() {
    long due = pace.dueNs(reads);
    return due == Timing.UNKNOWN ? due : beganNs + due;
  }

  /** Reads what is due, and goes on sending where a turn was too short for it. */
  void turn(long now) {
    if (order.length == 0) {
      return;
    }
    if (!begun && now >= timing.steadyStartNs) {
      begin();
    }
    if (!begun) {
      return;
    }
    if (!measured && (now >= timing.steadyEndNs || timing.finish)) {
      measure();
    }
    for (int i = 0; i < BURST && readDueNs() <= now; i++) {
      read(order[(int) (reads++ % order.length)]);
    }
    for (int c = unfinished.nextSetBit(0); c >= 0; c = unfinished.nextSetBit(c + 1)) {
      unfinished.clear(c);
      if (conns.state[c] == OPEN && !conns.blocked[c]) {
        send(c);
      }
    }
  }

  /** From here on no answer is taken: what was sent by then is forgotten, and what waited goes out by the way of the rest. */
  private void begin() {
    begun = true;
    beganNs = timing.steadyStartNs;
    for (int c : order) {
      if (conns.state[c] == OPEN) {
        for (int m = conns.unsent[c]; m != NONE; m = messages.next[m]) {
          waiting[c]++;
          counters.add(Counters.Of.SLOW_OWED_BYTES, codec.requestBytes(c));
        }
        counters.add(Counters.Of.SLOW_OWED_BYTES, -conns.written[c]);
        conns.sequence[c] += conns.inFlight[c];
        conns.inFlight[c] = 0;
        while (conns.first[c] != NONE) {
          messages.release(conns.removeFirst(c, messages));
        }
      }
    }
  }

  /** A message came due on a slow connection. */
  void due(int c) {
    if (conns.state[c] != OPEN) {
      return;
    }
    counters.add(Counters.Of.SLOW_OWED_BYTES, codec.requestBytes(c));
    waiting[c]++;
    if (!conns.blocked[c]) {
      send(c);
    }
  }

  /** The kernel tells of a slow connection: its end, or room in its socket. */
  void heard(int c, int mask) {
    if ((mask & (Epoll.RDHUP | Epoll.HUP | Epoll.ERR)) != 0) {
      ended(c);
    } else if (conns.blocked[c] && (mask & Epoll.OUT) != 0) {
      conns.blocked[c] = false;
      send(c);
    }
  }

  private void send(int c) {
    for (int i = 0; waiting[c] > 0; i++) {
      if (i == BURST) {
        unfinished.set(c);
        return;
      }
      if (!sentOne(c)) {
        return;
      }
    }
  }

  /** Sends one message from where it stands; false if that did not finish it. */
  private boolean sentOne(int c) {
    int bytes = codec.requestBytes(c);
    long key = Payload.key(salt, slice.global(c), conns.sequence[c]);
    while (conns.written[c] < bytes) {
      int from = conns.written[c];
      int piece = Math.min(bytes - from, EventLoop.BUFFER_BYTES);
      codec.request(buffer, c, key, from, piece);
      int n = sys.write(conns.fd[c], buffer, piece);
      if (n < 0) {
        conns.blocked[c] = true;
        if (n != -Errno.EAGAIN) {
          ended(c);
        }
        return false;
      }
      conns.written[c] = from + n;
      counters.add(Counters.Of.SLOW_SENT_BYTES, n);
    }
    conns.written[c] = 0;
    conns.sequence[c]++;
    waiting[c]--;
    return true;
  }

  private void read(int c) {
    if (conns.state[c] != OPEN) {
      return;
    }
    int n = sys.read(conns.fd[c], buffer, pace.pieceBytes());
    if (n > 0) {
      counters.add(Counters.Of.SLOW_READ_BYTES, n);
    } else if (n != -Errno.EAGAIN) {
      ended(c);
    }
  }

  private void ended(int c) {
    closer.abandon(c, true);
    unfinished.clear(c);
    counters.add(Counters.Of.SLOW_READERS_ENDED, 1);
    if (!timing.finish) {
      recorders.record(TimeKind.SLOW_READER_ENDED, System.nanoTime() - timing.steadyStartNs);
    }
  }

  /** What is left of them when the steady state is over. */
  private void measure() {
    measured = true;
    long open = 0;
    long bytes = 0;
    for (int c : order) {
      if (conns.state[c] == OPEN) {
        open++;
        bytes += Math.max(0, sys.queueBytes(conns.fd[c]));
      }
    }
    counters.set(Counters.Of.SLOW_READERS_OPEN, open);
    counters.set(Counters.Of.SLOW_CLIENT_BYTES, bytes);
  }

  /** Bytes this keeps in arrays. */
  long arrayBytes() {
    return 4L * order.length + 4L * waiting.length;
  }
}
