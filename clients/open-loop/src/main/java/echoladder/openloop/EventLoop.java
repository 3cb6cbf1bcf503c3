package echoladder.openloop;

import static echoladder.openloop.Connections.CONNECTING;
import static echoladder.openloop.Connections.DEAD;
import static echoladder.openloop.Connections.OPEN;
import static echoladder.openloop.Connections.VERIFYING;
import static echoladder.openloop.Messages.NONE;

import echoladder.linux.Epoll;
import echoladder.linux.Errno;
import echoladder.linux.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.function.IntConsumer;

/**
 * One thread that holds a slice of the load's connections: it opens them, sends what is due when it is due, takes the
 * echoes and keeps the times. It allocates nothing per echo and logs nothing.
 *
 * <p>Sockets are watched edge-triggered for everything at once, so that a connection costs one epoll_ctl in its life,
 * and the kernel does not look again at each socket that was just drained.
 */
final class EventLoop implements Runnable {
  /** A send that is later than this through the client's own fault is counted as late. */
  static final long LATE_NS = 1_000_000;

  private static final int EVENTS = 512;
  private static final int BUFFER_BYTES = 64 << 10;
  // Sends and connects made before the loop looks at its sockets again.
  private static final int BURST = 64;
  // TCP_NODELAY is read back from one connection in so many.
  private static final int NODELAY_SAMPLE = 100;
  // How long the loop sleeps when nothing is due: how late it may see a new phase.
  private static final long IDLE_NS = 10_000_000;

  final Slice slice;
  final Tally tally = new Tally();
  final Recorders recorders = new Recorders(tally);
  private final Timing timing;
  private final SystemCalls sys = new SystemCalls();
  private final Connections conns;
  private final Messages messages;
  private final Wire wire;
  private final Ramp ramp;
  private final Agenda agenda;
  private final Account account;
  private final Failures failures;
  private final int maxInFlight;
  private final MemorySegment in = Arena.ofAuto().allocate(BUFFER_BYTES, 64);
  private final MemorySegment out = Arena.ofAuto().allocate(BUFFER_BYTES, 64);
  // Kept, as a method reference made per turn would be garbage.
  private final IntConsumer timeOut = this::timeOut;
  /** TCP_NODELAY was read back as on, each time it was looked at. */
  volatile boolean nodelay = true;
  private boolean finished;

  EventLoop(LoopPlan plan, Timing timing, Failures failures) {
    this.slice = plan.slice();
    this.timing = timing;
    this.failures = failures;
    int n = slice.connections();
    this.conns = new Connections(n);
    this.messages = new Messages(Math.clamp(n, 64, 4096));
    this.wire = plan.wire(n, failures);
    this.agenda = plan.agenda(timing);
    this.account = new Account(timing, plan.open(), tally, recorders, plan.book(timing));
    this.maxInFlight = plan.inFlight();
    this.ramp = new Ramp(plan, conns, messages, sys, timing);
  }

  /** The book of what counts, for the thread that runs the load. */
  Book book() {
    return account.book;
  }

  @Override
  public void run() {
    sys.timerSlackNs(1);
    try (Epoll epoll = Epoll.open(sys, EVENTS)) {
      while (!timing.close) {
        turn(epoll);
      }
    } finally {
      closeAll();
    }
  }

  private void turn(Epoll epoll) {
    long now = System.nanoTime();
    now = openDue(epoll, now);
    now = sendDue(now, BURST);
    if (timing.finish && !finished) {
      finished = true;
      // Not the time at which this turn began: that may have been before the end of the drain.
      Settlement.of(conns, messages, agenda, timing, System.nanoTime(), account, tally);
      tally.set(
          Tally.Of.ARRAY_BYTES,
          conns.arrayBytes() + messages.arrayBytes() + wire.arrayBytes() + agenda.arrayBytes());
      tally.set(Tally.Of.SETTLED, 1);
    }
    // A send still to come counts too: a drain that looks before this loop has reached the end of the schedule must wait.
    tally.set(Tally.Of.OUTSTANDING, messages.used() + (agenda.nextNs() == Timing.UNKNOWN ? 0 : 1));
    tally.set(Tally.Of.PENDING, ramp.pending());
    long timeout = Math.clamp(Math.min(agenda.nextNs(), ramp.nextNs()) - now, 0, IDLE_NS);
    int n = epoll.await(timeout);
    if (timeout > 0) {
      long woke = System.nanoTime();
      // An event may have ended the wait before its time; or it came while the process stood still beyond it.
      if ((n == 0 || woke - now > timeout) && timing.counts(woke)) {
        recorders.record(Kind.HICCUP, woke - now - timeout);
      }
    }
    for (int i = 0; i < n; i++) {
      // An answer is stamped when it has been read, so time spent on the events before it only lengthens its response
      // time; sends that come due meanwhile go first, as being late with them would falsify the load.
      if (handle(epoll.token(i), epoll.mask(i))) {
        sendDue(System.nanoTime(), 1);
      }
    }
  }

