package echoladder.servers.micronauthttp;

import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoMetrics;
import echoladder.servers.kit.EchoServer;
import echoladder.servers.kit.options.CannotRun;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.version.VersionUtils;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.runtime.server.EmbeddedServer;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.net.BindException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** A Micronaut application within the contract. */
final class MicronautServer implements EchoServer {
  private static final int QUIET_LOOKS = 5;
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

  private final ServerChannels channels;
  private final Guard guard;
  private final EchoMetrics metrics;
  private final List<EventExecutor> loops;
  private final int port;
  private final Map<String, Object> running;

  private MicronautServer(
      ServerChannels channels, Guard guard, EchoMetrics metrics, List<EventExecutor> loops, int port, Map<String, Object> running) {
    this.channels = channels;
    this.guard = guard;
    this.metrics = metrics;
    this.loops = loops;
    this.port = port;
    this.running = running;
  }

  /** Listens; requests are answered when this returns. */
  static MicronautServer start(
      EchoContext context, Settings settings, Mode mode, Map<String, Object> configuration)
      throws IOException {
    // What Micronaut and Netty log goes to stderr; refusing a client's request is no event.
    System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "error");
    // It would print the stack of what it throws, a port in use among that.
    System.setProperty("org.slf4j.simpleLogger.log.io.micronaut.http.server.netty.NettyHttpServer", "off");
    ApplicationContext application =
        ApplicationContext.builder()
            .properties(configuration)
            .singletons(context, settings.http(), settings.push())
            .banner(false)
            .environmentPropertySource(false)
            .deduceEnvironment(false)
            .build();
    try {
      application.start();
      EmbeddedServer server = application.getBean(EmbeddedServer.class).start();
      ServerChannels channels = application.getBean(ServerChannels.class);
      Channel listener = channels.listener();
      if (listener == null) {
        throw new CannotRun("Micronaut started without a listener that could be counted", new IllegalStateException());
      }
      List<EventExecutor> loops = new ArrayList<>();
      for (String group : Configuration.EVENT_LOOPS) {
        application.getBean(EventLoopGroup.class, Qualifiers.byName(group)).forEach(loops::add);
      }
      loops.forEach(loop -> loop.terminationFuture().addListener(ended -> context.loopEnded()));
      Map<String, Object> running = new TreeMap<>(settings.tls().running("JDK, SSLEngine in Micronaut's Netty"));
      running.put("micronaut_version", String.valueOf(VersionUtils.MICRONAUT_VERSION));
      running.put("transport_in_force", List.of(listener.getClass().getSimpleName(), HandlerThread.loopsOf(application)));
      running.put("handlers_run_on", HandlerThread.of(application, mode));
      running.put("allocator", ByteBufAllocator.DEFAULT.getClass().getSimpleName());
      return new MicronautServer(channels, application.getBean(Guard.class), context.metrics(), loops, server.getPort(), running);
    } catch (RuntimeException e) {
      application.close();
      throw notListening(e);
    }
  }

  private static IOException notListening(RuntimeException seen) {
    for (Throwable cause = seen; cause != null; cause = cause.getCause()) {
      // Netty's native transports have an exception of their own for it.
      if (cause instanceof BindException || String.valueOf(cause.getMessage()).startsWith("bind(..)")) {
        return new IOException(cause.getMessage(), seen);
      }
    }
    throw seen;
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public Map<String, Object> running() {
    return running;
  }

  @Override
  public long directBytes() {
    return EchoServer.super.directBytes() + Math.max(0, PlatformDependent.usedDirectMemory());
  }

  @Override
  public long drain(Duration limit) throws InterruptedException {
    long endNs = System.nanoTime() + limit.toNanos();
    guard.sayGoodbye();
    Channel listener = channels.listener();
    if (listener != null) {
      listener.close().await(limit.toMillis());
    }
    long quietEndNs = endNs - limit.minus(guard.quietMost(limit)).toNanos();
    int quiet = 0;
    for (long before = -1; quiet < QUIET_LOOKS && System.nanoTime() - quietEndNs < 0; ) {
      long received = metrics.receivedBytes();
      quiet = guard.inFlight() == 0 && received == before ? quiet + 1 : 0;
      before = received;
      awaitTurns(endNs);
    }
    guard.dismiss();
    while (guard.left() > 0 && System.nanoTime() - endNs < 0) {
      Thread.sleep(BETWEEN_LOOKS);
    }
    return guard.left();
  }

  /** Waits until each event loop has looked at its sockets again, which it does before a task that is due. */
  private void awaitTurns(long endNs) throws InterruptedException {
    List<Future<?>> turns = new ArrayList<>();
    for (EventExecutor loop : loops) {
      if (!loop.isShuttingDown()) {
        turns.add(loop.schedule(() -> {}, BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS));
      }
    }
    for (Future<?> turn : turns) {
      var _ = turn.await(Math.max(0, endNs - System.nanoTime()), TimeUnit.NANOSECONDS);
    }
  }
}
