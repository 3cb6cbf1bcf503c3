package echoladder.servers.helidon;

import echoladder.servers.kit.PushFrames;
import io.helidon.common.buffers.BufferData;
import io.helidon.websocket.WsSession;
import java.util.List;

/** What waits for a connection over WebSocket: frames of push with their length in front, each of which is sent as a message without it. */
final class SocketOutbox extends Outbox {
  /** Helidon writes each message by itself. */
  private static final int ONE_BY_ONE = 0;

  private final WsSession session;

  SocketOutbox(Peer peer, Push push, WsSession session) {
    super(peer, push, ONE_BY_ONE);
    this.session = session;
  }

  @Override
  int send(List<byte[]> frames, int bytes) {
    for (byte[] frame : frames) {
      session.send(BufferData.createReadOnly(frame, PushFrames.KIND_AT, frame.length - PushFrames.KIND_AT), true);
    }
    return bytes - frames.size() * PushFrames.KIND_AT;
  }
}
