package echoladder.openloop;

import static echoladder.openloop.Connections.OPEN;
import static echoladder.openloop.Connections.VERIFYING;

import java.lang.foreign.MemorySegment;
import java.util.Locale;

/** What becomes of the bytes that a loop has read: answers, what the server says unasked, and ends. Belongs to the loop's thread. */
final class Hearing {
  private final Slice slice;
  private final long salt;
  private final Connections conns;
  private final Messages messages;
  private final Wire wire;
  private final Tally tally;
  private final Recorders recorders;
  private final Ramp ramp;
  private final Reopening reopening;
  private final Agenda agenda;
  private final Account account;
  private final Failures failures;
  private final Endings endings;
  private final Sending sending;
  private final Arrivals arrivals;
  /** When the last answer that was taken had arrived: from then on its connection was free for the next message. */
  private long freedNs;

  Hearing(
      LoopPlan plan, Connections conns, Messages messages, Wire wire, Tally tally, Recorders recorders, Ramp ramp, Reopening reopening,
      Agenda agenda, Account account, Failures failures, Endings endings, Sending sending, Arrivals arrivals) {
    this.slice = plan.slice();
    this.salt = plan.salt();
    this.conns = conns;
    this.messages = messages;
    this.wire = wire;
    this.tally = tally;
    this.recorders = recorders;
    this.ramp = ramp;
    this.reopening = reopening;
    this.agenda = agenda;
    this.account = account;
    this.failures = failures;
    this.endings = endings;
    this.sending = sending;
    this.arrivals = arrivals;
  }

  /** Takes {@code n} bytes of a connection that were read by {@code now}, and sends what waited for them. */
  void take(int c, MemorySegment in, int n, long now) {
    int at = 0;
    freedNs = now;
    while (at < n) {
      // The echo of a large message begins before all of it could be written; it cannot end before.
      boolean asked = conns.inFlight[c] > 0;
      boolean heard = asked || conns.written[c] > 0 || wire.speaksUnasked();
      if (heard) {
        at = wire.take(c, Payload.key(salt, slice.global(c), conns.sequence[c]), in, at, n);
        if (!wire.complete()) {
          continue;
        }
        if (wire.answer() == Answer.ENDED) {
          saidToEnd(c, now);
          return;
        }
      }
      if (!asked) {
        surplus(c, heard && wire.answer() == Answer.BROKEN);
        return;
      }
      answered(c, wire.answer(), now, at < n || n == EventLoop.BUFFER_BYTES);
      if (!conns.alive(c)) {
        return;
      }
    }
    sending.trySending(c, freedNs);
  }

  /** The server said that it ends the connection, or refused it; that has an answer, which may not go out any more. */
  private void saidToEnd(int c, long now) {
    sending.trySending(c, now);
    if (conns.alive(c)) {
      endings.asSaid(c);
    }
  }

  /** Bytes that answer nothing: the stream is out of step for good. */
  private void surplus(int c, boolean counted) {
    tally.add(Tally.Of.MISMATCHES, 1);
    if (!counted) {
      failures.count("surplus bytes from the server");
    }
    endings.drop(c);
  }

  /** The oldest message of a connection was answered; {@code shared}: its last byte may not be the last that arrived by the stamp. */
  private void answered(int c, Answer answer, long now, boolean shared) {
    int m = conns.removeFirst(c, messages);
    long intended = messages.intendedNs[m];
    long sent = messages.sentNs[m];
    long late = messages.lateNs[m];
    long arrived = arrivals.arrivedNs(sent, now);
    account.times.answered(intended, messages.freedNs[m], sent, arrived, now);
    freedNs = account.times.arrivedNs();
    messages.release(m);
    conns.inFlight[c]--;
    conns.sequence[c]++;
    if (answer != Answer.RIGHT) {
      account.notRight(c, answer, reopening.again(c));
      notRight(c, answer, now);
      return;
    }
    if (conns.state[c] == VERIFYING && reopening.again(c)) {
      // The first echo of a connection opened anew is none of the load's: nothing of the load may be made up for by it.
      conns.state[c] = OPEN;
      ramp.verified();
      reopening.verified(c, now);
      sending.openAgain(c, now);
      return;
    }
    tally.add(Tally.Of.ANSWERED_EVER, 1);
    if (conns.state[c] == VERIFYING) {
      conns.state[c] = OPEN;
      ramp.verified();
      tally.add(Tally.Of.ESTABLISHED, 1);
      recorders.record(Kind.FIRST_ECHO, now - intended);
    } else {
      if (arrived == Arrivals.UNKNOWN && arrivals.stamped()) {
        account.stampDropped(intended);
      }
      account.answered(c, late, shared);
      agenda.answered(c, now);
    }
  }

  private void notRight(int c, Answer answer, long now) {
    boolean verifying = conns.state[c] == VERIFYING;
    if (verifying) {
      failures.count("first echo " + answer.name().toLowerCase(Locale.ROOT));
    }
    if (verifying || answer == Answer.BROKEN) {
      endings.drop(c);
    } else {
      agenda.answered(c, now);
    }
  }

  /** The peer ended the connection: {@code errno} 0 by FIN, else by what the call said. */
  void end(int c, String call, int errno) {
    if (errno == 0 && conns.inFlight[c] > 0 && wire.endedBy(c)) {
      answered(c, wire.answer(), System.nanoTime(), false);
      if (!conns.alive(c)) {
        return;
      }
    }
    endings.byPeer(c, call, errno);
  }
}
