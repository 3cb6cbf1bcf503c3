package echoladder.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A restart of the server while its connections are held: each that ends is opened again, as often as it takes.
 *
 * @param backOff how long a connection waits before each try; null = it does not
 * @param within how long they may take until all of them have had a verified echo again
 */
public record Storm(@Nullable BackOff backOff, Duration within) {
  /** How long all connections together may take. */
  public static final Duration WITHIN = Duration.ofSeconds(60);

  /** Names of storms, as studies give them. */
  public enum Kind {
    /** Each connection tries again at once, for as long as it takes. */
    RUSH,
    /** It waits before each try: 0 to 100 ms at first, twice the bound with each further try, at most 10 s. */
    BACKOFF;

    /** What a plan has. */
    public Storm storm() {
      return new Storm(this == RUSH ? null : new BackOff(Duration.ofMillis(100), Duration.ofSeconds(10)), WITHIN);
    }
  }

  public Storm {
    Preconditions.check(within.toMillis() >= 1_000 && within.toHours() <= 1, "storm within", within, "1s to 1h");
  }

  /**
   * Exponential with full jitter: before try k, from 0, a time drawn uniformly from 0 to {@code first} x 2^k, at most {@code most}
   * (Brooker 2015, "Exponential Backoff And Jitter", AWS Architecture Blog).
   *
   * @param first the bound of the first wait
   * @param most the bound of every wait
   */
  public record BackOff(Duration first, Duration most) {
    public BackOff {
      Preconditions.check(first.toMillis() >= 1 && first.compareTo(most) <= 0, "back-off", first, "1ms to the most, " + most);
      Preconditions.check(most.toMinutes() <= 10, "back-off most", most, "at most 10m");
    }

    /** The wait before a try, in ns. */
    public long waitNs(int tries, double uniform) {
      double bound = Math.min((double) most.toNanos(), first.toNanos() * Math.pow(2, Math.min(tries, 62)));
      return (long) (bound * uniform);
    }
  }
}
