package echoladder.openloop.loop;

import static echoladder.openloop.loop.Connections.CONNECTING;
import static echoladder.openloop.loop.Connections.DEAD;

import echoladder.client.schedule.Slice;
import echoladder.linux.Errno;
import echoladder.linux.UserMode;
import echoladder.linux.sockets.Epoll;
import echoladder.linux.sockets.SystemCalls;
import echoladder.openloop.codec.Codec;
import echoladder.openloop.publish.PublishLog;
import echoladder.openloop.result.Counters;
import echoladder.openloop.result.Failures;
import echoladder.openloop.result.FirstEcho;
import echoladder.openloop.result.MessageObserver;
import echoladder.openloop.result.Recorders;
import echoladder.openloop.schedule.Pacer;
import echoladder.openloop.schedule.Timing;
import java.util.BitSet;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One thread that holds a slice of the load's connections: it opens them, sends what is due when it is due, takes the
 * echoes and keeps the times. It allocates nothing per echo and logs nothing.
 *
 * <p>Sockets are watched edge-triggered for everything at once, so that a connection costs one epoll_ctl in its life,
 * and the kernel does not look again at each socket that was just drained.
 */
public final class EventLoop implements Runnable {
  /** A send that is later than this through the client's own fault is counted as late. */
  static final long LATE_NS = 1_000_000;

  private static final int EVENTS = 512;
  public static final int BUFFER_BYTES = 64 << 10;
  // Sends and connects made before the loop looks at its sockets again.
  private static final int BURST = 64;
  // Reads of one connection before the loop looks at the others again.
  private static final int READS = 4;

  public final Slice slice;
  public final Counters counters = new Counters();
  public final Recorders recorders = new Recorders(counters);
  private final Timing timing;
  private final SystemCalls sys = new SystemCalls();
  private final Connections conns;
  private final Messages messages;
  private final Codec codec;
  private final Wire wire;
  private final Ramp ramp;
  private final RollCall rollCall;
  private final Reconnector reconnector;
  private final Pacer pacer;
  private final MessageStats stats;
  private final ConnectionCloser closer;
  private final SlowConnections slow;
  private final Sender sender;
  private final Receiver receiver;
  private final Arrivals arrivals;
  private final @Nullable Subscribers subscribers;
  // Kept, as one made per turn would be garbage.
  private final IntConsumer timedOut;
  // Connections with more to read than a turn takes; edge-triggered epoll does not tell of those again.
  private final BitSet unread = new BitSet();
  private final LoopClock clock = new LoopClock(UserMode.here());
  private final long spinNs;
  private boolean finished;
  private int announced;

  public EventLoop(LoopPlan plan, Codec codec, Timing timing, Failures failures) {
    this(plan, codec, timing, failures, null);
  }

  /** A loop of subscribers, where {@code log} has what is published to them. */
  public EventLoop(LoopPlan plan, Codec codec, Timing timing, Failures failures, @Nullable PublishLog log) {
    this.slice = plan.slice();
    this.timing = timing;
    this.spinNs = plan.spinNs();
    int n = slice.connections();
    this.conns = new Connections(n);
    this.messages = new Messages(Math.clamp(n, 64, 4096));
    this.codec = codec;
    this.pacer = plan.pacer(timing);
    this.stats = new MessageStats(timing, plan, counters, recorders, plan.observer(timing, recorders));
    this.arrivals = new Arrivals(plan.stamps(), UserMode.here(), sys, failures);
    this.ramp = new Ramp(plan, conns, messages, sys, arrivals, timing);
    this.rollCall = new RollCall(plan, timing);
    this.wire = plan.wire(sys, conns, arrivals, counters);
    LoopConnections connections = new LoopConnections(plan, sys, clock, conns, messages, codec, wire);
    LoopResults results = new LoopResults(counters, recorders, failures, stats);
    this.reconnector = new Reconnector(connections, timing, results);
    LoopSchedule schedule = new LoopSchedule(pacer, ramp, rollCall, reconnector);
    this.closer = new ConnectionCloser(connections, schedule, results);
    this.slow = new SlowConnections(connections, timing, results, closer);
    this.sender = new Sender(connections, schedule, stats, closer, new Heard(), slow);
    this.receiver = new Receiver(connections, arrivals, schedule, results, closer, sender);
    this.subscribers = Subscribers.of(connections, arrivals, timing, results, log);
    receiver.deliverTo(subscribers);
    this.timedOut = c -> closer.timedOut(c, FirstEcho.missing(conns.state[c] != CONNECTING, codec.unended(c)));
  }

