package echoladder.servers.kit;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;

/**
 * {@code GET /metrics} and {@code POST /gc}, on a few platform threads of their own.
 *
 * <p>Not the JDK's HttpServer, as that one turns in a loop, on a whole core and in silence, when it is out of
 * descriptors: just when these figures are wanted (docs/decisions/metrics-page.md). This one gives up the reserve then.
 */
final class MetricsPage {
  private static final int CONNECTIONS_MAX = DescriptorReserve.SIZE - 2;
  private static final int IDLE_MS = 60_000;

  private final ServerSocket listener;
  private final PrometheusRegistry registry;
  private final LongSupplier directBytes;
  private final DescriptorReserve reserve;
  private final ServerLog log;
  private final LogPace acceptLog;
  private final PrometheusTextFormatWriter format = PrometheusTextFormatWriter.builder().build();
  private final Semaphore free = new Semaphore(CONNECTIONS_MAX);

  private MetricsPage(
      ServerSocket listener,
      PrometheusRegistry registry,
      LongSupplier directBytes,
      DescriptorReserve reserve,
      ServerLog log) {
    this.listener = listener;
    this.registry = registry;
    this.directBytes = directBytes;
    this.reserve = reserve;
    this.log = log;
    this.acceptLog = new LogPace(log, System::nanoTime);
  }

  /** Listens and answers until the process ends. */
  static MetricsPage start(
      InetSocketAddress address,
      PrometheusRegistry registry,
      LongSupplier directBytes,
      DescriptorReserve reserve,
      ServerLog log)
      throws IOException {
    ServerSocket listener = new ServerSocket();
    listener.bind(address, 64);
    MetricsPage page = new MetricsPage(listener, registry, directBytes, reserve, log);
    // One page before the first request: what it loads from jars needs descriptors that may be gone later.
    page.answer("GET", "/metrics", Set.of());
    Thread.ofPlatform().daemon().name("metrics-accept").start(page::acceptAll);
    return page;
  }

  int port() {
    return listener.getLocalPort();
  }

  private void acceptAll() {
    while (true) {
      try {
        free.acquire();
        accept();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void accept() throws InterruptedException {
    try {
      Socket connection = listener.accept();
      Thread.ofPlatform().daemon().name("metrics").start(() -> serve(connection));
    } catch (IOException | OutOfMemoryError e) {
      free.release();
      reserve.release();
      acceptLog.say("metrics page: accept failed: " + e.getMessage());
      Thread.sleep(AcceptErrors.PAUSE);
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      connection.setSoTimeout(IDLE_MS);
      connection.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(connection.getInputStream());
      OutputStream out = connection.getOutputStream();
      boolean more = true;
      while (more) {
        HttpRequest request = HttpRequest.read(in);
        if (request == null) {
          return;
        }
        more = request.keepAlive();
        Answer answer = answer(request.method(), request.path(), request.names());
        out.write(answer.bytes(more));
      }
    } catch (SocketException | SocketTimeoutException e) {
      // The client went away or asked nothing for long; nothing is owed to it.
    } catch (IOException e) {
      log.say("metrics page: " + e.getMessage());
    } finally {
      free.release();
    }
  }

  private Answer answer(String method, String path, Set<String> names) {
    try {
      return switch (method + " " + path) {
        case "GET /metrics" -> {
          ByteArrayOutputStream page = new ByteArrayOutputStream(16 << 10);
          format.write(page, names.isEmpty() ? registry.scrape() : registry.scrape(name -> asked(names, name)));
          yield new Answer("200 OK", format.getContentType(), page.toByteArray());
        }
        case "POST /gc" ->
            json("200 OK", "{\"live_heap_bytes\":" + LiveHeap.collectBytes() + ",\"direct_bytes\":"
                + directBytes.getAsLong() + "}");
        default -> text("404 Not Found", "no " + method + " " + path + " here; there are GET /metrics and POST /gc\n");
      };
    } catch (IOException | RuntimeException e) {
      log.failure("metrics page: " + method + " " + path + " failed", e);
      return text("500 Internal Server Error", e + "\n");
    }
  }

  /** The registry knows a counter, and an info, without its suffix. */
  private static boolean asked(Set<String> names, String name) {
    return names.contains(name) || names.contains(name + "_total") || names.contains(name + "_info");
  }

  private static Answer json(String status, String body) {
    return new Answer(status, "application/json", (body + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static Answer text(String status, String body) {
    return new Answer(status, "text/plain; charset=utf-8", body.getBytes(StandardCharsets.UTF_8));
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Answer(String status, String contentType, byte[] body) {
    byte[] bytes(boolean keepAlive) {
      String head =
          "HTTP/1.1 " + status
              + "\r\nContent-Type: " + contentType
              + "\r\nContent-Length: " + body.length
              + (keepAlive ? "" : "\r\nConnection: close")
              + "\r\n\r\n";
      ByteArrayOutputStream all = new ByteArrayOutputStream(head.length() + body.length);
      all.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
      all.writeBytes(body);
      return all.toByteArray();
    }
  }
}
