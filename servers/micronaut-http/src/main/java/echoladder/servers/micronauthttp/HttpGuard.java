package echoladder.servers.micronauthttp;

import echoladder.servers.kit.AcceptErrors;
import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.options.HttpOptions;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.netty.channel.ChannelPipelineCustomizer;
import io.netty.channel.ChannelPipeline;
import jakarta.inject.Singleton;

/** A {@link RequestGuard} for each connection. */
@Singleton
@Requires(property = Configuration.PROTOCOL, value = Configuration.HTTP)
@Requires(property = Configuration.TRAFFIC, value = Configuration.ECHO)
final class HttpGuard implements Guard {
  private final long requestTimeoutNs;
  private final AcceptErrors acceptErrors;
  private final Traffic traffic = new Traffic();

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
  public void dismiss() {
    // The connections that are left wait for a request that will not come; the end of the process closes them.
  }

  @Override
  public long left() {
    return traffic.inFlight();
  }
}
