package echoladder.servers.jdkhttp;

import com.sun.net.httpserver.HttpServer;
import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoServer;
import echoladder.servers.kit.ServerLog;
import echoladder.servers.kit.options.HttpOptions;
import echoladder.servers.kit.options.ServerOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;

/** The JDK's HttpServer within the contract: counted connections, bounds, a drain that loses nothing in flight. */
final class JdkHttpServer implements EchoServer {
  private static final int QUIET_LOOKS = 5;
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

  private final HttpServer server;
  private final int port;
  private final Map<String, Object> limits;
  private final Endpoints endpoints;
  private final AcceptGate gate;
  private final ServerLog log;

  private JdkHttpServer(
      HttpServer server, Map<String, Object> limits, Endpoints endpoints, AcceptGate gate, ServerLog log) {
    this.server = server;
    this.port = server.getAddress().getPort();
    this.limits = limits;
    this.endpoints = endpoints;
    this.gate = gate;
    this.log = log;
  }

  /**
   * What runs requests.
   *
   * @param usual may have to start a thread
   * @param otherwise has all its threads from the start, and a queue
   */
  record Runners(Executor usual, Executor otherwise) {}

  /** Listens; requests are answered when this returns. */
  static JdkHttpServer start(ServerOptions options, HttpOptions http, EchoContext context, Runners runners)
      throws IOException {
    // Before the first use of HttpServer, which reads them once.
    Map<String, Object> limits = Limits.set(http);
    HttpServer server =
        HttpServer.create(options.echoAddress(), options.backlog());
    AtomicReference<Runnable> afterAccept = new AtomicReference<>(() -> {});
    HttpServerInsides insides =
        HttpServerInsides.open(
            server, new CountedConnections(context.metrics(), () -> afterAccept.get().run()));
    AcceptGate gate = new AcceptGate(context.acceptErrors(), insides.listenerKey());
    afterAccept.set(gate::look);
    gate.look();
    Endpoints endpoints = new Endpoints(http, context.metrics(), context.log());
    server.createContext("/", endpoints);
    server.setExecutor(
        new Requests(runners.usual(), runners.otherwise(), context.acceptErrors(), insides::cutOff));
    server.start();
    Thread.ofPlatform().daemon().name("accept-gate").start(gate::watch);
    return new JdkHttpServer(server, limits, endpoints, gate, context.log());
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public Map<String, Object> running() {
    return Map.of("http_server", "jdk.httpserver " + Runtime.version(), "http_limits", limits);
  }

  @Override
  public long drain(Duration limit) throws InterruptedException {
    long endNs = System.nanoTime() + limit.toNanos();
    endpoints.sayGoodbye();
    try {
      gate.closeForGood();
    } catch (IOException e) {
      log.failure("close of the listener failed", e);
    }
    // Not HttpServer.stop's own wait: it counts whole seconds, and cuts off a request that has arrived but not begun.
    int quiet = 0;
    while (quiet < QUIET_LOOKS && System.nanoTime() - endNs < 0) {
      quiet = endpoints.inFlight() == 0 ? quiet + 1 : 0;
      Thread.sleep(BETWEEN_LOOKS);
    }
    long unfinished = endpoints.inFlight();
    server.stop(0);
    return unfinished;
  }
}
