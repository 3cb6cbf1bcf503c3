package echoladder.servers.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.servers.kit.AcceptErrors;
import echoladder.servers.kit.DescriptorReserve;
import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoMetrics;
import echoladder.servers.kit.ServerLog;
import echoladder.servers.kit.options.CannotRun;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.ThreadAwareExecutor;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class EventLoopsTest {
  private final CompletableFuture<String> gaveUp = new CompletableFuture<>();
  private final EchoMetrics metrics = new EchoMetrics();
  private final ServerLog log = new ServerLog("netty", new PrintStream(OutputStream.nullOutputStream()));
  private final EchoContext context =
      new EchoContext(
          metrics,
          new AcceptErrors(metrics, new DescriptorReserve(), log, () -> 0),
          log,
          new PrometheusRegistry(),
          gaveUp::complete);

  /** As io_uring does that finds no memory for a connection's first read. */
  @Test
  void anEventLoopThatEndsUnaskedEndsTheServer() throws Exception {
    AtomicBoolean broken = new AtomicBoolean();
    EventLoopGroup loops = EventLoops.started(1, breaking(broken), context);
    assertThat(gaveUp).isNotDone();
    broken.set(true);
    var _ = loops.next().submit(() -> {});
    assertThat(gaveUp.get(60, TimeUnit.SECONDS)).contains("event loop", "-XX:MaxDirectMemorySize");
  }

  @Test
  void eventLoopsThatFindNoMemoryAreToldAsSuch() {
    assertThatThrownBy(
            () -> EventLoops.started(1, executor -> { throw new OutOfMemoryError("no direct memory"); }, context))
        .isInstanceOf(CannotRun.class)
        .hasMessageContaining("no direct memory");
  }

  private static IoHandlerFactory breaking(AtomicBoolean broken) {
    IoHandlerFactory nio = NioIoHandler.newFactory();
    return (ThreadAwareExecutor executor) -> {
      IoHandler real = nio.newHandler(executor);
      return (IoHandler)
          Proxy.newProxyInstance(
              EventLoopsTest.class.getClassLoader(),
              new Class<?>[] {IoHandler.class},
              (proxy, method, arguments) -> {
                if (broken.get() && method.getName().equals("run") && arguments[0] instanceof IoHandlerContext) {
                  throw new OutOfMemoryError("no direct memory");
                }
                return method.invoke(real, arguments);
              });
    };
  }
}
