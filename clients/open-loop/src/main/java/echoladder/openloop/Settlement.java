package echoladder.openloop;

import static echoladder.openloop.Messages.NONE;

/** The account of what a steady state still owes when its drain is over. */
final class Settlement {
  private Settlement() {}

  /**
   * Counts each message of the steady state without complete echo as unanswered and records it at its age, which its
   * response time can only exceed.
   */
  static void of(
      Connections conns, Messages messages, Timing timing, long now, Account account, Tally tally) {
    long youngest = Long.MAX_VALUE;
    for (int c = 0; c < conns.fd.length; c++) {
      if (conns.state[c] != Connections.OPEN) {
        continue;
      }
      for (int m = conns.first[c]; m != NONE; m = messages.next[m]) {
        if (timing.counts(messages.intendedNs[m])) {
          long age = now - messages.intendedNs[m];
          youngest = Math.min(youngest, age);
          account.unanswered(c, messages.intendedNs[m], messages.sentNs[m], now);
        }
      }
    }
    tally.set(Tally.Of.YOUNGEST_UNANSWERED_NS, youngest);
    account.book.close(now);
  }
}
