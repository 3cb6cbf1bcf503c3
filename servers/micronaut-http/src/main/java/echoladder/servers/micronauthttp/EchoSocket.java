package echoladder.servers.micronauthttp;

import echoladder.servers.kit.EchoContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.websocket.WebSocketSession;
import io.micronaut.websocket.annotation.OnError;
import io.micronaut.websocket.annotation.OnMessage;
import io.micronaut.websocket.annotation.ServerWebSocket;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.io.IOException;

/** Sends each frame back as it came. Micronaut hands it over as Netty has it, where it is asked for as such. */
@ServerWebSocket("/echo")
@Requires(property = Configuration.PROTOCOL, value = Configuration.WEBSOCKET)
@Requires(property = Configuration.TRAFFIC, value = Configuration.ECHO)
final class EchoSocket {
  /** Fixed when it is compiled: Micronaut takes it from the annotation. */
  static final int FRAME_BYTES_MAX = 1 << 20;

  private final EchoContext context;

  EchoSocket(EchoContext context) {
    this.context = context;
  }

  /** The frame is this method's to release; the session does so once it is sent. A send that fails ends with its connection. */
  @OnMessage(maxPayloadLength = FRAME_BYTES_MAX)
  void onMessage(WebSocketFrame frame, WebSocketSession session) {
    if (session.isOpen()) {
      var _ = session.sendAsync(frame);
    } else {
      frame.release();
    }
  }

  /** Without it Micronaut prints a stack for whatever a client does. */
  @OnError
  void onError(Throwable seen, WebSocketSession session) {
    context.metrics().connectionBroken();
    // Netty has answered a broken frame and closed what was reset.
    if (!(seen instanceof CorruptedWebSocketFrameException) && !(seen instanceof IOException)) {
      session.close();
    }
  }
}
