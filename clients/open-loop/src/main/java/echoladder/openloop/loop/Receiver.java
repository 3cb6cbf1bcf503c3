package echoladder.openloop.loop;

import static echoladder.openloop.loop.Connections.OPEN;
import static echoladder.openloop.loop.Connections.VERIFYING;

import echoladder.client.schedule.Slice;
import echoladder.openloop.codec.Codec;
import echoladder.openloop.codec.Delivery;
import echoladder.openloop.codec.Payload;
import echoladder.openloop.result.Answer;
import echoladder.openloop.result.Counters;
import echoladder.openloop.result.Failures;
import echoladder.openloop.result.MessageTimes;
import echoladder.openloop.result.Recorders;
import echoladder.openloop.result.TimeKind;
import echoladder.openloop.schedule.Pacer;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What becomes of the bytes that a loop has read: answers, what the server says unasked, and ends. Belongs to the loop's thread. */
final class Receiver {
  private final Slice slice;
  private final long salt;
  private final Connections conns;
  private final Messages messages;
  private final Codec codec;
  private final Counters counters;
  private final Recorders recorders;
  private final Ramp ramp;
  private final Reconnector reconnector;
  private final Pacer pacer;
  private final MessageStats stats;
  private final Failures failures;
  private final ConnectionCloser closer;
  private final Sender sender;
  private final Arrivals arrivals;
  private final Wire wire;
  /** When the last answer that was taken had arrived: from then on its connection was free for the next message. */
  private long freedNs;
  /** Answers that came before their request was sent whole, and wait for its end, by connection: rare, so no array. */
  private final Map<Integer, Early> early = new HashMap<>();

  /** What a server pushes; null where it does not. */
  private @Nullable Subscribers subscribers;

  /** An answer, when it had been read, and when it had arrived. */
  private record Early(Answer answer, long readNs, long arrivedNs) {}

  Receiver(
      LoopConnections connections, Arrivals arrivals, LoopSchedule schedule, LoopResults results, ConnectionCloser closer, Sender sender) {
    this.slice = connections.plan().slice();
    this.salt = connections.plan().salt();
    this.conns = connections.conns();
    this.messages = connections.messages();
    this.codec = connections.codec();
    this.arrivals = arrivals;
    this.wire = connections.wire();
    this.pacer = schedule.pacer();
    this.ramp = schedule.ramp();
    this.reconnector = schedule.reconnector();
    this.counters = results.counters();
    this.recorders = results.recorders();
    this.failures = results.failures();
    this.stats = results.stats();
    this.closer = closer;
    this.sender = sender;
  }

  /** Has what the server pushes accounted for. */
  void deliverTo(@Nullable Subscribers pushed) {
    subscribers = pushed;
  }

  /** Takes {@code n} bytes of a connection that were read by {@code now}, and sends what waited for them. */
  void take(int c, MemorySegment in, int n, long now) {
    int at = 0;
    freedNs = now;
    while (at < n) {
      // The echo of a large message begins before all of it could be written; it cannot end before.
      boolean asked = conns.inFlight[c] > 0;
      boolean begun = conns.written[c] > 0;
      boolean heard = asked || begun || codec.speaksUnasked(c, in, at, n);
      if (heard) {
        at = codec.take(c, Payload.key(salt, slice.global(c), conns.sequence[c]), in, at, n);
        if (!codec.complete()) {
          Delivery pushed = codec.delivery();
          if (pushed != null && subscribers != null) {
            subscribers.took(c, pushed, at < n || wire.beyond(c), now);
          }
          continue;
        }
        if (codec.answer() == Answer.ENDED) {
          saidToEnd(c, now);
          return;
        }
      }
      if (!asked && !(heard && unasked(c, begun, now))) {
        surplus(c, heard && codec.answer() == Answer.BROKEN);
        return;
      }
      if (asked) {
        answered(c, codec.answer(), now, arrivedNs(c, codec.answer(), now), at < n || wire.beyond(c));
        closeAsSaid(c);
      }
      if (!conns.alive(c)) {
        return;
      }
    }
    sender.trySending(c, freedNs);
  }

  /**
   * An answer came before its request was sent whole, or without one. Whether that is allowed: RFC 9112, 9.3, has a server answer as
   * early as it likes, and one may refuse an idle connection.
   */
  private boolean unasked(int c, boolean begun, long now) {
    Answer answer = codec.answer();
    if (!codec.answersEarly() || answer == Answer.BROKEN || early.containsKey(c) || (!begun && answer != Answer.DECLINED)) {
      return false;
    }
    if (!begun) {
      closer.asSaid(c);
    } else if (codec.closes() || (conns.state[c] == VERIFYING && answer != Answer.RIGHT)) {
      // Nobody reads the rest of the request.
      answered(c, answer, now, arrivedNs(c, answer, now), false);
      closeAsSaid(c);
    } else {
      early.put(c, new Early(answer, now, arrivedNs(c, answer, now)));
    }
    return true;
  }

