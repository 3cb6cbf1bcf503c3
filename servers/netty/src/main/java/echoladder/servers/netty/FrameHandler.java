package echoladder.servers.netty;

import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.PushFrames;
import echoladder.servers.kit.options.PushOptions;
import echoladder.servers.netty.PushHub.Subscription;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Push on one connection by the project's own frames, whatever carries them. */
abstract class FrameHandler extends SubscriberHandler {
  private final List<Subscription> subscriptions = new ArrayList<>(1);

  FrameHandler(PushHub hub, EchoContext context) {
    super(hub, context);
  }

  /** A message or reply as it waits here, of a frame with its length in front. */
  abstract ByteBuf kept(ChannelHandlerContext ctx, byte[] frame);

  /** Takes a frame of the client, with its length in front. */
  final void take(ChannelHandlerContext ctx, byte[] frame) {
    int topic = PushFrames.topic(frame);
    switch (PushFrames.kind(frame)) {
      case PushFrames.SUBSCRIBE -> subscribe(ctx, topic);
      case PushFrames.LEAVE -> leave(ctx, topic);
      default -> publish(ctx, kept(ctx, PushFrames.toMessage(frame)), topic);
    }
  }

  private void reply(ChannelHandlerContext ctx, byte[] frame) {
    if (!ended()) {
      var _ = send(ctx, kept(ctx, frame));
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
  final void leaveAll() {
    subscriptions.forEach(each -> here().leave(each));
    subscriptions.clear();
  }

  @Override
  final void answer(ChannelHandlerContext ctx, int topic, int took) {
    reply(ctx, PushFrames.published(topic, took));
  }
}
