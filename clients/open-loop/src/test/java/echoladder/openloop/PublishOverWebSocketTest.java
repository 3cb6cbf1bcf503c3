package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Protocol;
import echoladder.client.Publish;
import echoladder.client.ReasonCode;
import echoladder.client.websocket.Frames;
import echoladder.openloop.testserver.WebSocketServer;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The connection that publishes over WebSocket, against a server that delivers nothing. */
class PublishOverWebSocketTest {
  private static final int SUBSCRIBERS = 5;
  private static final int PUBLISH = 3;

  /** The answer to a frame of push, whose kind is 4 above that of what it answers. */
  private static byte[] answer(byte[] message) {
    boolean publish = message[0] == PUBLISH;
    ByteBuffer frame = ByteBuffer.allocate(publish ? 9 : 5).put((byte) (message[0] + 4)).put(message, 1, 4);
    return Frames.plain(Frames.BINARY, true, (publish ? frame.putInt(SUBSCRIBERS) : frame).array());
  }

  private static Measured load(WebSocketServer server) throws Exception {
    return Measured.run(
        Measured.plan(server.target(), SUBSCRIBERS, 100 * SUBSCRIBERS, Duration.ofSeconds(1))
            .protocol(Protocol.WEBSOCKET).publish(Publish.ALL).drain(Duration.ofMillis(200)));
  }

  @Test
  void aPingGetsItsPongAndTheConnectionGoesOn() throws Exception {
    WebSocketServer.Manners pinging =
        (connection, number, message) -> {
          ByteArrayOutputStream all = new ByteArrayOutputStream();
          if (message[0] == PUBLISH) {
            all.writeBytes(Frames.plain(Frames.PING, true, new byte[] {'h', 'e', 'y'}));
          }
          all.writeBytes(answer(message));
          return all.toByteArray();
        };
    try (WebSocketServer server = new WebSocketServer(pinging)) {
      Measured load = load(server);
      assertThat(server.pongs()).isNotEmpty().containsOnly("hey");
      assertThat(load.result().errors()).isEmpty();
      assertThat(load.reasons()).contains(ReasonCode.UNANSWERED).doesNotContain(ReasonCode.CONNECTIONS_LOST, ReasonCode.AUDIENCES_DIFFER);
    }
  }

  /** What is announced is no answer, so none of it is waited for, or kept. */
  @Test
  void aLongMessageInPlaceOfAnAnswerEndsTheConnection() throws Exception {
    byte[] head = new byte[10];
    Frames.head(MemorySegment.ofArray(head), 0, Frames.BINARY, true, 100_000_000);
    WebSocketServer.Manners endless = (connection, number, message) -> message[0] == PUBLISH ? head : answer(message);
    try (WebSocketServer server = new WebSocketServer(endless)) {
      Measured load = load(server);
      assertThat(load.result().errors()).containsKey("publisher: bytes that answer no publish");
      assertThat(load.reasons()).contains(ReasonCode.CONNECTIONS_LOST);
    }
  }
}
