package echoladder.client.schedule;

import java.time.Duration;

/** The arithmetic of periods: a period follows from connections and rate. Pure. */
public final class Bursts {
  /** The shortest period of bursts: a shorter one is hardly apart from a constant schedule, and the client's timers show. */
  public static final long LEAST_PERIOD_NS = 10_000_000;

  private Bursts() {}

  /** Connections that send, of so many: at least one. */
  public static int senders(int connections, double activeShare) {
    return Math.max(1, (int) Math.round(connections * activeShare));
  }

  /** The time in which each of so many connections sends once. */
  public static long periodNs(int senders, double ratePerSecond) {
    return Math.round(senders / ratePerSecond * 1e9);
  }

  /** A steady state of whole periods, at least one, so that what it intends is the rate. */
  public static Duration whole(Duration steady, long periodNs) {
    return Duration.ofNanos(Math.max(1, Math.ceilDiv(steady.toNanos(), periodNs)) * periodNs);
  }
}
