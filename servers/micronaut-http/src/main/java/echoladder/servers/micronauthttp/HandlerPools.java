package echoladder.servers.micronauthttp;

import echoladder.servers.kit.EchoContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.core.order.Ordered;
import jakarta.inject.Singleton;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;

/** Puts a {@link HandlerPool} in front of each of Micronaut's pools of platform threads. */
@Singleton
@Requires(property = Configuration.MODE, value = "platform-threads")
final class HandlerPools implements BeanCreatedEventListener<ExecutorService>, Ordered {
  private final EchoContext context;

  HandlerPools(EchoContext context) {
    this.context = context;
  }

  /** Before Micronaut's instruments hide the pool. */
  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE;
  }

  @Override
  public ExecutorService onCreated(BeanCreatedEvent<ExecutorService> event) {
    ExecutorService created = event.getBean();
    return created instanceof ThreadPoolExecutor pool && !(created instanceof ScheduledExecutorService)
        ? new HandlerPool(pool, context.acceptErrors())
        : created;
  }
}
