package echoladder.servers.micronauthttp;

import echoladder.servers.kit.EchoContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.http.netty.channel.ChannelPipelineCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.concurrent.GlobalEventExecutor;
import jakarta.inject.Singleton;

/** A {@link MessageGuard} for each connection, and a goodbye to all of them. */
@Singleton
@Requires(property = Configuration.PROTOCOL, value = Configuration.WEBSOCKET)
@Requires(property = Configuration.TRAFFIC, value = Configuration.ECHO)
final class MessageGuards implements Guard {
  private final EchoContext context;
  private final int maxMessageBytes;
  private final Traffic traffic = new Traffic();
  private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

  MessageGuards(EchoContext context, @Value("${" + Configuration.MAX_MESSAGE_BYTES + "}") int maxMessageBytes) {
    this.context = context;
    this.maxMessageBytes = maxMessageBytes;
  }

  @Override
  public void add(ChannelPipeline pipeline) {
    MessageGuard guard = new MessageGuard(maxMessageBytes, traffic, context);
    pipeline.addAfter(ChannelPipelineCustomizer.HANDLER_HTTP_SERVER_CODEC, "message-guard", guard);
    connections.add(pipeline.channel());
  }

  @Override
  public void sayGoodbye() {
    // Messages that have arrived are echoed as ever.
  }

  @Override
  public long inFlight() {
    return traffic.inFlight();
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // Each ends its own connection.
  public void dismiss() {
    for (Channel connection : connections) {
      connection
          .writeAndFlush(new CloseWebSocketFrame(WebSocketCloseStatus.ENDPOINT_UNAVAILABLE, "stopping"))
          .addListener(ChannelFutureListener.CLOSE);
    }
  }

  @Override
  public long left() {
    return connections.size();
  }
}
