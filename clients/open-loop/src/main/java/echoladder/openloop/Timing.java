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
  /** First intended message of the roll call; later where it was announced anew, as other processes were told too late. */
  volatile long rollCallNs = UNKNOWN;
  /** The first such time: who was asked for it is not asked again. */
  volatile long firstRollCallNs = UNKNOWN;
  /** Close everything and end. */
  volatile boolean close;

  /** Whether a message intended for then counts in the result. */
  boolean counts(long intendedNs) {
    return intendedNs >= steadyStartNs && intendedNs < steadyEndNs;
  }

  /** Whether a message intended for then is of the roll call. */
  boolean ofRollCall(long intendedNs) {
    return intendedNs >= firstRollCallNs;
  }
}
