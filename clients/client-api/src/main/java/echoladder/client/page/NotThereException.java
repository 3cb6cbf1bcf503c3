package echoladder.client.page;

import java.io.IOException;

/** A server that answers, but has no such page: 404 or 405. */
public final class NotThereException extends IOException {
  private static final long serialVersionUID = 1;

  NotThereException(String message) {
    super(message);
  }
}
