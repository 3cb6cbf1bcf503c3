package echoladder.openloop;

/** A load that cannot be begun on this host, or may not be; the message says why and what to do. */
final class PlanNotPossible extends Exception {
  private static final long serialVersionUID = 1;

  PlanNotPossible(String message) {
    super(message);
  }

  PlanNotPossible(String message, Throwable cause) {
    super(message, cause);
  }
}
