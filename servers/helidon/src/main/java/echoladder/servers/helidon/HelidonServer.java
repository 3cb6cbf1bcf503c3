package echoladder.servers.helidon;

import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoMetrics;
import echoladder.servers.kit.EchoServer;
import echoladder.servers.kit.FirstWait;
import echoladder.servers.kit.options.CannotRun;
import echoladder.servers.kit.options.ServerOptions;
import io.helidon.common.Version;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Helidon's web server within the contract: counted connections, bounds, a drain that loses nothing in flight. */
final class HelidonServer implements EchoServer {
  /** Bytes that have arrived and that no thread has read yet cannot be seen. So many looks are 0.2 s, on a busy host more. */
  private static final int QUIET_LOOKS = 20;

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

  /** Kept, as java.util.logging forgets a logger that nobody holds. */
  private static final Logger LOG = Logger.getLogger("io.helidon");

  private final WebServer server;
  private final Farewell farewell;
  private final EchoMetrics metrics;
  private final Map<String, Object> running;
  private final AtomicBoolean stopping;

  private HelidonServer(WebServer server, Farewell farewell, EchoMetrics metrics, Map<String, Object> running, AtomicBoolean stopping) {
    this.server = server;
    this.farewell = farewell;
    this.metrics = metrics;
    this.running = running;
    this.stopping = stopping;
  }

  /** Listens; connections are served when this returns. */
  static HelidonServer start(
      ServerOptions options,
      EchoContext context,
      ListenerOptions listener,
      Farewell farewell,
      Consumer<WebServerConfig.Builder> more)
      throws IOException {
    // It would say at its start what it is, with the stack of a port in use, and later what each client did wrong.
    LOG.setLevel(Level.OFF);
    FirstWait.ofVirtualThreads();
    openTimeZones();
    int most = Descriptors.forConnections();
    AtomicBoolean stopping = new AtomicBoolean();
    WebServerConfig.Builder builder =
        WebServer.builder()
            .address(options.echoAddress().getAddress())
            .port(options.echoAddress().getPort())
            .backlog(options.backlog())
            .maxTcpConnections(most)
            .protocolsDiscoverServices(false)
            .featuresDiscoverServices(false)
            .addConnectionSelector(new CountedSelector(listener, context.metrics(), context.acceptErrors(), stopping))
            .idleConnectionTimeout(listener.requestTimeout())
            .idleConnectionPeriod(listener.requestTimeout().dividedBy(2))
            .shutdownGracePeriod(options.drain())
            .shutdownHook(false);
    listener.configure(builder);
    more.accept(builder);
    probe(options);
    WebServer server = builder.build();
    server.start();
    if (!server.isRunning()) {
      throw new CannotRun("Helidon did not start, and does not say why");
    }
    Thread.ofPlatform()
        .daemon()
        .name("descriptors")
        .start(() -> Descriptors.watch(most, context.metrics(), context.acceptErrors()));
    Map<String, Object> running = new TreeMap<>(listener.running());
    running.put("helidon_version", Version.VERSION);
    running.put("handlers_run_on", "virtual thread of the connection");
    running.put("most_connections", most);
    return new HelidonServer(server, farewell, context.metrics(), running, stopping);
  }

  /**
   * Has the JDK read its file of time zones, which Helidon's first Date header would open: that connection would end without a word
   * where no descriptor is left by then.
   */
  private static void openTimeZones() {
    if (ZoneId.getAvailableZoneIds().isEmpty()) {
      throw new CannotRun("the JDK knows no time zone, and Helidon's answers have a date");
    }
  }

  /** Helidon says nothing of an address that it could not listen on; the kernel does. */
  private static void probe(ServerOptions options) throws IOException {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(options.echoAddress(), options.backlog());
    }
  }

  @Override
  public int port() {
    return server.port();
  }

  @Override
  public Map<String, Object> running() {
    return running;
  }

  @Override
  public long drain(Duration limit) throws InterruptedException {
    long endNs = System.nanoTime() + limit.toNanos();
    stopping.set(true);
    farewell.begin();
    // It closes the listener at once, and then waits for every connection.
    Thread.ofPlatform().daemon().name("stop").start(server::stop);
    long quietEndNs = endNs - limit.minus(farewell.quietMost(limit)).toNanos();
    int quiet = 0;
    for (long before = -1; quiet < QUIET_LOOKS && System.nanoTime() - quietEndNs < 0; ) {
      long received = metrics.receivedBytes();
      quiet = farewell.inFlight() == 0 && received == before ? quiet + 1 : 0;
      before = received;
      Thread.sleep(BETWEEN_LOOKS);
      // Its turn comes after those of the connections that have something to read by now.
      Thread.ofVirtual().start(() -> {}).join(Duration.ofNanos(endNs - System.nanoTime()));
    }
    farewell.say();
    while (farewell.left() > 0 && System.nanoTime() - endNs < 0) {
      Thread.sleep(BETWEEN_LOOKS);
    }
    return farewell.left();
  }
}
