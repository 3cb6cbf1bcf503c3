package echoladder.client.page;

import java.io.IOException;

/** A page that came whole, and says something that cannot be meant: the message has the line. */
public final class GarbledPageException extends IOException {
  private static final long serialVersionUID = 1;

  GarbledPageException(String message) {
    super(message);
  }
}
