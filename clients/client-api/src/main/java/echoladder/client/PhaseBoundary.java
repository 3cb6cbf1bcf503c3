package echoladder.client;

import java.util.Locale;
import java.util.Optional;

/**
 * A border of the steady state: when it was due, and when what is counted from it on was read. CPU per echo is CPU between
 * two readings by echoes between two borders, so both have to be at the same time.
 *
 * @param which {@code beginning} or {@code end}
 * @param reader who read, for messages
 * @param dueNs CLOCK_MONOTONIC
 * @param readNs CLOCK_MONOTONIC
 */
public record PhaseBoundary(String which, String reader, long dueNs, long readNs) {
  /** A reading that is later counts for another time: of a steady state of 10 s that is 2.5 %. */
  private static final long LATE_MOST_NS = 250_000_000L;

  /** How late a border may be read where nobody bears more. */
  public static long mostNs() {
    return LATE_MOST_NS;
  }

  /** How late a border may be read in a study that bears hiccups of that length: a reader that stood still reads late. */
  public static long mostNs(long hiccupMostNs) {
    return Math.max(LATE_MOST_NS, hiccupMostNs);
  }

  /** What speaks against a rung that has it; empty where it was read in time. */
  public Optional<Reason> doubt(long mostNs) {
    if (readNs - dueNs <= mostNs) {
      return Optional.empty();
    }
    return Optional.of(
        new Reason(
            ReasonCode.BORDER_LATE,
            String.format(
                Locale.ROOT,
                "%s read CPU %.0f ms after the %s of the steady state (bound %.0f ms)",
                reader, (readNs - dueNs) / 1e6, which, mostNs / 1e6)));
  }
}