  /** A client has to close what its server says to close (RFC 9112, 9.6): a further request could only be lost. */
  private void closeAsSaid(int c) {
    if (codec.closes() && conns.alive(c)) {
      closer.asSaid(c);
    }
  }

  /** A request was sent whole: if its answer came before, it counts now. */
  void requestSent(int c) {
    Early answer = early.isEmpty() ? null : early.remove(c);
    if (answer != null) {
      answered(c, answer.answer, answer.readNs, answer.arrivedNs, false);
    }
  }

  /** Forgets what a connection was in, as another takes its place. */
  void restart(int c) {
    early.remove(c);
    codec.restart(c);
  }

  /** The server said that it ends the connection, or refused it; that has an answer, which may not go out any more. */
  private void saidToEnd(int c, long now) {
    sender.trySending(c, now);
    if (conns.alive(c)) {
      closer.asSaid(c);
    }
  }

  /** Bytes that answer nothing: the stream is out of step for good. */
  private void surplus(int c, boolean counted) {
    counters.add(Counters.Of.MISMATCHES, 1);
    if (!counted) {
      failures.count("surplus bytes from the server");
    }
    closer.drop(c, "wrong echo");
  }

  /** When the answer to the oldest message of a connection, read by {@code now}, had arrived. */
  private long arrivedNs(int c, Answer answer, long now) {
    int m = conns.first[c];
    long arrived = arrivals.arrivedNs(messages.sentNs[m], now);
    if (arrived == MessageTimes.UNKNOWN && arrivals.stamped() && answer == Answer.RIGHT && conns.state[c] != VERIFYING) {
      stats.stampDropped(messages.intendedNs[m]);
    }
    return arrived;
  }

  /** The oldest message of a connection was answered; {@code shared}: its last byte may not be the last that arrived by the stamp. */
  private void answered(int c, Answer answer, long now, long arrived, boolean shared) {
    int m = conns.removeFirst(c, messages);
    long intended = messages.intendedNs[m];
    long sent = messages.sentNs[m];
    stats.times.answered(intended, messages.freedNs[m], sent, arrived, now);
    freedNs = stats.times.arrivedNs();
    messages.release(m);
    if (conns.inFlight[c] > 0) {
      conns.inFlight[c]--;
    }
    conns.sequence[c]++;
    if (answer != Answer.RIGHT) {
      stats.notRight(c, answer, reconnector.again(c));
      notRight(c, answer, now);
      return;
    }
    if (conns.state[c] == VERIFYING && reconnector.again(c)) {
      // The first echo of a connection opened anew is none of the load's: nothing of the load may be made up for by it.
      conns.state[c] = OPEN;
      ramp.verified();
      reconnector.verified(c, now);
      sender.openAgain(c, now);
      return;
    }
    counters.add(Counters.Of.ANSWERED_EVER, 1);
    if (conns.state[c] == VERIFYING) {
      conns.state[c] = OPEN;
      ramp.verified();
      counters.add(Counters.Of.ESTABLISHED, 1);
      recorders.record(TimeKind.FIRST_ECHO, now - intended);
    } else {
      stats.answered(c, shared);
      pacer.answered(c, now);
    }
  }

  private void notRight(int c, Answer answer, long now) {
    if (conns.state[c] == VERIFYING) {
      String cause = "first echo " + answer.name().toLowerCase(Locale.ROOT);
      failures.count(cause);
      closer.drop(c, cause);
    } else if (answer == Answer.BROKEN) {
      closer.drop(c, "wrong echo");
    } else {
      pacer.answered(c, now);
    }
  }

  /** The peer ended the connection: {@code errno} 0 by FIN, else by what the call said. */
  void end(int c, String call, int errno) {
    lastAnswer(c, errno == 0);
    if (conns.alive(c)) {
      closer.byPeer(c, call, errno);
    }
  }

  /** Nothing more will come on a connection: an answer that lasts until its end, by FIN, is complete, and one that was early counts. */
  void lastAnswer(int c, boolean byFin) {
    boolean asked = conns.inFlight[c] > 0 || (conns.written[c] > 0 && codec.answersEarly());
    if (early.containsKey(c)) {
      requestSent(c);
    } else if (byFin && asked && codec.endedBy(c)) {
      long now = System.nanoTime();
      answered(c, codec.answer(), now, arrivedNs(c, codec.answer(), now), false);
    }
  }
}
