package echoladder.client;

import java.time.Duration;

/** The arithmetic of {@link Schedule#BURST}: its period follows from connections and rate. Pure. */
public final class Bursts {
  /** The shortest period: a shorter one is hardly apart from a constant schedule, and the client's timers show. */
  public static final long LEAST_PERIOD_NS = 10_000_000;

  private Bursts() {}

  /** Connections that send, of so many: at least one. */
  public static int senders(int connections, double activeShare) {
    return Math.max(1, (int) Math.round(connections * activeShare));
  }

  /** From one burst to the next: each of so many connections sends once in it. */
  public static long periodNs(int senders, double ratePerSecond) {
    return Math.round(senders / ratePerSecond * 1e9);
  }

  /** A steady state of whole periods, at least one, so that what it intends is the rate. */
  public static Duration whole(Duration steady, long periodNs) {
    return Duration.ofNanos(Math.max(1, Math.ceilDiv(steady.toNanos(), periodNs)) * periodNs);
  }

  /** The steady state that is asked for, in whole periods of that rate; refuses a rate whose bursts come too fast. */
  static Duration steady(Duration asked, int senders, double ratePerSecond) {
    long periodNs = periodNs(senders, ratePerSecond);
    Allowed.check(periodNs >= LEAST_PERIOD_NS, "rate", ratePerSecond, "a burst every 10 ms at most: connections that send / rate");
    return whole(asked, periodNs);
  }
}
