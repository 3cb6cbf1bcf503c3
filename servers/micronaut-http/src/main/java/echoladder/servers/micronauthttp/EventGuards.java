package echoladder.servers.micronauthttp;

import echoladder.servers.kit.AcceptErrors;
import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.options.HttpOptions;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.http.netty.channel.ChannelPipelineCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketServerExtensionHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A {@link RequestGuard} and an {@link EventGuard} for each connection of a server that pushes over HTTP, and the end of all of them. */
@Singleton
@Requires(property = Configuration.PROTOCOL, value = Configuration.HTTP)
@Requires(property = Configuration.TRAFFIC, value = Configuration.PUSH)
final class EventGuards implements Guard {
  /** Publishes come without waiting for answers: as many as reads bring before reading pauses. Netty itself ends a connection at 128. */
  private static final int MOST_PIPELINED = 32 << 10;

  private final long requestTimeoutNs;
  private final int maxHeaderBytes;
  private final boolean onThreads;
  private final AcceptErrors acceptErrors;
  private final Traffic traffic = new Traffic();
  private final AtomicLong streams = new AtomicLong();
  private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

  EventGuards(EchoContext context, HttpOptions http, @Value("${" + Configuration.MODE + "}") String mode) {
    this.acceptErrors = context.acceptErrors();
    this.requestTimeoutNs = http.requestTimeout().toNanos();
    this.maxHeaderBytes = http.maxHeaderBytes();
    this.onThreads = !mode.equals(Mode.EVENT_LOOP.toString());
  }

  @Override
  public void add(ChannelPipeline pipeline) {
    RequestGuard guard = new RequestGuard(requestTimeoutNs, traffic, acceptErrors);
    String codec = ChannelPipelineCustomizer.HANDLER_HTTP_SERVER_CODEC;
    HttpDecoderConfig bounds = new HttpDecoderConfig().setMaxInitialLineLength(maxHeaderBytes).setMaxHeaderSize(maxHeaderBytes);
    // Micronaut has no setting for how many requests may be under way. Nothing was read yet.
    pipeline.replace(codec, codec, new HttpServerCodec(bounds, MOST_PIPELINED));
    if (pipeline.get(WebSocketServerExtensionHandler.class) != null) {
      // It has the same bound, and nothing is upgraded here.
      pipeline.remove(WebSocketServerExtensionHandler.class);
    }
    pipeline.addBefore(codec, "first-bytes", guard.firstBytes());
    pipeline.addAfter(codec, "request-guard", guard);
    pipeline.addAfter("request-guard", "event-guard", new EventGuard(guard, streams));
    if (onThreads) {
      pipeline.addAfter("event-guard", "request-turns", new RequestTurns(guard::dropped));
    }
    connections.add(pipeline.channel());
  }

  @Override
  public void sayGoodbye() {
    traffic.sayGoodbye();
  }

  @Override
  public long inFlight() {
    return traffic.inFlight() - streams.get();
  }

  @Override
  public Duration quietMost(Duration limit) {
    return limit.dividedBy(2);
  }

  @Override
  public void dismiss() {
    for (Channel connection : connections) {
      connection.eventLoop().execute(() -> end(connection));
    }
  }

  private static void end(Channel connection) {
    EventGuard guard = connection.pipeline().get(EventGuard.class);
    if (guard == null || !guard.finishes()) {
      var _ = connection.close();
    }
  }

  @Override
  public long left() {
    return connections.size();
  }
}
