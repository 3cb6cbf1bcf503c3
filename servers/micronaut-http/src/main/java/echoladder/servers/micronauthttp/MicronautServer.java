package echoladder.servers.micronauthttp;

import echoladder.servers.kit.CannotRun;
import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoServer;
import echoladder.servers.kit.HttpOptions;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.version.VersionUtils;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.runtime.server.EmbeddedServer;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.net.BindException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A Micronaut application within the contract. */
final class MicronautServer implements EchoServer {
  private static final int QUIET_LOOKS = 5;
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

  private final ServerChannels channels;
  private final Guard guard;
  private final int port;
  private final Map<String, Object> running;

  private MicronautServer(ServerChannels channels, Guard guard, int port, Map<String, Object> running) {
    this.channels = channels;
    this.guard = guard;
    this.port = port;
    this.running = running;
  }

  /** Listens; requests are answered when this returns. */
  static MicronautServer start(EchoContext context, HttpOptions http, Mode mode, Map<String, Object> configuration)
      throws IOException {
    // What Micronaut and Netty log goes to stderr; refusing a client's request is no event.
    System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "error");
    // It would print the stack of what it throws, a port in use among that.
    System.setProperty("org.slf4j.simpleLogger.log.io.micronaut.http.server.netty.NettyHttpServer", "off");
    ApplicationContext application =
        ApplicationContext.builder()
            .properties(configuration)
            .singletons(context, http)
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
      for (String group : Configuration.EVENT_LOOPS) {
        for (EventExecutor loop : application.getBean(EventLoopGroup.class, Qualifiers.byName(group))) {
          loop.terminationFuture().addListener(ended -> context.loopEnded());
        }
      }
      Map<String, Object> running = new TreeMap<>();
      running.put("micronaut_version", String.valueOf(VersionUtils.MICRONAUT_VERSION));
      running.put("transport_in_force", List.of(listener.getClass().getSimpleName(), HandlerThread.loopsOf(application)));
      running.put("handlers_run_on", HandlerThread.of(application, mode));
      running.put("allocator", ByteBufAllocator.DEFAULT.getClass().getSimpleName());
      return new MicronautServer(channels, application.getBean(Guard.class), server.getPort(), running);
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
    int quiet = 0;
    while (quiet < QUIET_LOOKS && System.nanoTime() - endNs < 0) {
      quiet = guard.inFlight() == 0 ? quiet + 1 : 0;
      Thread.sleep(BETWEEN_LOOKS);
    }
    guard.dismiss();
    while (guard.left() > 0 && System.nanoTime() - endNs < 0) {
      Thread.sleep(BETWEEN_LOOKS);
    }
    return guard.left();
  }
}
