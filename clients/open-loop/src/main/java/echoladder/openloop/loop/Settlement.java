package echoladder.openloop.loop;

import static echoladder.openloop.loop.Messages.NONE;

import echoladder.openloop.result.Tally;
import echoladder.openloop.schedule.Agenda;
import echoladder.openloop.schedule.Timing;

/** The account of what a steady state still owes when its drain is over. */
final class Settlement {
  private Settlement() {}

  /**
   * Counts each message of the steady state without complete echo as unanswered and records it at its age, which its
   * response time can only exceed. That includes what was due and a loop too busy for its schedule had not come to.
   */
  static void of(
      Connections conns, Messages messages, Agenda agenda, Timing timing, long now, Account account, Tally tally) {
    long youngest = notReached(conns, agenda, timing, now, account);
    for (int c = 0; c < conns.fd.length; c++) {
      if (conns.state[c] != Connections.OPEN) {
        continue;
      }
      for (int m = conns.first[c]; m != NONE; m = messages.next[m]) {
        if (timing.counts(messages.intendedNs[m])) {
          long age = now - messages.intendedNs[m];
          youngest = Math.min(youngest, age);
          if (messages.sentNs[m] == Messages.UNSENT) {
            account.times.behind(messages.intendedNs[m], now);
          } else {
            account.times.unanswered(messages.intendedNs[m], messages.freedNs[m], messages.sentNs[m], now);
          }
          account.unanswered(c);
        }
      }
    }
    tally.set(Tally.Of.YOUNGEST_UNANSWERED_NS, youngest);
    account.book.close(now);
    account.settled();
  }

  /** Accounts for what was due and never taken off the agenda; returns the least age, or Long.MAX_VALUE. */
  private static long notReached(Connections conns, Agenda agenda, Timing timing, long now, Account account) {
    long youngest = Long.MAX_VALUE;
    long due;
    while ((due = agenda.dueNs()) <= now && due != Timing.UNKNOWN) {
      int c = agenda.take();
      account.due(c, due);
      if (conns.state[c] != Connections.OPEN) {
        account.failed(c, due);
      } else if (timing.counts(due)) {
        youngest = Math.min(youngest, now - due);
        if (conns.first[c] == NONE) {
          account.times.notReached(due, now);
        } else {
          account.times.behind(due, now);
        }
        account.unanswered(c);
      }
    }
    return youngest;
  }
}
