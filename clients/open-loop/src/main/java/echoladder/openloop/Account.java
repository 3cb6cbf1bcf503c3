package echoladder.openloop;

/** What an event loop notes of the messages that its agenda made: counts, times, and the book of a staged load. */
final class Account {
  private final Timing timing;
  private final boolean open;
  private final Tally tally;
  private final Recorders recorders;
  final Book book;
  private final boolean bursts;
  private boolean settled;
  private long leftNs = Long.MIN_VALUE;

  /**
   * The account of one loop.
   *
   * @param open whether intended sends wait for no answer, so that there are response times
   * @param bursts whether many are intended for one instant
   */
  Account(Timing timing, boolean open, boolean bursts, Tally tally, Recorders recorders, Book book) {
    this.timing = timing;
    this.open = open;
    this.bursts = bursts;
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

  /** It goes out, as its connection is free. */
  void leaves(long intended, long now) {
    if (timing.counts(intended)) {
      recorders.record(Kind.LATENESS, now - intended);
      book.leaves(intended, now);
      // Within a burst a send is due when the one before it has gone: only one can go at a time.
      if (now - (bursts ? Math.max(intended, leftNs) : intended) > EventLoop.LATE_NS) {
        tally.add(Tally.Of.LATE, 1);
      }
      leftNs = now;
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

  /** It was answered rightly, on a connection that had been verified before; {@code late} as in {@link Messages#lateNs}. */
  void answered(int c, long intended, long sent, long late, long now) {
    if (timing.ofRollCall(intended)) {
      tally.add(Tally.Of.PRESENT, 1);
      return;
    }
    if (settled) {
      return;
    }
    if (!timing.counts(intended)) {
      recorders.record(Kind.WARM_UP_RESPONSE, now - intended);
      return;
    }
    tally.add(Tally.Of.ANSWERED, 1);
    if (open) {
      recorders.record(Kind.RESPONSE, now - intended);
      recorders.record(Kind.RESPONSE_LESS_LATENESS, now - intended - late);
    }
    recorders.record(Kind.SERVICE, now - sent);
    book.answered(c, Answer.RIGHT, intended, sent, now);
  }

  /** It was answered otherwise; {@code again} as in {@link #sent}. */
  void notRight(int c, Answer answer, boolean again, long intended, long sent, long now) {
    if (answer != Answer.DECLINED) {
      tally.add(Tally.Of.MISMATCHES, 1);
    }
    if (!again && !settled && timing.counts(intended)) {
      tally.add(Tally.Of.FAILED, 1);
      book.answered(c, answer, intended, sent, now);
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

  /** It is unanswered at the end; {@code sent} is {@link Messages#UNSENT} where it never went out. */
  void unanswered(int c, long intended, long sent, long late, long now) {
    tally.add(Tally.Of.UNANSWERED, 1);
    if (open) {
      recorders.record(Kind.RESPONSE, now - intended);
      recorders.record(Kind.RESPONSE_LESS_LATENESS, now - intended - late);
    }
    if (sent != Messages.UNSENT) {
      recorders.record(Kind.SERVICE, now - sent);
    }
    book.unanswered(c, intended, sent, now);
  }
}
