package echoladder.openloop.loop;

import static echoladder.openloop.loop.Messages.NONE;

import echoladder.openloop.result.Counters;
import echoladder.openloop.schedule.Pacer;
import echoladder.openloop.schedule.Timing;
import java.util.BitSet;

/**
 * Accounts for what a steady state still owes when its drain is over.
 *
 * @param slow connections of which nothing counts
 */
record DrainAccounting(Connections conns, Messages messages, Pacer pacer, MessageStats stats, BitSet slow) {
  /**
   * Counts each message of the steady state without complete echo as unanswered and records it at its age, which its
   * response time can only exceed. That includes what was due and a loop too busy for its schedule had not come to.
   */
  void account(Timing timing, long now, Counters counters) {
    long youngest = notReached(timing, now);
    for (int c = 0; c < conns.fd.length; c++) {
      if (conns.state[c] != Connections.OPEN) {
        continue;
      }
      for (int m = conns.first[c]; m != NONE; m = messages.next[m]) {
        if (timing.counts(messages.intendedNs[m])) {
          long age = now - messages.intendedNs[m];
          youngest = Math.min(youngest, age);
          if (messages.sentNs[m] == Messages.UNSENT) {
            stats.times.behind(messages.intendedNs[m], now);
          } else {
            stats.times.unanswered(messages.intendedNs[m], messages.freedNs[m], messages.sentNs[m], now);
          }
          stats.unanswered(c);
        }
      }
    }
    counters.set(Counters.Of.YOUNGEST_UNANSWERED_NS, youngest);
    stats.observer.close(now);
    stats.settled();
  }

  /** Accounts for what was due and never taken from the pacer; returns the least age, or Long.MAX_VALUE. */
  private long notReached(Timing timing, long now) {
    long youngest = Long.MAX_VALUE;
    long due;
    while ((due = pacer.dueNs()) <= now && due != Timing.UNKNOWN) {
      int c = pacer.take();
      if (slow.get(c)) {
        continue;
      }
      stats.due(c, due);
      if (conns.state[c] != Connections.OPEN) {
        stats.failed(c, due);
      } else if (timing.counts(due)) {
        youngest = Math.min(youngest, now - due);
        if (conns.first[c] == NONE) {
          stats.times.notReached(due, now);
        } else {
          stats.times.behind(due, now);
        }
        stats.unanswered(c);
      }
    }
    return youngest;
  }
}
