package echoladder.openloop.loop;

import echoladder.openloop.result.Answer;
import echoladder.openloop.result.Book;
import echoladder.openloop.result.Kind;
import echoladder.openloop.result.MessageTimes;
import echoladder.openloop.result.Recorders;
import echoladder.openloop.result.Tally;
import echoladder.openloop.schedule.Timing;

/** What an event loop notes of the messages that its agenda made: counts, times, and the book of a staged load. */
final class Account {
  private final Timing timing;
  private final boolean open;
  private final Tally tally;
  private final Recorders recorders;
  final Book book;
  /** Those of the message that is accounted for. */
  final MessageTimes times = new MessageTimes();
  private final boolean stamps;
  private final boolean bursts;
  private boolean settled;
  private long leftNs = Long.MIN_VALUE;

  /**
   * The account of one loop.
   *
   * @param plan whether intended sends wait for no answer, so that there are response times, whether many are intended for one
   *     instant, and whether answers have stamps
   */
  Account(Timing timing, LoopPlan plan, Tally tally, Recorders recorders, Book book) {
    this.timing = timing;
    this.open = plan.open();
    this.bursts = plan.bursts();
    this.stamps = plan.stamps();
    this.tally = tally;
    this.recorders = recorders;
    this.book = book;
  }

  /** Forgets what counted, as the steady state begins later than was said. */
  void anew() {
    for (Tally.Of of : Tally.Of.values()) {
      if (of.ofSteady) {
        tally.set(of, 0);
      }
    }
    recorders.anew();
    book.anew();
  }

  /** All that counts has been accounted for: what is answered from here on is late for it. */
  void settled() {
    settled = true;
  }

  /** A connection was made, so long after its intended connect. */
  void connected(long ns) {
    recorders.record(Kind.CONNECT, ns);
  }

  /** A message came due on a connection. */
  void due(int c, long intended) {
    if (timing.counts(intended)) {
      tally.add(Tally.Of.SCHEDULED, 1);
      book.intended(c, intended);
    }
  }

  /** The first attempt to send it, {@code freed} as in {@link MessageTimes}. */
  void leaves(long intended, long freed, long sent) {
    if (!timing.counts(intended)) {
      return;
    }
    recorders.record(Kind.LATENESS, MessageTimes.latenessNs(intended, freed, sent));
    if (freed == MessageTimes.FREE) {
      book.leaves(intended, sent);
      // Within a burst a send is due when the one before it has gone: only one can go at a time.
      if (sent - (bursts ? Math.max(intended, leftNs) : intended) > EventLoop.LATE_NS) {
        tally.add(Tally.Of.LATE, 1);
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
    tally.add(Tally.Of.SENT_EVER, 1);
    if (timing.counts(intended)) {
      tally.add(Tally.Of.SENT, 1);
    }
  }

  /** A right answer had a stamp that cannot be used. */
  void stampDropped(long intended) {
    if (!settled && timing.counts(intended)) {
      tally.add(Tally.Of.STAMPS_DROPPED, 1);
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
      tally.add(Tally.Of.PRESENT, 1);
      return;
    }
    if (settled) {
      return;
    }
    if (!timing.counts(intended)) {
      recorders.record(Kind.WARM_UP_RESPONSE, times.responseNs());
      return;
    }
    tally.add(Tally.Of.ANSWERED, 1);
    responded();
    recorders.record(Kind.SERVICE, times.serviceNs());
    if (stamps) {
      recorders.record(Kind.SERVER, times.serverNs());
    }
    if (times.stamped()) {
      recorders.record(Kind.RECEIVE_DELAY, times.receiveDelayNs());
      tally.add(Tally.Of.STAMPED, 1);
      tally.add(Tally.Of.STAMPS_SHARED, shared ? 1 : 0);
    }
    book.answered(c, Answer.RIGHT, times);
  }

  private void responded() {
    if (open) {
      recorders.record(Kind.RESPONSE, times.responseNs());
    }
  }

  /** The message of {@link #times} was answered otherwise; {@code again} as in {@link #sent}. */
  void notRight(int c, Answer answer, boolean again) {
    if (answer != Answer.DECLINED) {
      tally.add(Tally.Of.MISMATCHES, 1);
    }
    if (!again && !settled && timing.counts(times.intendedNs())) {
      tally.add(Tally.Of.FAILED, 1);
      book.answered(c, answer, times);
    }
  }

  /** A connection is asked for one more echo in the roll call. */
  void asked() {
    tally.add(Tally.Of.ASKED, 1);
  }

  /** It cannot be sent, or answered, as its connection is gone. */
  void failed(int c, long intended) {
    if (timing.ofRollCall(intended)) {
      tally.add(Tally.Of.ASKED, -1);
      return;
    }
    if (!settled && timing.counts(intended)) {
      tally.add(Tally.Of.FAILED, 1);
      book.failed(c, intended);
    }
  }

  /** The message of {@link #times} is unanswered at the end. */
  void unanswered(int c) {
    tally.add(Tally.Of.UNANSWERED, 1);
    responded();
    if (times.attempted()) {
      recorders.record(Kind.SERVICE, times.serviceNs());
    } else {
      recorders.record(Kind.LATENESS, times.latenessNs());
    }
    if (stamps) {
      recorders.record(Kind.SERVER, times.serverNs());
    }
    book.unanswered(c, times);
  }
}
