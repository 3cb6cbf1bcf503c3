package echoladder.openloop.loop;

import static echoladder.openloop.loop.Connections.CONNECTING;
import static echoladder.openloop.loop.Connections.OPEN;
import static echoladder.openloop.loop.Connections.VERIFYING;
import static echoladder.openloop.loop.Messages.NONE;

import echoladder.client.Churn;
import echoladder.client.LoadPlan;
import echoladder.client.Storm;
import echoladder.client.schedule.ConstantSchedule;
import echoladder.client.schedule.Mix;
import echoladder.client.schedule.PoissonSchedule;
import echoladder.client.schedule.SendSchedule;
import echoladder.client.schedule.Slice;
import echoladder.linux.Errno;
import echoladder.openloop.result.Counters;
import echoladder.openloop.result.Failures;
import echoladder.openloop.result.Recorders;
import echoladder.openloop.result.TimeKind;
import echoladder.openloop.schedule.DueQueue;
import echoladder.openloop.schedule.Pacer;
import echoladder.openloop.schedule.ScheduledPacer;
import echoladder.openloop.schedule.Timing;
import org.jspecify.annotations.Nullable;

/**
 * Connections that an event loop opens anew in the place of others: those that churn ends, each at its time, and those that a
 * storm ended. A place keeps its number, its addresses and the count of its messages. Belongs to that loop.
 */
final class Reconnector {
  private static final long EXPIRE_NS = 100_000_000;
  /** Keeps the draws of churn and back-off apart from those of the schedule. */
  private static final long OTHER_DRAWS = 0x5EED_0FC4_0124L;

  private final Slice slice;
  private final Timing timing;
  private final Wire wire;
  private final Connections conns;
  private final Counters counters;
  private final Recorders recorders;
  private final Failures failures;
  private final @Nullable Pacer ends;
  private final @Nullable Storm storm;
  private final long stormWithinNs;
  private final long seed;
  private final long timeoutNs;
  // All of them are empty where nothing is ever opened anew.
  private final boolean[] again;
  private final boolean[] leaving;
  private final long[] endedNs;
  private final long[] begunNs;
  private final int[] tries;
  private final DueQueue waiting;
  // Places whose connection has reached its end and still owes an answer.
  private final int[] leavers;
  private int leaverCount;
  private int underWay;
  private long expireNs;
  private long drawn;

  Reconnector(LoopConnections connections, Timing timing, LoopResults results) {
    LoopPlan loop = connections.plan();
    LoadPlan plan = loop.plan();
    this.slice = loop.slice();
    this.timing = timing;
    this.wire = connections.wire();
    this.conns = connections.conns();
    this.counters = results.counters();
    this.recorders = results.recorders();
    this.failures = results.failures();
    this.storm = plan.storm();
    this.stormWithinNs = storm == null ? 0 : storm.within().toNanos();
    this.seed = Mix.of(plan.seed() ^ OTHER_DRAWS, slice.index());
    this.timeoutNs = loop.connectTimeoutNs();
    Churn churn = plan.churn();
    ends = churn == null ? null : new ScheduledPacer(ends(churn, slice, plan.seed() ^ OTHER_DRAWS), timing);
    int n = churn == null && storm == null ? 0 : slice.connections();
    again = new boolean[n];
    leaving = new boolean[n];
    endedNs = new long[n];
    begunNs = new long[n];
    tries = new int[n];
    waiting = new DueQueue(n);
    leavers = new int[churn == null ? 0 : n];
  }

  /**
   * When which connection ends. Exponential lives are without memory, so all ends together are a Poisson process, of a connection
   * drawn uniformly. Equal lives end once a period, each at its own phase.
   */
  private static SendSchedule ends(Churn churn, Slice of, long seed) {
    Slice all = new Slice(of.index(), of.slices(), of.connectionsInLoad(), of.connectionsInLoad());
    return switch (churn.lifetime()) {
      case EXPONENTIAL -> new PoissonSchedule(all, churn.perSecond(), seed);
      case FIXED -> new ConstantSchedule(all, churn.perSecond(), seed);
    };
  }

  /** Whether its connection was opened anew and has had no verified echo yet. */
  boolean again(int c) {
    return again.length > 0 && again[c];
  }

  /** Where a message goes that was meant for a place: to the next one whose connection is open and stays. */
  int standIn(int c) {
    if (ends == null) {
      return c;
    }
    for (int i = 0; i < leaving.length; i++) {
      int other = c + i < leaving.length ? c + i : c + i - leaving.length;
      if (conns.state[other] == OPEN && !leaving[other]) {
        return other;
      }
    }
    return c;
  }

  /** When there is something to do next. */
  long nextNs() {
    long next = waiting.isEmpty() ? Timing.UNKNOWN : waiting.firstNs();
    return ends == null ? next : Math.min(next, ends.nextNs());
  }

