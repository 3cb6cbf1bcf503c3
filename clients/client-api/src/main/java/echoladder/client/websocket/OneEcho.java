package echoladder.client.websocket;

import echoladder.client.Target;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One echo over WebSocket by hand: the upgrade, one binary message, its echo, the close. All of it has one deadline. */
public final class OneEcho {
  private static final String DUE = "echo";

  private OneEcho() {}

  /**
   * Asks for one echo.
   *
   * @param path that the upgrade is asked at
   * @param source address to connect from; null = the kernel's choice
   * @throws IOException that says what was wrong with it
   */
  public static void of(Target target, String path, byte[] message, @Nullable String source, Duration bound) throws IOException {
    try (OneSocket socket = OneSocket.open(target, path, DUE, source, bound)) {
      echo(socket, message);
    }
  }

  /**
   * Asks for one echo on a connection that is there, and closes it.
   *
   * @param connected to {@code target}
   * @param path that the upgrade is asked at
   * @throws IOException that says what was wrong with it
   */
  public static void on(Socket connected, Target target, String path, byte[] message, Duration bound) throws IOException {
    try (OneSocket socket = OneSocket.on(connected, target, path, DUE, bound)) {
      echo(socket, message);
    }
  }

  private static void echo(OneSocket socket, byte[] message) throws IOException {
    socket.send(Frames.BINARY, message);
    byte[] echoed = socket.message(message.length);
    if (socket.text()) {
      throw new IOException("its echo of a binary message is text");
    }
    if (echoed.length > message.length) {
      throw new IOException("%d bytes were sent and more came back".formatted(message.length));
    }
    if (!Arrays.equals(echoed, message)) {
      throw new IOException(
          "%d bytes were sent and %d came back%s"
              .formatted(message.length, echoed.length, echoed.length == message.length ? ", other ones" : ""));
    }
    socket.send(Frames.CLOSE, CloseCode.body(CloseCode.NORMAL));
  }
}
