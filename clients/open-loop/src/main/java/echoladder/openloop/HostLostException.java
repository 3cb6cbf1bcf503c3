package echoladder.openloop;

import java.io.IOException;

/** A host of a load died, stood still or lost its link; the message names it and says what was seen. */
public final class HostLostException extends IOException {
  private static final long serialVersionUID = 1;

  /** That sentence. */
  public HostLostException(String message) {
    super(message);
  }

  /** A host was lost; {@code cause} is the failure by which that was seen. */
  public HostLostException(String message, Throwable cause) {
    super(message, cause);
  }
}
