package echoladder.openloop.connection;

/** A load that cannot be begun on this host, or may not be; the message says why and what to do. */
public final class PlanNotPossible extends Exception {
  private static final long serialVersionUID = 1;

  public PlanNotPossible(String message) {
    super(message);
  }

  public PlanNotPossible(String message, Throwable cause) {
    super(message, cause);
  }
}
