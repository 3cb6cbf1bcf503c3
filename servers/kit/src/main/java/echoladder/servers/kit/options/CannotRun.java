package echoladder.servers.kit.options;

/** The server cannot run here: the message says what was tried, what was seen and what to do. Exit status 3. */
public final class CannotRun extends RuntimeException {
  private static final long serialVersionUID = 1;

  public CannotRun(String message) {
    super(message);
  }

  public CannotRun(String message, Throwable cause) {
    super(message, cause);
  }
}
