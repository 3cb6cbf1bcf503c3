package echoladder.client;

import java.math.BigDecimal;

/**
 * Connections that come and go while the load runs. The client ends one and opens another in its place, which counts from its
 * first verified echo. With N connections and R ends per second a life lasts N / R on average (Little's law), so it has no
 * value of its own.
 *
 * @param perSecond connections ended and opened per second, over the whole load
 * @param lifetime how lives are distributed
 */
public record Churn(double perSecond, Lifetime lifetime) {
  /** How long the end that closed first keeps its port: TCP_TIMEWAIT_LEN, a constant of the kernel. */
  public static final long TIME_WAIT_SECONDS = 60;

  public Churn {
    Preconditions.check(perSecond > 0 && perSecond <= 100_000, "churn", perSecond, "above 0, at most 100000 per s");
  }

  /** How long connections live. */
  public enum Lifetime {
    /** Ends are a Poisson process: how long a connection has lived says nothing of its end. */
    EXPONENTIAL,
    /** Every connection lives for the same time, from a random age at the start. */
    FIXED
  }

  /** Its rate in words, e.g. {@code 0.5/s}. */
  public String rate() {
    return BigDecimal.valueOf(perSecond).stripTrailingZeros().toPlainString() + "/s";
  }

  /** The mean life of one of that many connections. */
  public double lifeSeconds(int connections) {
    return connections / perSecond;
  }

  /** Ports in TIME-WAIT at most, while it lasts for so long: the client closes first and holds them. */
  public long timeWaitPorts(double seconds) {
    return (long) Math.ceil(perSecond * Math.min(TIME_WAIT_SECONDS, seconds));
  }
}
