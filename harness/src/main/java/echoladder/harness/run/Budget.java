package echoladder.harness.run;

import echoladder.harness.common.Units;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The time that a run may take, from the start of the ladder on. */
public final class Budget {
  /** What the end of the last server and the reports take, also where others have the processors. */
  static final Duration FOR_REPORTS = Duration.ofSeconds(10);

  private final @Nullable Duration whole;
  private final long startNs;

  /**
   * That of a run.
   *
   * @param wholeNs of the study; null = as long as it takes
   * @param startNs CLOCK_MONOTONIC when the ladder was started
   */
  public Budget(@Nullable Long wholeNs, long startNs) {
    this.whole = wholeNs == null ? null : Duration.ofNanos(wholeNs);
    this.startNs = startNs;
  }

  /** Whether there is an end to it. */
  public boolean ends() {
    return whole != null;
  }

  /** Whether something that takes that long ends in time for the reports. */
  public boolean fits(Duration length) {
    return whole == null || elapsed().plus(length).plus(FOR_REPORTS).compareTo(whole) <= 0;
  }

  /** What is left of the warm-up's range, from its least to its most, where so much of the run is still to come. */
  public Duration warmUpMost(Duration least, Duration most, Duration toCome, int rungs) {
    if (whole == null) {
      return most;
    }
    Duration spare = whole.minus(elapsed()).minus(FOR_REPORTS).minus(toCome);
    Duration each = least.plus(spare.isNegative() ? Duration.ZERO : spare.dividedBy(Math.max(1, rungs)));
    return each.compareTo(most) < 0 ? each : most;
  }

  /** Why something is not tried. */
  public String spent() {
    return "the study's budget of %s (minutes:seconds) was spent".formatted(whole == null ? Units.NONE : Units.clock(whole));
  }

  private Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - startNs);
  }
}
