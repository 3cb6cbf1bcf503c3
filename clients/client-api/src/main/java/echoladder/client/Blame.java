package echoladder.client;

/**
 * Whose fault a way to fail is. {@link Verdict#of} follows from it: what the server or the full host could not carry is a
 * result, unless the client or others spoiled the measurement.
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
