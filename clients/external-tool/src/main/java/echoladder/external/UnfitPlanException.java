package echoladder.external;

import java.io.IOException;

/** A load that this tool cannot do, or not on this host; the message says why and what to do. Ends in exit status 3. */
public final class UnfitPlanException extends IOException {
  private static final long serialVersionUID = 1;

  public UnfitPlanException(String message) {
    super(message);
  }

  public UnfitPlanException(String message, Throwable cause) {
    super(message, cause);
  }
}
