package echoladder.harness.host;

import echoladder.client.PushPaths;
import echoladder.client.Target;
import echoladder.client.websocket.CloseCode;
import echoladder.client.websocket.Frames;
import echoladder.client.websocket.OneSocket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One subscriber and one message by the harness itself, to a server that is to push text over WebSocket, before any load: the message has
 * to come back as the first one of the subscriber.
 */
final class TextSocketCheck {
  private static final int MOST_BYTES = 1 << 10;

  private TextSocketCheck() {}

  /** Throws an {@link IOException} that says what was wrong; the parameters are those of {@link PushCheck#of}. */
  static void of(PushPaths paths, Target target, @Nullable String source) throws IOException {
    try (OneSocket subscriber = open(paths.subscribePath(CheckedMessage.TOPIC), target, source)) {
      if (!paths.publishesBySocket()) {
        CheckedMessage.talk(source, client -> CheckedMessage.post(client, paths, target));
        comes(subscriber);
        return;
      }
      // To end it before the message has come could lose the message: nobody reads what the server sends on it, so TCP would reset it.
      try (OneSocket publisher = open(paths.publishPath(CheckedMessage.TOPIC), target, source)) {
        publisher.send(Frames.TEXT, CheckedMessage.WORDS.getBytes(StandardCharsets.UTF_8));
        comes(subscriber);
        publisher.send(Frames.CLOSE, CloseCode.body(CloseCode.NORMAL));
      }
    }
  }

  private static OneSocket open(String path, Target target, @Nullable String source) throws IOException {
    return OneSocket.open(target, path, "message", source, CheckedMessage.BOUND);
  }

  private static void comes(OneSocket subscriber) throws IOException {
    String got = new String(subscriber.message(MOST_BYTES), StandardCharsets.UTF_8);
    CheckedMessage.compare(got, "message", "a subscriber has to get what is published and nothing else");
    subscriber.send(Frames.CLOSE, CloseCode.body(CloseCode.NORMAL));
  }
}