  /** Whether TCP_NODELAY was read back as on, each time it was looked at. */
  public boolean nodelay() {
    return sender.nodelay;
  }

  /** What the server pushed to this loop's connections; null where it pushes nothing. */
  public @Nullable Subscribers subscribers() {
    return subscribers;
  }

  /** The observer of the messages that count, for the thread that runs the load. */
  public MessageObserver observer() {
    return stats.observer;
  }

  @Override
  public void run() {
    sys.timerSlackNs(1);
    try (Epoll epoll = Epoll.open(sys, EVENTS)) {
      Waiting waiting = new Waiting(epoll, timing, recorders, spinNs);
      while (!timing.close) {
        turn(epoll, waiting);
      }
    } finally {
      closer.all();
      wire.end();
    }
  }

  private void turn(Epoll epoll, Waiting waiting) {
    if (timing.announced != announced) {
      announced = timing.announced;
      stats.anew();
    }
    long now = openDue(epoll, clock.turn());
    now = openAnew(epoll, now);
    slow.turn(now);
    sender.due(now, BURST);
    sender.call(now, BURST);
    if (timing.finish && !finished && (subscribers == null || subscribers.ready())) {
      finished = true;
      // Not the time at which this turn began: that may have been before the end of the drain.
      new DrainAccounting(conns, messages, pacer, stats, slow.all()).account(timing, System.nanoTime(), counters);
      long bytes = conns.arrayBytes() + messages.arrayBytes() + codec.arrayBytes() + pacer.arrayBytes() + reconnector.arrayBytes()
          + slow.arrayBytes() + wire.arrayBytes();
      if (subscribers != null) {
        subscribers.account(System.nanoTime());
        bytes += subscribers.arrayBytes();
      }
      counters.set(Counters.Of.ARRAY_BYTES, bytes);
      counters.set(Counters.Of.SETTLED, 1);
    }
    // A send still to come counts too: a drain that looks before this loop has reached the end of the schedule must wait.
    long outstanding = (long) messages.used() + (pacer.nextNs() == Timing.UNKNOWN ? 0 : 1);
    // What is due to subscribers the publisher counts.
    counters.set(Counters.Of.OUTSTANDING, subscribers == null ? outstanding : outstanding - subscribers.taken());
    counters.set(Counters.Of.PENDING, ramp.pending());
    int n = unread.isEmpty() ? waiting.until(nextNs()) : waiting.look();
    clock.waited();
    if (n > 0 || !unread.isEmpty()) {
      arrivals.turn();
    }
    for (int i = 0; i < n; i++) {
      // An answer is stamped when it has been read, so time spent on the events before it only lengthens its response
      // time; sends that come due meanwhile go first, as being late with them would falsify the load.
      if (handle(epoll.token(i), epoll.mask(i))) {
        sender.dueByNow();
      }
    }
    for (int c = unread.nextSetBit(0); c >= 0; c = unread.nextSetBit(c + 1)) {
      unread.clear(c);
      if (conns.alive(c) && !slow.pauses(c)) {
        read(c, true);
        sender.dueByNow();
      }
    }
  }

  private long nextNs() {
    long ofLoad = Math.min(Math.min(pacer.nextNs(), reconnector.nextNs()), Math.min(ramp.nextNs(), rollCall.nextNs()));
    return Math.min(ofLoad, slow.nextNs());
  }

  private long openDue(Epoll epoll, long now) {
    if (timing.finish) {
      return now;
    }
    ramp.expire(now, timedOut);
    int left = ramp.giveUp();
    if (left > 0) {
      closer.notBegun(left);
    }
    int begun = 0;
    for (; begun < BURST && ramp.due(now); begun++) {
      int c = ramp.take();
      begin(epoll, c, ramp.intendedNs(c), now);
    }
    return begun == 0 ? now : clock.now();
  }