  private long openDue(Epoll epoll, long now) {
    if (timing.finish) {
      return now;
    }
    ramp.expire(now, timeOut);
    int left = ramp.giveUp();
    if (left > 0) {
      tally.add(Tally.Of.NOT_OPENED, left);
      failures.add("not begun, as too many connects had timed out", left);
    }
    for (int i = 0; i < BURST && ramp.due(now); i++) {
      int c = ramp.take();
      int r = ramp.open(c);
      if (r < 0) {
        conns.state[c] = DEAD;
        notOpened(ramp.failedCall(), r);
      } else {
        conns.state[c] = CONNECTING;
        int m = messages.take(ramp.intendedNs(c));
        messages.sentNs[m] = now;
        conns.append(c, m, messages);
        // On loopback the handshake is over by now, so the first message goes out at once, without a turn of epoll.
        trySending(c);
        if (conns.state[c] != DEAD) {
          r = epoll.add(conns.fd[c], Epoll.IN | Epoll.OUT | Epoll.RDHUP | Epoll.EDGE, c);
          if (r < 0) {
            abandon(c, false);
            notOpened("epoll_ctl", r);
          }
        }
      }
      now = System.nanoTime();
    }
    return now;
  }

  private void timeOut(int c) {
    abandon(c, false);
    tally.add(Tally.Of.TIMED_OUT, 1);
    failures.count("connect", Errno.ETIMEDOUT);
  }

  private void notOpened(String call, int errno) {
    tally.add(errno == -Errno.ECONNREFUSED ? Tally.Of.REFUSED : Tally.Of.NOT_OPENED, 1);
    failures.count(call, errno);
  }

  private void connected(int c, long now) {
    conns.state[c] = VERIFYING;
    if (c % NODELAY_SAMPLE == 0
        && sys.option(conns.fd[c], SystemCalls.IPPROTO_TCP, SystemCalls.TCP_NODELAY) <= 0) {
      nodelay = false;
    }
    recorders.record(Kind.CONNECT, now - ramp.intendedNs(c));
  }

  /** Sends what is due, at most {@code burst} messages; returns the time. */
  private long sendDue(long now, int burst) {
    long due;
    for (int i = 0; i < burst && (due = agenda.nextNs()) <= now; i++) {
      int c = agenda.take();
      account.due(c, due);
      if (conns.state[c] != OPEN) {
        account.failed(c, due);
        continue;
      }
      boolean free = conns.unsent[c] == NONE && conns.inFlight[c] < maxInFlight;
      int m = messages.take(due);
      conns.append(c, m, messages);
      if (free) {
        now = System.nanoTime();
        account.leaves(due, now);
        trySending(c);
      }
    }
    return now;
  }

  private void trySending(int c) {
    while (conns.unsent[c] != NONE && conns.inFlight[c] < maxInFlight && !conns.blocked[c]) {
      if (!write(c, conns.unsent[c])) {
        return;
      }
    }
  }

  /** Writes one message from where it stands; false if that did not finish it. */
  private boolean write(int c, int m) {
    int from = conns.written[c];
    int bytes = wire.requestBytes(c);
    long key = Payload.key(slice.global(c), conns.sequence[c] + conns.inFlight[c]);
    while (from < bytes) {
      int chunk = Math.min(bytes - from, BUFFER_BYTES);
      wire.request(out, c, key, from, chunk);
      long before = System.nanoTime();
      int n = sys.write(conns.fd[c], out, chunk);
      if (n < 0) {
        conns.written[c] = from;
        if (n == -Errno.EAGAIN) {
          conns.blocked[c] = true;
        } else {
          // On loopback a refusal has come by now, and this write is what brings the news of it.
          end(c, n == -Errno.ECONNREFUSED ? "connect" : "write", n);
        }
        return false;
      }
      if (conns.state[c] == CONNECTING) {
        connected(c, before);
      }
      if (from == 0 && conns.state[c] == OPEN) {
        messages.sentNs[m] = before;
      }
      from += n;
    }
    conns.written[c] = 0;
    conns.inFlight[c]++;
    conns.unsent[c] = messages.next[m];
    account.sent(messages.intendedNs[m]);
    return true;
  }

  /** Handles one event; whether that may have taken long enough to look at the schedule. */
  private boolean handle(int c, int mask) {
    if (!conns.alive(c)) {
      return false;
    }
    if (conns.state[c] == CONNECTING && (mask & (Epoll.OUT | Epoll.ERR | Epoll.HUP)) != 0) {
      int error = sys.option(conns.fd[c], SystemCalls.SOL_SOCKET, SystemCalls.SO_ERROR);
      if (error != 0) {
        abandon(c, false);
        notOpened("connect", -Math.abs(error));
        return true;
      }
      connected(c, System.nanoTime());
    }
    boolean ended = (mask & (Epoll.RDHUP | Epoll.HUP | Epoll.ERR)) != 0;
    if ((mask & Epoll.IN) != 0 || ended) {
      read(c, ended);
    }
    if (conns.blocked[c] && (mask & Epoll.OUT) != 0 && conns.alive(c)) {
      conns.blocked[c] = false;
      trySending(c);
    }
    return (mask & Epoll.IN) != 0;
  }

