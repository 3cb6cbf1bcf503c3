package echoladder.servers.micronauthttp;

import echoladder.servers.kit.EchoContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.http.netty.channel.ChannelPipelineCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import jakarta.inject.Singleton;
import java.time.Duration;

/** A {@link SocketGuard} for each connection of a server that pushes over WebSocket, and the end of all of them. */
@Singleton
@Requires(property = Configuration.PROTOCOL, value = Configuration.WEBSOCKET)
@Requires(property = Configuration.TRAFFIC, value = Configuration.PUSH)
final class SocketGuards implements Guard {
  private final PushHub hub;
  private final EchoContext context;
  private final int maxMessageBytes;
  private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

  SocketGuards(PushHub hub, EchoContext context, @Value("${" + Configuration.MAX_MESSAGE_BYTES + "}") int maxMessageBytes) {
    this.hub = hub;
    this.context = context;
    this.maxMessageBytes = maxMessageBytes;
  }

  @Override
  public void add(ChannelPipeline pipeline) {
    pipeline.addAfter(
        ChannelPipelineCustomizer.HANDLER_HTTP_SERVER_CODEC, "socket-guard", new SocketGuard(hub, maxMessageBytes, context));
    connections.add(pipeline.channel());
  }

  @Override
  public void sayGoodbye() {
    // Messages that have arrived are delivered as ever.
  }

  /** A connection ends when its publishes are answered. */
  @Override
  public Duration quietMost(Duration limit) {
    return limit.dividedBy(2);
  }

  @Override
  public long inFlight() {
    return 0;
  }

  @Override
  public void dismiss() {
    for (Channel connection : connections) {
      connection.eventLoop().execute(() -> end(connection));
    }
  }

  private static void end(Channel connection) {
    ChannelHandlerContext ctx = connection.pipeline().context(SocketGuard.class);
    if (ctx != null && ctx.handler() instanceof SocketGuard guard) {
      guard.stop(ctx);
    }
  }

  @Override
  public long left() {
    return connections.size();
  }
}
