package echoladder.servers.netty;

import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.PushFrames;
import echoladder.servers.kit.PushOptions;
import echoladder.servers.netty.PushHub.Subscription;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Push on one connection over TCP, by the project's own frames. */
final class PushHandler extends SubscriberHandler {
  private final PushFrames frames = new PushFrames();
  private final List<Subscription> subscriptions = new ArrayList<>(1);

  PushHandler(PushHub hub, EchoContext context) {
    super(hub, context);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf in = (ByteBuf) message;
    try {
      received(in.readableBytes());
      ByteBuffer bytes = in.nioBuffer();
      for (byte[] frame; !ended() && (frame = frames.next(bytes)) != null; ) {
        take(ctx, frame);
      }
    } catch (PushFrames.Malformed e) {
      malformed(ctx);
    } finally {
      in.release();
    }
  }

  private void take(ChannelHandlerContext ctx, byte[] frame) {
    int topic = PushFrames.topic(frame);
    switch (PushFrames.kind(frame)) {
      case PushFrames.SUBSCRIBE -> subscribe(ctx, topic);
      case PushFrames.LEAVE -> leave(ctx, topic);
      default ->
          // Outside the heap, so that it is not copied for each subscriber.
          publish(ctx, ctx.alloc().directBuffer(frame.length).writeBytes(PushFrames.toMessage(frame)), topic);
    }
  }

  private void subscribe(ChannelHandlerContext ctx, int topic) {
    if (find(topic) == null) {
      if (subscriptions.size() == PushOptions.MOST_SUBSCRIPTIONS) {
        malformed(ctx);
        return;
      }
      subscriptions.add(here().subscribe(topic, this));
    }
    reply(ctx, PushFrames.reply(PushFrames.SUBSCRIBED, topic));
  }

  private void leave(ChannelHandlerContext ctx, int topic) {
    Subscription found = find(topic);
    if (found != null) {
      here().leave(found);
      subscriptions.remove(found);
    }
    reply(ctx, PushFrames.reply(PushFrames.LEFT, topic));
  }

  private @Nullable Subscription find(int topic) {
    for (Subscription each : subscriptions) {
      if (each.topic == topic) {
        return each;
      }
    }
    return null;
  }

  @Override
  void leaveAll() {
    subscriptions.forEach(each -> here().leave(each));
    subscriptions.clear();
  }

  @Override
  boolean isMessage(ByteBuf frame) {
    return frame.getByte(frame.readerIndex() + PushFrames.KIND_AT) == PushFrames.MESSAGE;
  }

  @Override
  Object framed(ByteBuf frame) {
    return frame;
  }

  @Override
  void answer(ChannelHandlerContext ctx, int topic, int took) {
    reply(ctx, PushFrames.published(topic, took));
  }
}
