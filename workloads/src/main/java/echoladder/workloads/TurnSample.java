package echoladder.workloads;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Who had the turn after whom: threads that make way write themselves down, each time they go on, with what ran them. What
 * runs threads (a carrier) does so one after the other, so two of its turns in a row that are not of the same thread are a
 * switch. Any thread adds; what was seen is asked for when none does any more.
 */
final class TurnSample {
  /** What was seen: of so many turns that had another before them, so many were somebody else's. */
  record Seen(long switches, long turns) {}

  private final long[] turns;
  private final AtomicInteger next = new AtomicInteger();
  private final Map<String, Integer> carriers = new ConcurrentHashMap<>();
  private final AtomicInteger carrierNumber = new AtomicInteger();

  TurnSample(int most) {
    turns = new long[most];
  }

  /** Takes down a turn of the virtual thread that calls; without effect when full. */
  void add(int thread) {
    add(carrier(), thread);
  }

  /** Takes a turn down; without effect when full. */
  void add(int runner, int thread) {
    int at = full() ? turns.length : next.getAndIncrement();
    if (at < turns.length) {
      turns[at] = (long) runner << 32 | thread;
    }
  }

  /** The number of what runs this virtual thread; its name stands behind the last @ of the thread's text. */
  private int carrier() {
    String text = Thread.currentThread().toString();
    return carriers.computeIfAbsent(text.substring(text.lastIndexOf('@') + 1), name -> carrierNumber.getAndIncrement());
  }

  boolean full() {
    return next.get() >= turns.length;
  }

  Seen seen() {
    Map<Integer, Integer> last = new HashMap<>();
    long switches = 0;
    long count = 0;
    for (int i = 0; i < Math.min(next.get(), turns.length); i++) {
      int thread = (int) turns[i];
      Integer before = last.put((int) (turns[i] >> 32), thread);
      if (before != null) {
        count++;
        switches += before == thread ? 0 : 1;
      }
    }
    return new Seen(switches, count);
  }
}
