package echoladder.openloop.result;

import echoladder.linux.Errno;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What went wrong, counted by cause; the causes are few. Thread-safe. */
public final class Failures {
  private final ConcurrentHashMap<String, LongAdder> byCause = new ConcurrentHashMap<>();

  public void count(String call, int errno) {
    count(call + " " + Errno.name(errno));
  }

  public void count(String cause) {
    add(cause, 1);
  }

  public void add(String cause, long times) {
    byCause.computeIfAbsent(cause, k -> new LongAdder()).add(times);
  }

  public Map<String, Long> snapshot() {
    Map<String, Long> counts = new TreeMap<>();
    byCause.forEach((cause, n) -> counts.put(cause, n.sum()));
    return counts;
  }
}
