package echoladder.servers.micronauthttp;

import echoladder.servers.kit.AcceptErrors;
import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.options.HttpOptions;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.netty.channel.ChannelPipelineCustomizer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import jakarta.inject.Singleton;

/** A {@link RequestGuard} for each connection. */
@Singleton
@Requires(property = Configuration.PROTOCOL, value = Configuration.HTTP)
@Requires(property = Configuration.TRAFFIC, value = Configuration.ECHO)
final class HttpGuard implements Guard {
  private final long requestTimeoutNs;
  private final AcceptErrors acceptErrors;
  private final Traffic traffic = new Traffic();
  /** Connections over TLS, which the drain ends by close_notify. */
  private final ChannelGroup overTls = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

  HttpGuard(EchoContext context, HttpOptions http) {
    this.acceptErrors = context.acceptErrors();
    this.requestTimeoutNs = http.requestTimeout().toNanos();
  }

  @Override
  public void add(ChannelPipeline pipeline) {
    RequestGuard guard = new RequestGuard(requestTimeoutNs, traffic, acceptErrors);
    String codec = ChannelPipelineCustomizer.HANDLER_HTTP_SERVER_CODEC;
    pipeline.addBefore(codec, "first-bytes", guard.firstBytes());
    pipeline.addAfter(codec, "request-guard", guard);
    if (pipeline.get(SslHandler.class) != null) {
      overTls.add(pipeline.channel());
    }
  }

  @Override
  public void sayGoodbye() {
    traffic.sayGoodbye();
  }

  @Override
  public long inFlight() {
    return traffic.inFlight();
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // Closed connections leave the group.
  public void dismiss() {
    // The connections that are left wait for a request that will not come. Without TLS the end of the process closes them.
    overTls.close();
  }

  @Override
  public long left() {
    return traffic.inFlight() + overTls.size();
  }
}
