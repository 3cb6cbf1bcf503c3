package echoladder.openloop;

import java.io.IOException;

/** The client process said that the load cannot be done on this host; the message says why and what to do. */
public final class LoadNotPossibleException extends IOException {
  private static final long serialVersionUID = 1;

  LoadNotPossibleException(String message) {
    super(message);
  }
}
