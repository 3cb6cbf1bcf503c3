package echoladder.harness.results;

import echoladder.linux.ErrorText;
import java.io.IOException;

/** A run's folder takes nothing more: no finding about a rung, and the end of the run until there is room again. */
public final class UnwritableException extends IOException {
  private static final long serialVersionUID = 1;

  /** The message of {@code cause} is a user's. */
  public UnwritableException(String what, IOException cause) {
    super(what + ": " + ErrorText.of(cause), cause);
  }
}
