package echoladder.openloop.loop;

import static echoladder.openloop.loop.Connections.OPEN;

import echoladder.client.Publish;
import echoladder.openloop.codec.Delivery;
import echoladder.openloop.codec.PushCodec;
import echoladder.openloop.publish.PublishLog;
import echoladder.openloop.result.Counters;
import echoladder.openloop.result.MessageTimes;
import echoladder.openloop.result.Recorders;
import echoladder.openloop.result.TimeKind;
import echoladder.openloop.schedule.Timing;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the subscribers of an event loop are sent: each message of their topic, in order and once. It counts what is not so, and keeps the
 * times. Belongs to that loop until it is {@link #accounted}; from then on anybody may ask for the first and last delivery of a message.
 */
public final class Subscribers {
  private final Connections conns;
  private final Arrivals arrivals;
  private final Timing timing;
  private final MessageStats stats;
  private final Counters counters;
  private final Recorders recorders;
  private final PublishLog log;
  private final int topics;
  private final int[] topic;
  /** The number of the message that comes next on a connection. */
  private final int[] expected;
  /** Numbers that a connection lacks although later ones came, as ranges from the first to before the last: rare, so no array. */
  private final Map<Integer, TreeMap<Integer, Integer>> holes = new HashMap<>();
  private final BitSet slow;
  private long taken;
  // Of each message: its deliveries here in the steady state, the first of them and the last.
  private int[] done = new int[1024];
  private long[] firstNs = new long[1024];
  private long[] lastNs = new long[1024];
  private volatile boolean accounted;

  Subscribers(LoopConnections connections, Publish publish, Arrivals arrivals, Timing timing, LoopResults results, PublishLog log) {
    LoopPlan plan = connections.plan();
    this.conns = connections.conns();
    this.arrivals = arrivals;
    this.timing = timing;
    this.stats = results.stats();
    this.counters = results.counters();
    this.recorders = results.recorders();
    this.log = log;
    this.topics = publish.topics(plan.plan().activeConnections());
    this.topic = PushCodec.topics(publish, plan.slice());
    this.expected = topic.clone();
    this.slow = PushCodec.slow(publish, plan.slice());
  }

  /** Right deliveries of any phase. */
  long taken() {
    return taken;
  }

  /** A message came on a connection and was read by {@code now}; {@code shared}: its last byte may not be the last by the stamp. */
  void took(int c, Delivery of, boolean shared, long now) {
    // Before its answer nothing is due to a subscriber.
    if (of.topic != topic[c] || conns.state[c] != OPEN) {
      counters.add(Counters.Of.DELIVERIES_MIXED, 1);
      return;
    }
    if (!of.right) {
      counters.add(Counters.Of.MISMATCHES, 1);
      return;
    }
    if (slow.get(c)) {
      return; // Before the steady state: nothing is due to it.
    }
    int number = (int) of.sequence;
    if (number == expected[c]) {
      expected[c] = number + topics;
    } else if (number > expected[c]) {
      holes.computeIfAbsent(c, _ -> new TreeMap<>()).put(expected[c], number);
      expected[c] = number + topics;
    } else if (lacked(c, number)) {
      counters.add(Counters.Of.DELIVERIES_OUT_OF_ORDER, 1);
    } else {
      counters.add(Counters.Of.DELIVERIES_DUPLICATE, 1);
      return;
    }
    taken++;
    counters.add(Counters.Of.ANSWERED_EVER, 1);
    delivered(c, of, number, shared, now);
  }

  /** Whether a connection lacked that number, which it does no longer. */
  private boolean lacked(int c, int number) {
    TreeMap<Integer, Integer> ranges = holes.get(c);
    Map.Entry<Integer, Integer> range = ranges == null ? null : ranges.floorEntry(number);
    if (ranges == null || range == null || range.getValue() <= number) {
      return false;
    }
    ranges.remove(range.getKey());
    if (range.getKey() < number) {
      ranges.put(range.getKey(), number);
    }
    if (number + topics < range.getValue()) {
      ranges.put(number + topics, range.getValue());
    }
    return true;
  }

  private void delivered(int c, Delivery of, int number, boolean shared, long now) {
    long arrived = arrivals.arrivedNs(of.sentNs, now);
    if (arrived == MessageTimes.UNKNOWN && arrivals.stamped()) {
      stats.stampDropped(of.intendedNs);
    }
    stats.times.answered(of.intendedNs, of.freedNs, of.sentNs, arrived, now);
    stats.answered(c, shared);
    if (accounted || !timing.counts(of.intendedNs)) {
      return;
    }
    long at = stats.times.arrivedNs();
    recorders.record(TimeKind.DELIVERY, at - of.intendedNs);
    if (number >= done.length) {
      int larger = Math.max(Math.addExact(number, 1), done.length + (done.length >> 1));
      done = Arrays.copyOf(done, larger);
      firstNs = Arrays.copyOf(firstNs, larger);
      lastNs = Arrays.copyOf(lastNs, larger);
    }
    firstNs[number] = done[number] == 0 ? at : Math.min(at, firstNs[number]);
    lastNs[number] = done[number] == 0 ? at : Math.max(at, lastNs[number]);
    done[number]++;
  }

  /** Whether everything that was to be published is known, so that what was not delivered can be. */
  boolean ready() {
    return log.closed();
  }

  /**
   * Counts what each connection was due in the steady state and did not get, and records it at its age, which its times can only exceed.
   * On a connection that ended it has failed.
   */
  void account(long now) {
    long youngest = counters.get(Counters.Of.YOUNGEST_UNANSWERED_NS);
    for (int c = 0; c < topic.length; c++) {
      if (topic[c] == topics || slow.get(c)) {
        continue; // Nothing is published to it, or it is not to read that.
      }
      long before = counters.get(Counters.Of.UNANSWERED);
      for (Map.Entry<Integer, Integer> range : holes.getOrDefault(c, new TreeMap<>()).entrySet()) {
        counters.add(Counters.Of.DELIVERIES_MISSING, (range.getValue() - range.getKey()) / topics);
        youngest = Math.min(youngest, undelivered(c, range.getKey(), range.getValue(), now));
      }
      counters.add(Counters.Of.UNANSWERED_MISSING, counters.get(Counters.Of.UNANSWERED) - before);
      youngest = Math.min(youngest, undelivered(c, expected[c], log.size(), now));
    }
    counters.set(Counters.Of.YOUNGEST_UNANSWERED_NS, youngest);
    accounted = true;
  }

  /** Accounts for the messages from one number to before another; the least age, or Long.MAX_VALUE. */
  private long undelivered(int c, int from, int to, long now) {
    long youngest = Long.MAX_VALUE;
    for (int number = from; number < to; number += topics) {
      long intended = log.intendedNs(number);
      if (!timing.counts(intended)) {
        continue;
      }
      if (conns.state[c] != OPEN) {
        counters.add(Counters.Of.FAILED, 1);
        continue;
      }
      log.undelivered(number, now, stats.times);
      stats.undelivered();
      recorders.record(TimeKind.DELIVERY, stats.times.responseNs());
      youngest = Math.min(youngest, stats.times.responseNs());
    }
    return youngest;
  }

  /** Whether all is accounted for, and what follows stands. */
  public boolean accounted() {
    return accounted;
  }

  /** Deliveries of a message of the steady state here. */
  public int done(int number) {
    return number < done.length ? done[number] : 0;
  }

  /** When the first of them arrived, ns on the monotonic clock; there is one. */
  public long firstNs(int number) {
    return firstNs[number];
  }

  /** When the last of them arrived, likewise. */
  public long lastNs(int number) {
    return lastNs[number];
  }

  /** Bytes this keeps in arrays. */
  long arrayBytes() {
    return 8L * topic.length + 20L * done.length;
  }

  /** The subscribers of a loop; null where its load publishes nothing. */
  static @Nullable Subscribers of(
      LoopConnections connections, Arrivals arrivals, Timing timing, LoopResults results, @Nullable PublishLog log) {
    Publish publish = connections.plan().plan().publish();
    return publish == null || log == null ? null : new Subscribers(connections, publish, arrivals, timing, results, log);
  }
}
