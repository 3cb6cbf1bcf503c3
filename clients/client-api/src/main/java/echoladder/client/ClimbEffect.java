package echoladder.client;

/** What a way to fail says about the climb of the server. */
public enum ClimbEffect {
  /** The climb ends: the server did not start, or died. No other reason excuses that. */
  SERVER_FAILED,
  /** The climb ends: the server did not hold the rung, unless another reason {@link #EXCUSES} it. */
  NOT_HELD,
  /** The climb ends: the server was slower than the study bears, unless another reason {@link #EXCUSES} it. */
  TOO_SLOW,
  /** What the server did not hold may be missing by this fault, so the climb goes on. */
  EXCUSES,
  /** It says nothing about what the server holds. */
  NOTHING
}
