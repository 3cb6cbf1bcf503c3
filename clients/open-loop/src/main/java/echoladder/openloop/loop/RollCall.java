package echoladder.openloop.loop;

import echoladder.client.LoadPlan;
import echoladder.client.schedule.Slice;
import echoladder.openloop.schedule.Timing;
import java.util.BitSet;

/**
 * The order in which an event loop asks each of its connections for one more echo when the hold is over: at an even pace
 * over the whole load. A connection that is being opened anew when its turn comes is asked once it has been verified.
 * Belongs to that loop.
 */
public final class RollCall {
  private final Slice slice;
  private final Timing timing;
  private final double gapNs;
  // Empty but for churn and storms.
  private final BitSet missed = new BitSet();
  private int next;

  RollCall(LoopPlan plan, Timing timing) {
    this.slice = plan.slice();
    this.timing = timing;
    this.gapNs = 1e9 / perSecond(plan.plan());
  }

  /** Connections asked per second: what the server was asked for in the ramp or in the steady state, whichever was more. */
  private static double perSecond(LoadPlan plan) {
    return Math.max(plan.connectsPerSecond(), plan.ratePerSecond());
  }

  /** From the first connection asked to the last. */
  public static long lengthNs(LoadPlan plan) {
    return (long) (plan.connections() / perSecond(plan) * 1e9);
  }

  /** When the next connection is to be asked; {@link Timing#UNKNOWN} where none is. */
  long nextNs() {
    long start = timing.rollCallNs;
    return start == Timing.UNKNOWN || next == slice.connections()
        ? Timing.UNKNOWN
        : start + (long) (slice.global(next) * gapNs);
  }

  /** The connection whose turn it is. */
  int take() {
    return next++;
  }

  /** The connection whose turn it was is being opened anew. */
  void missed(int c) {
    missed.set(c);
  }

  /** Whether a connection that has just been opened anew had missed its turn, which it has now. */
  boolean late(int c) {
    boolean late = missed.get(c);
    missed.clear(c);
    return late;
  }
}