  private void read(int c, boolean toTheEnd) {
    int n;
    do {
      n = sys.read(conns.fd[c], in, BUFFER_BYTES);
      long now = System.nanoTime();
      if (n > 0) {
        take(c, n, now);
      } else if (n != -Errno.EAGAIN) {
        end(c, "read", n);
      }
      // Edge-triggered: a full buffer may have left bytes behind, and after FIN there is no further edge.
    } while (n > 0 && conns.alive(c) && (n == BUFFER_BYTES || toTheEnd));
  }

  private void take(int c, int n, long now) {
    int at = 0;
    while (at < n) {
      // The echo of a large message begins before all of it could be written; it cannot end before.
      boolean asked = conns.inFlight[c] > 0;
      if (asked || conns.written[c] > 0) {
        at = wire.take(c, Payload.key(slice.global(c), conns.sequence[c]), in, at, n);
      }
      if (!asked && (conns.written[c] == 0 || wire.complete())) {
        // Bytes that answer nothing: the stream is out of step for good.
        tally.add(Tally.Of.MISMATCHES, 1);
        failures.count("surplus bytes from the server");
        drop(c);
        return;
      }
      if (wire.complete()) {
        answered(c, wire.answer(), now);
        if (!conns.alive(c)) {
          return;
        }
      }
    }
    trySending(c);
  }

  private void answered(int c, Answer answer, long now) {
    int m = conns.removeFirst(c, messages);
    long intended = messages.intendedNs[m];
    long sent = messages.sentNs[m];
    messages.release(m);
    conns.inFlight[c]--;
    conns.sequence[c]++;
    if (answer != Answer.RIGHT) {
      account.notRight(c, answer, intended, sent, now);
      notRight(c, answer, now);
      return;
    }
    tally.add(Tally.Of.ANSWERED_EVER, 1);
    if (conns.state[c] == VERIFYING) {
      conns.state[c] = OPEN;
      ramp.ended();
      tally.add(Tally.Of.ESTABLISHED, 1);
      recorders.record(Kind.FIRST_ECHO, now - intended);
    } else {
      account.answered(c, intended, sent, now);
      agenda.answered(c, now);
    }
  }

  private void notRight(int c, Answer answer, long now) {
    boolean verifying = conns.state[c] == VERIFYING;
    if (verifying) {
      failures.count("first echo " + answer.name().toLowerCase(Locale.ROOT));
    }
    if (verifying || answer == Answer.BROKEN) {
      drop(c);
    } else {
      agenda.answered(c, now);
    }
  }

  /** The peer ended the connection: {@code errno} 0 by FIN, else by what the call said. */
  private void end(int c, String call, int errno) {
    if (errno == 0 && conns.inFlight[c] > 0 && wire.endedBy(c)) {
      answered(c, wire.answer(), System.nanoTime());
      if (!conns.alive(c)) {
        return;
      }
    }
    byte state = conns.state[c];
    abandon(c, state == OPEN);
    if (errno == 0) {
      failures.count("closed by the server" + (state == OPEN ? "" : " before the first echo"));
    } else {
      failures.count(call, errno);
    }
    if (state == OPEN) {
      tally.add(errno == 0 ? Tally.Of.LOST : Tally.Of.RESET, 1);
    } else {
      tally.add(errno == -Errno.ECONNREFUSED ? Tally.Of.REFUSED : Tally.Of.NOT_OPENED, 1);
    }
  }

  /** Gives up a connection whose stream cannot be trusted any more. */
  private void drop(int c) {
    boolean open = conns.state[c] == OPEN;
    abandon(c, open);
    tally.add(open ? Tally.Of.LOST : Tally.Of.NOT_OPENED, 1);
  }

  private void abandon(int c, boolean wasOpen) {
    sys.close(conns.fd[c]);
    if (!wasOpen) {
      ramp.ended();
    }
    conns.state[c] = DEAD;
    agenda.lost(c);
    while (conns.first[c] != NONE) {
      int m = conns.removeFirst(c, messages);
      if (wasOpen) {
        account.failed(c, messages.intendedNs[m]);
      }
      messages.release(m);
    }
  }

  private void closeAll() {
    for (int c = 0; c < conns.fd.length; c++) {
      if (conns.alive(c)) {
        sys.close(conns.fd[c]);
        conns.state[c] = DEAD;
      }
    }
  }
}
