package echoladder.openloop;

/**
 * When things happen, in ns on the monotonic clock; shared by all loops of a process, set by the one that runs the
 * load. A time is always set before it has come, so that every loop agrees on the phase of a message by its intended
 * send alone.
 */
final class Timing {
  static final long UNKNOWN = Long.MAX_VALUE;

  /** First intended connect. */
  volatile long rampStartNs = UNKNOWN;
  /** Zero of the send schedule. */
  volatile long scheduleStartNs = UNKNOWN;
  /** Messages intended from here on count. */
  volatile long steadyStartNs = UNKNOWN;
  /** Messages intended from here on are not sent. */
  volatile long steadyEndNs = UNKNOWN;
  /** Rises with each steady state that is set: what counted for one before counts no more. */
  volatile int announced;

  /** Account for what is unanswered, and send no more of the schedule. */
  volatile boolean finish;
  /** The server is restarted from here on: what ends comes again. */
  volatile long stormNs = UNKNOWN;
  /** Where the pace of the roll call begins, as it was announced last; see {@link #callRoll}. */
  volatile long rollCallNs = UNKNOWN;
  /** The same as it was announced first: messages intended from here on are of the roll call. */
  private volatile long firstRollCallNs = UNKNOWN;
  /** Close everything and end. */
  volatile boolean close;

  /** Whether a message intended for then counts in the result. */
  boolean counts(long intendedNs) {
    return intendedNs >= steadyStartNs && intendedNs < steadyEndNs;
  }

  /**
   * Announces the roll call. It is announced anew where other processes were told too late: who has been asked by then is not
   * asked again.
   */
  void callRoll(long startNs) {
    if (firstRollCallNs == UNKNOWN) {
      firstRollCallNs = startNs;
    }
    rollCallNs = startNs;
  }

  /** Whether a message intended for then is of the roll call. */
  boolean ofRollCall(long intendedNs) {
    return intendedNs >= firstRollCallNs;
  }
}
