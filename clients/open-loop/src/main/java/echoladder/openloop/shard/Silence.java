package echoladder.openloop.shard;

import java.time.Duration;

/**
 * How long a process may say nothing before it is taken to stand still and is killed. It is counted in ticks of whoever waits: when
 * that one stands still too, by Ctrl-Z say, what it did not hear meanwhile is not counted.
 *
 * @param begin until its first word: a JVM starts
 * @param most from then on
 * @param ending once it was asked to stop
 */
public record Silence(Duration begin, Duration most, Duration ending) {
  public static final Duration TICK = Duration.ofSeconds(1);

  /** A client says a word each {@link #TICK}; the bounds leave room for a host that swaps and for a lab. */
  public static final Silence BOUNDS = new Silence(Duration.ofMinutes(2), Duration.ofMinutes(1), Duration.ofSeconds(10));

  /** Whether so many ticks without a word are too many. */
  public static boolean over(int ticks, Duration bound) {
    return TICK.multipliedBy(ticks).compareTo(bound) >= 0;
  }

  /** What is said of who was killed for it. */
  public static String told(Duration bound) {
    return "said nothing for %d s, so it was killed: it stood still (SIGSTOP, a debugger), or its machine did; "
            .formatted(bound.toSeconds())
        + "see runbooks/symptoms/client-died.md";
  }
}