  /** Ends connections whose life is over, and opens those that take the place of others. */
  private long openAnew(Epoll epoll, long now) {
    for (int c = reconnector.overdue(0, now); c >= 0; c = reconnector.overdue(c + 1, now)) {
      timedOut.accept(c);
    }
    reconnector.end(now, BURST);
    for (int i = 0; i < BURST && reconnector.due(now); i++) {
      int c = reconnector.take(now);
      unread.clear(c);
      receiver.restart(c);
      begin(epoll, c, reconnector.endedNs(c), now);
      now = clock.now();
    }
    return now;
  }

  /** Begins to connect, and sends the first message where that can go at once. */
  private void begin(Epoll epoll, int c, long intendedNs, long now) {
    int r = ramp.open(c);
    if (r < 0) {
      conns.state[c] = DEAD;
      closer.notOpened(c, ramp.failedCall(), r);
      return;
    }
    conns.state[c] = CONNECTING;
    int m = messages.take(intendedNs);
    messages.sentNs[m] = now;
    conns.append(c, m, messages);
    // On loopback the handshake is over by now, so the first message goes out at once, without a turn of epoll.
    sender.trySending(c, now);
    if (conns.state[c] != DEAD) {
      r = epoll.add(conns.fd[c], Epoll.IN | Epoll.OUT | Epoll.RDHUP | Epoll.EDGE, c);
      if (r < 0) {
        closer.abandon(c, false);
        closer.notOpened(c, "epoll_ctl", r);
      }
    }
  }

  /** Handles one event; whether that may have taken long enough to look at the schedule. */
  private boolean handle(int c, int mask) {
    if (!conns.alive(c)) {
      return false;
    }
    if (slow.pauses(c)) {
      slow.heard(c, mask);
      return false;
    }
    if (conns.state[c] == CONNECTING && (mask & (Epoll.OUT | Epoll.ERR | Epoll.HUP)) != 0) {
      int error = sys.option(conns.fd[c], SystemCalls.SOL_SOCKET, SystemCalls.SO_ERROR);
      if (error != 0) {
        closer.abandon(c, false);
        closer.notOpened(c, "connect", -Math.abs(error));
        return true;
      }
      sender.connected(c, clock.now());
    }
    boolean ended = (mask & (Epoll.RDHUP | Epoll.HUP | Epoll.ERR)) != 0;
    if ((mask & Epoll.IN) != 0 || ended) {
      read(c, ended);
    }
    if (conns.blocked[c] && (mask & Epoll.OUT) != 0 && conns.alive(c)) {
      // The server made room: what has waited for that without an attempt has waited for the server.
      sender.room(c, clock.now());
    }
    return (mask & Epoll.IN) != 0;
  }

  private void read(int c, boolean toTheEnd) {
    boolean came;
    int reads = 0;
    do {
      if (reads++ == READS) {
        unread.set(c);
        return;
      }
      int n = wire.read(c);
      long now = clock.now();
      came = n > 0 || n == Wire.PROGRESS;
      if (n > 0) {
        receiver.take(c, wire.buffer(), n, now);
      } else if (n == Wire.PROGRESS) {
        sender.trySending(c, now);
      } else if (n == Wire.FAILED) {
        closer.failed(c, wire.failure());
      } else if (n != -Errno.EAGAIN) {
        receiver.end(c, "read", n);
      }
      // Edge-triggered: a full buffer may have left bytes behind, and after FIN there is no further edge.
    } while (came && conns.alive(c) && (toTheEnd || wire.more(c)));
  }

  /** What sending finds out on a connection, told to what hears. */
  private final class Heard implements Sender.Heard {
    @Override
    public void lastWords(int c, boolean byFin) {
      int n;
      do {
        n = wire.read(c);
        if (n > 0) {
          receiver.take(c, wire.buffer(), n, clock.now());
        }
      } while ((n > 0 || n == Wire.PROGRESS) && conns.alive(c));
      if (conns.alive(c) && n == Wire.FAILED) {
        closer.failed(c, wire.failure());
      } else if (conns.alive(c)) {
        receiver.lastAnswer(c, byFin && n == 0);
      }
    }

    @Override
    public void requestSent(int c) {
      receiver.requestSent(c);
    }
  }
}
