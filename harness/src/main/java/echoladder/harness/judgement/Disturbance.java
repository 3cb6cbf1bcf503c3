package echoladder.harness.judgement;

import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.Quoting;
import echoladder.harness.results.RungRecord;

/**
 * Says how much the host's other work spoiled of a valid rung, so that it is measured again for its CPU per echo. A further try may
 * change that rung's figures, and never whether the rung is carried: else outcomes would be chosen. Pure.
 */
public final class Disturbance {
  /** The CPU of an echo is not given. */
  private static final double NOT_GIVEN = 1;

  /** Others took CPU, and nobody knows by how much the server's is off: less than where that is known to be much. */
  private static final double LEAST = Quoting.SPEED_MARKED;

  private Disturbance() {}

  /** Whether a figure that the study asks for is lost. Without a budget only such a rung is measured again. */
  public static boolean lost(RungRecord rung) {
    return of(rung) >= NOT_GIVEN;
  }

  /**
   * How much is spoiled, as a number to rank rungs by: 0 = nothing; below 1 CPU is given with a mark, by which part it may be off; from 1
   * on it is not given.
   */
  public static double of(RungRecord rung) {
    if (!rung.valid()) {
      return 0;
    }
    double off = Quoting.offSpeed(LoadMetrics.SERVER_CPU, rung);
    // That a server had not settled may be its own doing.
    return Quoting.withheld(LoadMetrics.SERVER_CPU, rung) ? NOT_GIVEN + off
        : Quoting.mark(LoadMetrics.SERVER_CPU, rung) == Quoting.Mark.DISTURBED ? Math.max(off, LEAST) : 0;
  }
}
