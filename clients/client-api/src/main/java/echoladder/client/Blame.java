package echoladder.client;

/**
 * Whose fault a way to fail is. Blame on {@link #SERVER} or {@link #HOST} is a finding: the load could not be carried here.
 * Blame on anything else means that the measurement itself is at fault, and then it is no finding whatever else was seen.
 */
public enum Blame {
  /** The server did not do what was asked of it. */
  SERVER,
  /** The host had nothing left to give: server and client together used it up. */
  HOST,
  /** The load tool did not do what it was asked, or its figures contradict each other. */
  CLIENT,
  /** Somebody else disturbed the measurement: other work on the host, a changed setting, the user who stopped it. */
  OTHERS,
  /** The study asked for too little, or the harness could not see in time what it needed to see. */
  STUDY
}
