package echoladder.openloop.schedule;

/**
 * When things happen, in ns on the monotonic clock; shared by all loops of a process, set by the one that runs the
 * load. A time is always set before it has come, so that every loop agrees on the phase of a message by its intended
 * send alone.
 */
public final class Timing {
  public static final long UNKNOWN = Long.MAX_VALUE;

  /** First intended connect. */
  public volatile long rampStartNs = UNKNOWN;
  /** Zero of the send schedule. */
  public volatile long scheduleStartNs = UNKNOWN;
  /** Messages intended from here on count. */
  public volatile long steadyStartNs = UNKNOWN;
  /** Messages intended from here on are not sent. */
  public volatile long steadyEndNs = UNKNOWN;
  /** Rises with each steady state that is set: what counted for one before counts no more. */
  public volatile int announced;

  /** Account for what is unanswered, and send no more of the schedule. */
  public volatile boolean finish;
  /** The server is restarted from here on: what ends comes again. */
  public volatile long stormNs = UNKNOWN;
  /** Where the pace of the roll call begins, as it was announced last; see {@link #callRoll}. */
  public volatile long rollCallNs = UNKNOWN;
  /** Where the pace of the roll call was first announced to begin: messages intended from here on are of the roll call. */
  private volatile long firstRollCallNs = UNKNOWN;
  /** Close everything and end. */
  public volatile boolean close;

  /** Whether a message intended for then counts in the result. */
  public boolean counts(long intendedNs) {
    return intendedNs >= steadyStartNs && intendedNs < steadyEndNs;
  }

  /**
   * Announces the roll call. It is announced anew where other processes were told too late: who has been asked by then is not
   * asked again.
   */
  public void callRoll(long startNs) {
    if (firstRollCallNs == UNKNOWN) {
      firstRollCallNs = startNs;
    }
    rollCallNs = startNs;
  }

  /** Whether a message intended for then is of the roll call. */
  public boolean ofRollCall(long intendedNs) {
    return intendedNs >= firstRollCallNs;
  }
}
