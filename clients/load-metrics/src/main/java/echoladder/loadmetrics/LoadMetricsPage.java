package echoladder.loadmetrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;

/** {@code GET /metrics} of a load, on loopback alone. */
public final class LoadMetricsPage implements AutoCloseable {
  private final HttpServer server;

  private LoadMetricsPage(HttpServer server) {
    this.server = server;
  }

  /**
   * Listens until it is closed.
   *
   * @param port 0 = any free one
   * @throws IOException where it cannot listen there, with the port and what to do
   */
  public static LoadMetricsPage start(int port, LoadExporter metrics) throws IOException {
    HttpServer server;
    try {
      server = LoopbackPages.listen(port);
    } catch (IOException e) {
      throw new IOException(
          "cannot serve metrics at 127.0.0.1:%d: %s; give a free port, or 0 for any".formatted(port, e.getMessage()), e);
    }
    server.createContext("/metrics", LoopbackPages.own(exchange -> answer(exchange, metrics)));
    server.start();
    return new LoadMetricsPage(server);
  }

  private static void answer(HttpExchange exchange, LoadExporter metrics) throws IOException {
    try (exchange) {
      byte[] page = metrics.page();
      exchange.getResponseHeaders().set("Content-Type", metrics.contentType());
      exchange.sendResponseHeaders(200, page.length);
      exchange.getResponseBody().write(page);
    }
  }

  /** Where it is, as a URL. */
  public String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/metrics";
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
