package echoladder.servers.micronauthttp;

import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.PushFrames;
import echoladder.servers.kit.options.PushOptions;
import io.micronaut.websocket.WebSocketSession;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Push on one connection over WebSocket: each binary message is a frame without its length. */
final class SocketMailbox extends Mailbox {
  /** Publishes of one client that loops may still have in hand while more is read from it. */
  private static final int MOST_PUBLISHING = 64;

  private final EchoContext context;
  private final List<PushHub.Subscription> subscriptions = new ArrayList<>(1);

  /** Set by the first message of the client, before which it is sent nothing. */
  private @Nullable WebSocketSession session;

  private int publishing;

  /** The code of the client's close frame; negative where it has none. */
  private int closeCode = WebSocketCloseStatus.ENDPOINT_UNAVAILABLE.code();

  SocketMailbox(PushHub hub, Channel channel, EchoContext context) {
    super(hub, channel, context.metrics());
    this.context = context;
  }

  /** Takes a message of the client. */
  void take(ByteBuf payload, WebSocketSession from) {
    session = from;
    if (closing()) {
      return;
    }
    byte[] frame = checked(payload);
    if (frame == null) {
      malformed();
      return;
    }
    int topic = PushFrames.topic(frame);
    switch (PushFrames.kind(frame)) {
      case PushFrames.SUBSCRIBE -> subscribe(topic);
      case PushFrames.LEAVE -> leave(topic);
      default -> publish(topic, withoutLength(PushFrames.toMessage(frame)));
    }
  }

  /** The frame with its length in front; null where it is none. */
  private static byte @Nullable [] checked(ByteBuf payload) {
    int bytes = payload.readableBytes();
    byte[] frame = new byte[PushFrames.KIND_AT + bytes];
    ByteBuffer.wrap(frame).putInt(bytes);
    payload.getBytes(payload.readerIndex(), frame, PushFrames.KIND_AT, bytes);
    try {
      return new PushFrames().next(ByteBuffer.wrap(frame));
    } catch (PushFrames.Malformed e) {
      return null;
    }
  }

  private static byte[] withoutLength(byte[] frame) {
    return Arrays.copyOfRange(frame, PushFrames.KIND_AT, frame.length);
  }

  private void subscribe(int topic) {
    if (find(topic) == null) {
      if (subscriptions.size() == PushOptions.MOST_SUBSCRIPTIONS) {
        malformed();
        return;
      }
      subscriptions.add(hub.subscribe(channel.eventLoop(), topic, this));
    }
    reply(withoutLength(PushFrames.reply(PushFrames.SUBSCRIBED, topic)));
  }

  private void leave(int topic) {
    PushHub.Subscription found = find(topic);
    if (found != null) {
      found.leave();
      subscriptions.remove(found);
    }
    reply(withoutLength(PushFrames.reply(PushFrames.LEFT, topic)));
  }

  private PushHub.@Nullable Subscription find(int topic) {
    for (PushHub.Subscription each : subscriptions) {
      if (each.topic == topic) {
        return each;
      }
    }
    return null;
  }

  private void publish(int topic, byte[] message) {
    publishing++;
    changed();
    // Always by a task: the replies of other loops' threads come so, and this one must not overtake them.
    hub.publish(topic, Outgoing.message(message), took -> channel.eventLoop().execute(() -> published(topic, took)));
  }

  private void published(int topic, int took) {
    publishing--;
    reply(withoutLength(PushFrames.published(topic, took)));
    changed();
    settle();
  }

  /** What a client sent is none of what it may send. */
  void malformed() {
    if (!closing()) {
      hub.metrics.malformed();
      end();
      context.metrics().connectionBroken();
      var _ = channel.close();
    }
  }

  /** The client has sent a close frame, which is answered behind what waits. */
  void closeAsked(int code) {
    closeCode = code;
    finish();
  }

  @Override
  boolean owes() {
    return publishing > 0;
  }

  /**
   * Who does not take what is sent is not read from, nor who publishes faster than the loops hand it on. Behind the client's FIN nothing
   * is to be read, and Netty's epoll watches for nothing that could be.
   */
  @Override
  void changed() {
    if (!closing()) {
      channel.config().setAutoRead(nothingWaits() && channel.isWritable() && publishing < MOST_PUBLISHING);
    }
  }

  @Override
  boolean wanted() {
    return session != null && session.isOpen();
  }

  @Override
  void hand(Outgoing next) {
    WebSocketSession open = session;
    if (open == null) {
      throw new IllegalStateException("a message for a client that has said nothing");
    }
    var _ =
        open.sendAsync(new BinaryWebSocketFrame(Unpooled.wrappedBuffer(next.bytes())))
            .whenComplete(
                (_, failure) -> {
                  if (failure == null) {
                    written(next);
                  } else {
                    // Netty finds no memory to copy it to, say: the frame's head may be out.
                    lost(next);
                    var _ = channel.close();
                  }
                });
  }

  @Override
  void leaveAll() {
    subscriptions.forEach(PushHub.Subscription::leave);
    subscriptions.clear();
  }

  /** The connection closes behind the close frame. */
  @Override
  void finished() {
    var _ = channel.writeAndFlush(closeCode < 0 ? new CloseWebSocketFrame() : new CloseWebSocketFrame(closeCode, ""));
  }
}
