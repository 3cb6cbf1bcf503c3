package echoladder.harness.watch;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import echoladder.harness.common.Refusal;
import echoladder.harness.report.ReportFiles;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.loadmetrics.LoadExporter;
import echoladder.loadmetrics.LoopbackPages;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * report.html of a run that is under way, on 127.0.0.1 alone: the page is made anew after each rung, by who calls {@link
 * #show}, so that looking at it costs the rung that is being measured next to nothing. The page asks every two seconds
 * whether there is a newer one, and what the run does now. Any thread.
 */
public final class LivePage implements AutoCloseable {
  /** How often a page asks; report.watch.js has the same. */
  private static final int ASKS_EVERY_S = 2;

  private final HttpServer server;
  private final RunFolder folder;
  private final LoadExporter metrics;
  private final Supplier<String> now;
  private byte[] page = {};
  private int version;
  private int fetched;
  private long askedNs = System.nanoTime() - TimeUnit.DAYS.toNanos(1);

  private LivePage(HttpServer server, RunFolder folder, LoadExporter metrics, Supplier<String> now) {
    this.server = server;
    this.folder = folder;
    this.metrics = metrics;
    this.now = now;
  }

  /**
   * Takes the port, for nothing else yet.
   *
   * @param port 0 = any that is free
   * @throws Refusal (cannot run) where it is in use or not this process's to take
   */
  public static HttpServer bind(int port) {
    try {
      return LoopbackPages.listen(port);
    } catch (IOException e) {
      throw Refusal.cannotRun(
          "cannot serve the report on 127.0.0.1:%d: %s; nothing was started; give another port, or --watch 0 for any that is free"
              .formatted(port, e.getMessage()));
    }
  }

  /**
   * Serves the run of that folder there, from the first {@link #show} on, and the client's metrics at /metrics.
   *
   * @param now what the run does at the moment, as one line, at /now
   */
  public static LivePage of(HttpServer bound, RunFolder folder, LoadExporter metrics, Supplier<String> now) {
    LivePage live = new LivePage(bound, folder, metrics, now);
    bound.createContext("/", LoopbackPages.own(live::answer));
    bound.start();
    return live;
  }

  /** Where it is. */
  public static String url(HttpServer bound) {
    return "http://127.0.0.1:" + bound.getAddress().getPort() + "/";
  }

  /** The run as it was just written to its folder. */
  public void show(RunRecord run) {
    byte[] next = ReportFiles.livePage(folder, run, version + 1).getBytes(StandardCharsets.UTF_8);
    synchronized (this) {
      page = next;
      version++;
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      switch (exchange.getRequestURI().getPath()) {
        case "/" -> send(exchange, 200, "text/html; charset=utf-8", fetch());
        case "/version" -> send(exchange, 200, "text/plain", asked().getBytes(StandardCharsets.UTF_8));
        case "/now" -> send(exchange, 200, "text/plain; charset=utf-8", now.get().getBytes(StandardCharsets.UTF_8));
        case "/metrics" -> send(exchange, 200, metrics.contentType(), metrics.page());
        default -> send(exchange, 404, "text/plain", "there are / and /metrics alone\n".getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  private synchronized byte[] fetch() {
    fetched = version;
    return page;
  }

  private synchronized String asked() {
    askedNs = System.nanoTime();
    return String.valueOf(version);
  }

  private static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }

  /** Ends it, once whoever looks at it has had the time to get the last page. */
  @Override
  public void close() {
    try {
      for (int i = 0; i < 20 * ASKS_EVERY_S && lookedAt(); i++) {
        TimeUnit.MILLISECONDS.sleep(100);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    // What is being sent, the last page perhaps, is sent whole.
    server.stop(1);
  }

  private synchronized boolean lookedAt() {
    return fetched < version && System.nanoTime() - askedNs < TimeUnit.SECONDS.toNanos(2 * ASKS_EVERY_S);
  }
}
