package echoladder.servers.helidon;

import echoladder.servers.kit.PushFrames;
import echoladder.servers.kit.PushTalk;
import io.helidon.common.buffers.BufferData;
import io.helidon.common.socket.SocketWriterException;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.websocket.WsCloseCodes;
import io.helidon.websocket.WsListener;
import io.helidon.websocket.WsSession;
import java.io.ByteArrayOutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One connection that pushes over WebSocket: each binary message is a frame of push without its length. Helidon calls it on the
 * connection's virtual thread, which reads; a second one writes.
 */
final class PushListener extends PushTalk implements WsListener {
  /** The longest body of a publish. */
  static final int MOST_BODY_BYTES = 1 << 20;

  /** Kind and topic, in front of a body. */
  static final int MESSAGE_HEAD_BYTES = 5;

  /** Before a message, where {@link PushFrames} has the length of a frame. */
  private static final int LENGTH_BYTES = PushFrames.KIND_AT;

  private static final int HEAD_BYTES = LENGTH_BYTES + MESSAGE_HEAD_BYTES;

  private final Push push;
  private final int maxMessageBytes;

  /** The fragments of a message so far, behind room for its length. */
  private @Nullable ByteArrayOutputStream fragments;

  private @Nullable Outbox outbox;
  private @Nullable Thread writer;

  PushListener(Push push, int maxMessageBytes) {
    super(push.topics());
    this.push = push;
    this.maxMessageBytes = maxMessageBytes;
  }

  @Override
  public void onOpen(WsSession session) {
    CountedConnection connection = CountedConnection.current();
    connection.whenClosed(() -> ended(connection, session));
  }

  @Override
  public void onMessage(WsSession from, BufferData payload, boolean last) {
    int bytes = payload.available();
    push.context().metrics().received(bytes);
    ByteArrayOutputStream before = fragments;
    if (bytes > maxMessageBytes - (before == null ? 0 : before.size() - LENGTH_BYTES)) {
      from.close(WsCloseCodes.TOO_BIG, "a message is at most " + maxMessageBytes + " bytes");
      throw new CloseConnectionException("a message was too large");
    }
    if (before == null && last) {
      byte[] frame = new byte[LENGTH_BYTES + bytes];
      payload.read(frame, LENGTH_BYTES, bytes);
      take(from, frame);
      return;
    }
    if (before == null) {
      before = new ByteArrayOutputStream(LENGTH_BYTES + bytes);
      before.writeBytes(new byte[LENGTH_BYTES]);
      fragments = before;
    }
    before.writeBytes(payload.readBytes());
    if (last) {
      fragments = null;
      take(from, before.toByteArray());
    }
  }

  @Override
  public void onMessage(WsSession from, String text, boolean last) {
    throw malformed("a text message");
  }

  private void take(WsSession from, byte[] frame) {
    ByteBuffer.wrap(frame).putInt(frame.length - LENGTH_BYTES);
    if (!wellFormed(frame)) {
      throw malformed("a message that is no frame of push");
    }
    try {
      take(frame, outbox(from));
    } catch (PushFrames.Malformed e) {
      throw malformed(String.valueOf(e.getMessage()));
    }
  }

  /** Whether a client may send a frame. */
  private static boolean wellFormed(byte[] frame) {
    int bodyBytes = frame.length - HEAD_BYTES;
    if (bodyBytes < 0 || bodyBytes > MOST_BODY_BYTES || PushFrames.topic(frame) < 0) {
      return false;
    }
    return switch (PushFrames.kind(frame)) {
      case PushFrames.SUBSCRIBE, PushFrames.LEAVE -> bodyBytes == 0;
      case PushFrames.PUBLISH -> true;
      default -> false;
    };
  }

  /** Ends the connection without a close frame. */
  private CloseConnectionException malformed(String why) {
    push.metrics().malformed();
    return new CloseConnectionException(why);
  }

  /** Made for the first frame: a connection that says nothing has one thread. */
  private Outbox outbox(WsSession session) {
    Outbox made = outbox;
    if (made == null) {
      made = new SocketOutbox(CountedConnection.current().peer(), push, session);
      writer = Thread.ofVirtual().start(made);
      outbox = made;
    }
    return made;
  }

  /** Helidon writes one frame behind the other, so a pong waits for the message that is being written, and its client with it. */
  @Override
  public void onPing(WsSession from, BufferData payload) {
    from.pong(payload);
  }

  /** Answers a close frame behind what is queued. */
  @Override
  public void onClose(WsSession from, int status, String reason) {
    finish();
    from.close(mayBeSent(status) ? status : WsCloseCodes.NORMAL_CLOSE, "");
  }

  /** Those of RFC 6455 (7.4) and those that were registered since. */
  private static boolean mayBeSent(int status) {
    return (status >= 1000 && status <= 1003) || (status >= 1007 && status <= 1014) || (status >= 3000 && status <= 4999);
  }

  /** Nothing more is read. */
  private void ended(CountedConnection connection, WsSession session) {
    if (!connection.whole()) {
      abandon();
      return;
    }
    finish();
    if (push.peers().stopping()) {
      try {
        session.close(WsCloseCodes.GOING_AWAY, "stopping");
      } catch (CloseConnectionException | SocketWriterException | UncheckedIOException e) {
        // The client has gone before it could be told.
      }
    }
  }

  /** Ends the subscriptions, and waits until all is written that is queued, or dropped. */
  private void finish() {
    leaveAll();
    if (outbox != null) {
      outbox.finish();
      awaitWriter();
    }
  }

  private void abandon() {
    leaveAll();
    if (outbox != null) {
      outbox.abandon();
      awaitWriter();
    }
  }

  private void awaitWriter() {
    if (writer == null) {
      return;
    }
    try {
      writer.join();
    } catch (InterruptedException e) {
      // Helidon gives up on the connection.
      Thread.currentThread().interrupt();
    }
  }
}
