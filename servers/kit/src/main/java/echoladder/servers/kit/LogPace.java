package echoladder.servers.kit;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** At most one line a second, which tells how many were kept back. Thread-safe. */
final class LogPace {
  private static final long EVERY_NS = 1_000_000_000L;

  private final ServerLog log;
  private final LongSupplier clockNs;
  private final AtomicLong dueNs;
  private final AtomicLong keptBack = new AtomicLong();

  /**
   * A pace of its own.
   *
   * @param clockNs as {@link System#nanoTime}
   */
  LogPace(ServerLog log, LongSupplier clockNs) {
    this.log = log;
    this.clockNs = clockNs;
    this.dueNs = new AtomicLong(clockNs.getAsLong());
  }

  void say(String message) {
    long nowNs = clockNs.getAsLong();
    long due = dueNs.get();
    if (nowNs - due >= 0 && dueNs.compareAndSet(due, nowNs + EVERY_NS)) {
      long more = keptBack.getAndSet(0);
      log.say(message + (more == 0 ? "" : " (" + more + " more since the last such line)"));
    } else {
      keptBack.incrementAndGet();
    }
  }
}
