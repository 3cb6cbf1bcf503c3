package echoladder.harness.host;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * By how much another host's CLOCK_MONOTONIC is ahead of this one's. The reply of a round trip was stamped somewhere between its
 * beginning and its end; of several the shortest one leaves the least room. Pure.
 *
 * @param aheadNs their clock less this one
 * @param uncertaintyNs half of the shortest round trip: the true value is at most that far away
 */
public record ClockOffset(long aheadNs, long uncertaintyNs) {
  /** Round trips of one look. */
  public static final int ROUND_TRIPS = 20;

  /** Beyond it phases of a rung do not begin together. */
  public static final long MOST_NS = 5_000_000;

  /**
   * A question and its answer.
   *
   * @param sentNs by the clock here
   * @param thereNs by the clock there
   * @param backNs by the clock here
   */
  public record RoundTrip(long sentNs, long thereNs, long backNs) {
    long lengthNs() {
      return backNs - sentNs;
    }
  }

  /** By the shortest of them; at least one is needed. */
  public static ClockOffset of(List<RoundTrip> trips) {
    RoundTrip best = trips.stream().min(Comparator.comparingLong(RoundTrip::lengthNs)).orElseThrow();
    long half = best.lengthNs() / 2;
    return new ClockOffset(best.thereNs() - (best.sentNs() + half), Math.ceilDiv(best.lengthNs(), 2));
  }

  /** By how much the other clock gained on this one until a later look. */
  public long driftNs(ClockOffset later) {
    return later.aheadNs - aheadNs;
  }

  /**
   * What speaks against a rung between two looks, as a sentence that names the host; empty where nothing does. How far apart the
   * clocks are says nothing: each stamp is compared with stamps of its own host alone.
   */
  public Optional<String> complaint(String host, ClockOffset later) {
    long uncertain = Math.max(uncertaintyNs, later.uncertaintyNs);
    if (uncertain > MOST_NS) {
      return Optional.of(
          String.format(
              Locale.ROOT, "the clock of %s is known to %.1f ms alone: the shortest of %d round trips took %.1f ms (bound 5 ms)",
              host, uncertain / 1e6, ROUND_TRIPS, 2 * uncertain / 1e6));
    }
    long drift = driftNs(later);
    return Math.abs(drift) <= MOST_NS
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT, "the clock of %s %s %.1f ms during the rung (bound 5 ms)", host, drift > 0 ? "gained" : "lost",
                Math.abs(drift) / 1e6));
  }
}
