package echoladder.openloop.loop;

import echoladder.openloop.result.Answer;
import echoladder.openloop.result.Counters;
import echoladder.openloop.result.MessageObserver;
import echoladder.openloop.result.MessageTimes;
import echoladder.openloop.result.Recorders;
import echoladder.openloop.result.TimeKind;
import echoladder.openloop.schedule.Timing;

/** What an event loop notes of the messages that its pacer made: counts and times. It tells its observer of them too. */
final class MessageStats {
  private final Timing timing;
  private final boolean open;
  private final Counters counters;
  private final Recorders recorders;
  final MessageObserver observer;
  /** Those of the message that is accounted for. */
  final MessageTimes times = new MessageTimes();
  private final boolean stamps;
  private final boolean bursts;
  private boolean settled;
  private long leftNs = Long.MIN_VALUE;

  /**
   * The figures of one loop.
   *
   * @param plan whether intended sends wait for no answer, so that there are response times, whether many are intended for one
   *     instant, and whether answers have stamps
   */
  MessageStats(Timing timing, LoopPlan plan, Counters counters, Recorders recorders, MessageObserver observer) {
    this.timing = timing;
    this.open = plan.open();
    this.bursts = plan.bursts();
    this.stamps = plan.stamps();
    this.counters = counters;
    this.recorders = recorders;
    this.observer = observer;
  }

  /** Forgets what counted, as the steady state begins later than was said. */
  void anew() {
    for (Counters.Of of : Counters.Of.values()) {
      if (of.ofSteady) {
        counters.set(of, 0);
      }
    }
    recorders.anew();
    observer.anew();
  }

  /** All that counts has been accounted for: what is answered from here on is late for it. */
  void settled() {
    settled = true;
  }

  /** A connection was made, so long after its intended connect. */
  void connected(long ns) {
    recorders.record(TimeKind.CONNECT, ns);
  }

  /** A message came due on a connection. */
  void due(int c, long intended) {
    if (timing.counts(intended)) {
      counters.add(Counters.Of.SCHEDULED, 1);
      observer.intended(c, intended);
    }
  }

  /** The first attempt to send it, {@code freed} as in {@link MessageTimes}. */
  void leaves(long intended, long freed, long sent) {
    if (!timing.counts(intended)) {
      return;
    }
    recorders.record(TimeKind.LATENESS, MessageTimes.latenessNs(intended, freed, sent));
    if (freed == MessageTimes.FREE) {
      observer.leaves(intended, sent);
      // Within a burst a send is due when the one before it has gone: only one can go at a time.
      if (sent - (bursts ? Math.max(intended, leftNs) : intended) > EventLoop.LATE_NS) {
        counters.add(Counters.Of.LATE, 1);
      }
      leftNs = sent;
    }
  }

  /**
   * It was written completely.
   *
   * @param again whether it verifies a connection opened anew, and so is none of the load's
   */
  void sent(long intended, boolean again) {
    if (again) {
      return;
    }
    counters.add(Counters.Of.SENT_EVER, 1);
    if (timing.counts(intended)) {
      counters.add(Counters.Of.SENT, 1);
    }
  }

  /** A right answer had a stamp that cannot be used. */
  void stampDropped(long intended) {
    if (!settled && timing.counts(intended)) {
      counters.add(Counters.Of.STAMPS_DROPPED, 1);
    }
  }

  /**
   * The message of {@link #times} was answered rightly, on a connection that had been verified before.
   *
   * @param shared whether more bytes came in the read that ended its answer
   */
  void answered(int c, boolean shared) {
    long intended = times.intendedNs();
    if (timing.ofRollCall(intended)) {
      counters.add(Counters.Of.PRESENT, 1);
      return;
    }
    if (settled) {
      return;
    }
    if (!timing.counts(intended)) {
      recorders.record(TimeKind.WARM_UP_RESPONSE, times.responseNs());
      return;
    }
    counters.add(Counters.Of.ANSWERED, 1);
    responded();
    recorders.record(TimeKind.SERVICE, times.serviceNs());
    if (stamps) {
      recorders.record(TimeKind.SERVER, times.serverNs());
    }
    if (times.stamped()) {
      recorders.record(TimeKind.RECEIVE_DELAY, times.receiveDelayNs());
      counters.add(Counters.Of.STAMPED, 1);
      counters.add(Counters.Of.STAMPS_SHARED, shared ? 1 : 0);
    }
    observer.answered(c, Answer.RIGHT, times);
  }

  private void responded() {
    if (open) {
      recorders.record(TimeKind.RESPONSE, times.responseNs());
    }
  }

  /** The message of {@link #times} was answered otherwise; {@code again} as in {@link #sent}. */
  void notRight(int c, Answer answer, boolean again) {
    if (answer != Answer.DECLINED) {
      counters.add(Counters.Of.MISMATCHES, 1);
    }
    if (!again && !settled && timing.counts(times.intendedNs())) {
      counters.add(Counters.Of.FAILED, 1);
      observer.answered(c, answer, times);
    }
  }

  /** A connection is asked for one more echo in the roll call. */
  void asked() {
    counters.add(Counters.Of.ASKED, 1);
  }

  /** It cannot be sent, or answered, as its connection is gone. */
  void failed(int c, long intended) {
    if (timing.ofRollCall(intended)) {
      counters.add(Counters.Of.ASKED, -1);
      return;
    }
    if (!settled && timing.counts(intended)) {
      counters.add(Counters.Of.FAILED, 1);
      observer.failed(c, intended);
    }
  }

  /** The message of {@link #times} has not reached a subscriber at the end. Its lateness is known from its publish. */
  void undelivered() {
    counters.add(Counters.Of.UNANSWERED, 1);
    responded();
    if (times.attempted()) {
      recorders.record(TimeKind.SERVICE, times.serviceNs());
    }
    if (stamps) {
      recorders.record(TimeKind.SERVER, times.serverNs());
    }
  }

  /** The message of {@link #times} is unanswered at the end. */
  void unanswered(int c) {
    counters.add(Counters.Of.UNANSWERED, 1);
    responded();
    if (times.attempted()) {
      recorders.record(TimeKind.SERVICE, times.serviceNs());
    } else {
      recorders.record(TimeKind.LATENESS, times.latenessNs());
    }
    if (stamps) {
      recorders.record(TimeKind.SERVER, times.serverNs());
    }
    observer.unanswered(c, times);
  }
}
