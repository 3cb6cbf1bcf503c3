package echoladder.openloop.loop;

/**
 * By how much the realtime clock is ahead of the monotonic one. Linux moves both at one rate, so that this changes only where
 * somebody sets the realtime clock: a step. Each look bounds it by a bracket, a look at the monotonic clock before and one after that
 * at the realtime clock; what all brackets since the last step have in common is what is known. Pure. Belongs to one event loop.
 */
final class ClockOffset {
  /** The bracket beyond which a look says too little, natively: what is known is exact to half of it. */
  static final long BRACKET_MOST_NS = 20_000;
  /** The bracket bound in a lab, where a look at a clock takes some 20 us. */
  static final long LAB_BRACKET_MOST_NS = 500_000;
  /** So long an offset serves without a narrow look: a wide one does not show a step that is smaller than its bracket. */
  static final long AGE_MOST_NS = 10_000_000_000L;
  /** A move by less is no step: looks of different processors may differ by nanoseconds. */
  static final long STEP_LEAST_NS = 1_000;

  private final long bracketMostNs;
  private boolean known;
  private boolean stepped;
  private long lowNs;
  private long highNs;
  private long boundNs;

  /** With brackets of at most that many ns. */
  ClockOffset(long bracketMostNs) {
    this.bracketMostNs = bracketMostNs;
  }

  /**
   * Takes a look at both clocks: monotonic, realtime and monotonic again, in that order.
   *
   * @return whether its bracket is narrow; a wide one, in which the thread was interrupted, is worth another look
   */
  boolean look(long beforeNs, long realtimeNs, long afterNs) {
    long low = realtimeNs - afterNs;
    long high = realtimeNs - beforeNs;
    long moved = known ? Math.max(low - highNs, lowNs - high) : 0;
    boolean narrow = afterNs - beforeNs <= bracketMostNs;
    stepped = moved > STEP_LEAST_NS;
    if (!known || moved > 0) {
      lowNs = low;
      highNs = high;
      known = true;
    } else {
      lowNs = Math.max(lowNs, low);
      highNs = Math.min(highNs, high);
    }
    if (narrow) {
      boundNs = afterNs;
    }
    return narrow;
  }

  /** Whether the last look showed that the clock was set since the one before. */
  boolean stepped() {
    return stepped;
  }

  /** Whether stamps can be told on the monotonic clock, as known at the last look, which ended then. */
  boolean usable(long afterNs) {
    return known && !stepped && highNs - lowNs <= bracketMostNs && afterNs - boundNs <= AGE_MOST_NS;
  }

  /** A time of the realtime clock on the monotonic one. */
  long monotonicNs(long realtimeNs) {
    return realtimeNs - lowNs - (highNs - lowNs) / 2;
  }
}