  /** Ends the connections whose time has come, at most {@code most}; their places are to be taken at once. */
  void end(long now, int most) {
    if (ends == null || timing.finish) {
      return;
    }
    for (int i = leaverCount - 1; i >= 0; i--) {
      int c = leavers[i];
      boolean gone = conns.state[c] != OPEN;
      if (gone || conns.first[c] == NONE) {
        leavers[i] = leavers[--leaverCount];
        leaving[c] = false;
        if (!gone) {
          leave(c, now);
        }
      }
    }
    long due;
    for (int i = 0; i < most && (due = ends.nextNs()) <= now; i++) {
      int c = standIn(ends.take());
      if (conns.state[c] != OPEN || leaving[c]) {
        if (timing.counts(due)) {
          counters.add(Counters.Of.CHURN_FAILED, 1);
        }
        continue;
      }
      endedNs[c] = due;
      if (conns.first[c] == NONE) {
        leave(c, now);
      } else {
        leaving[c] = true;
        leavers[leaverCount++] = c;
      }
    }
  }

  private void leave(int c, long now) {
    wire.close(c);
    conns.state[c] = Connections.DEAD;
    wait(c, now);
  }

  private void wait(int c, long dueNs) {
    again[c] = true;
    conns.blocked[c] = false;
    conns.written[c] = 0;
    conns.inFlight[c] = 0;
    waiting.add(c, dueNs);
  }

  /** Whether a place is to be taken. */
  boolean due(long now) {
    return !waiting.isEmpty() && waiting.firstNs() <= now;
  }

  /** The place whose turn it is; its connection begins now. */
  int take(long now) {
    int c = waiting.take();
    begunNs[c] = now;
    underWay++;
    tries[c]++;
    if (storm()) {
      counters.add(Counters.Of.STORM_TRIES, 1);
    }
    return c;
  }

  /** From when on a place's connection is missed. */
  long endedNs(int c) {
    return endedNs[c];
  }

  /** Its first echo was right. */
  void verified(int c, long now) {
    again[c] = false;
    underWay--;
    tries[c] = 0;
    if (storm()) {
      counters.add(Counters.Of.STORM_BACK, 1);
      if (now - timing.stormNs > stormWithinNs) {
        counters.add(Counters.Of.STORM_LATE, 1);
      }
      counters.set(Counters.Of.STORM_LAST_NS, now);
      recorders.record(TimeKind.RECONNECT, now - endedNs[c]);
    } else if (timing.counts(endedNs[c])) {
      counters.add(Counters.Of.CHURNED, 1);
      recorders.record(TimeKind.RECONNECT, now - endedNs[c]);
    }
  }

  private boolean storm() {
    return storm != null && System.nanoTime() >= timing.stormNs;
  }

  /** Whether the end of a connection is for this to account for, and not for the load. */
  boolean takes(int c) {
    return again(c) || storm();
  }

  /**
   * A connection ended that this {@link #takes}; it is closed by now.
   *
   * @param wasOpen whether it had had a verified echo
   * @param cause in words
   * @param errno of the call that told it, 0 by FIN
   */
  void ended(int c, boolean wasOpen, String cause, int errno) {
    long now = System.nanoTime();
    if (!wasOpen) {
      underWay--;
    }
    if (!storm()) {
      again[c] = false;
      failures.count("reconnect: " + cause);
      // It was established once and is missing from here on.
      counters.add(Counters.Of.LOST, 1);
      if (timing.counts(endedNs[c])) {
        counters.add(Counters.Of.CHURN_FAILED, 1);
      }
      return;
    }
    if (wasOpen) {
      counters.add(Counters.Of.STORM_LOST, 1);
      endedNs[c] = now;
    } else {
      failures.count("storm: " + cause);
      counters.add(kind(errno), 1);
    }
    Storm.BackOff backOff = storm == null ? null : storm.backOff();
    wait(c, backOff == null ? now : now + backOff.waitNs(tries[c], uniform()));
  }

  private static Counters.Of kind(int errno) {
    return switch (-errno) {
      case Errno.ECONNREFUSED -> Counters.Of.STORM_REFUSED;
      case Errno.ETIMEDOUT -> Counters.Of.STORM_TIMED_OUT;
      case 0, Errno.ECONNRESET, Errno.EPIPE -> Counters.Of.STORM_BROKEN;
      default -> Counters.Of.STORM_OTHER;
    };
  }

  private double uniform() {
    return (Mix.of(seed, drawn++) >>> 11) * 0x1p-53;
  }

  /** The first connection opened anew that has had no echo within the connect timeout, from {@code from} on; -1 = none. */
  int overdue(int from, long now) {
    if (from == 0 && (underWay == 0 || now < expireNs)) {
      return -1;
    }
    expireNs = now + EXPIRE_NS;
    for (int c = from; c < again.length; c++) {
      boolean pending = conns.state[c] == CONNECTING || conns.state[c] == VERIFYING;
      if (again[c] && pending && now - begunNs[c] >= timeoutNs) {
        return c;
      }
    }
    return -1;
  }

  /** Bytes this keeps in arrays. */
  long arrayBytes() {
    return again.length * (2L + 8 + 8 + 4) + 4L * leavers.length + waiting.arrayBytes() + (ends == null ? 0 : ends.arrayBytes());
  }
}
