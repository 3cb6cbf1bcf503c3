package echoladder.servers.micronauthttp;

import echoladder.servers.kit.EchoContext;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.binder.netty4.NettyEventExecutorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import io.netty.channel.EventLoopGroup;
import jakarta.inject.Named;

/**
 * Micrometer's meters on the page of the contract's figures: the event loops' queues. No timer per
 * request, as Micronaut's web filter has, for that would be measured along (docs/decisions/micronaut-http.md).
 */
@Factory
final class Meters {
  @Context
  PrometheusMeterRegistry registry(EchoContext context, @Named("default") EventLoopGroup loops) {
    PrometheusMeterRegistry registry =
        new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, context.registry(), Clock.SYSTEM);
    new NettyEventExecutorMetrics(loops).bindTo(registry);
    return registry;
  }
}
