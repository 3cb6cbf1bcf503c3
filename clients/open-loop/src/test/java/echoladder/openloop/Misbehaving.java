package echoladder.openloop;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import echoladder.client.Target;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** GET /api/heavy and /api/light of the JDK's HttpServer, which can be made to misbehave. */
final class Misbehaving implements AutoCloseable {
  /** What /api/heavy takes, ms. */
  static final int HEAVY_MS = 100;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;
  private final AtomicLong lights = new AtomicLong();
  private volatile long heldUntilNs;
  private volatile long wrongEvery;

  Misbehaving() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
    server.setExecutor(threads);
    server.createContext("/api/heavy", exchange -> answer(exchange, HEAVY_MS, 200, "heavy\n"));
    server.createContext("/api/light", this::light);
    server.createContext("/api/hasty", exchange -> answer(exchange, 0, 200, "heavy\n"));
    server.start();
  }

  Target target() {
    return new Target("127.0.0.1", server.getAddress().getPort());
  }

  /** Answers nothing from now on for so long, then everything. */
  void stall(int ms) {
    heldUntilNs = System.nanoTime() + ms * 1_000_000L;
  }

  /** From now on, of so many requests for light one is answered by 503 and one with another body. */
  void spoil(int ofSoMany) {
    wrongEvery = ofSoMany;
  }

  private void light(HttpExchange exchange) throws IOException {
    long n = lights.incrementAndGet();
    long every = wrongEvery;
    boolean declined = every > 0 && n % every == 0;
    boolean other = every > 0 && n % every == 1;
    answer(exchange, 0, declined ? 503 : 200, other ? "dark\n" : "light\n");
  }

  private void answer(HttpExchange exchange, long ms, int status, String body) throws IOException {
    try (exchange) {
      Thread.sleep(ms);
      long held = heldUntilNs - System.nanoTime();
      if (heldUntilNs != 0 && held > 0) {
        Thread.sleep(held / 1_000_000 + 1);
      }
      byte[] bytes = body.getBytes(StandardCharsets.US_ASCII);
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
