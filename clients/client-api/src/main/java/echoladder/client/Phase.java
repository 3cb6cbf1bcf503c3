package echoladder.client;

/** The phases of one rung, in order. A message belongs to the phase of its intended send. */
public enum Phase {
  /** Connections are opened, each proven by one verified echo. */
  RAMP,
  /** The load runs, nothing is recorded for the result. */
  WARM_UP,
  /** The load runs and every message counts. */
  STEADY,
  /** Nothing new is intended; what is owed is sent and awaited. */
  DRAIN,
  /**
   * Nothing is owed any more and nothing is sent; the connections stay open until the listener returns, so that memory
   * can be measured with all of them held.
   */
  HOLD,
  /** The server is ended and started again; every connection that this ended is opened again. Only where the plan asks for it. */
  STORM,
  /** Every connection is asked for one more echo, which is in no recorded time. Then all are closed. */
  ROLL_CALL
}
