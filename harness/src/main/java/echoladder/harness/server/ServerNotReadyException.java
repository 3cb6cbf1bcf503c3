package echoladder.harness.server;

/** A server process that ended, kept silent or said something else than its ready line. */
public final class ServerNotReadyException extends Exception {
  private static final long serialVersionUID = 1;

  /** The message says what was seen, with the end of the server's log. */
  public ServerNotReadyException(String message) {
    super(message);
  }
}
