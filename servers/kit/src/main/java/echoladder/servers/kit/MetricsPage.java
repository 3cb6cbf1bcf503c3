package echoladder.servers.kit;

import echoladder.linux.ErrorText;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * {@code GET /metrics} and {@code POST /gc}, on a few platform threads of their own, which are there from the start: no
 * thread can be had later where the server has taken them all.
 *
 * <p>Not the JDK's HttpServer, as that one turns in a loop, on a whole core and in silence, when it is out of
 * descriptors: just when these figures are wanted (docs/decisions/metrics-page.md). This one gives up the reserve then.
 */
final class MetricsPage {
  private static final int CONNECTIONS_MAX = DescriptorReserve.SIZE - 2;

  /** From a request's first byte, or from a new connection, to the request's last byte. */
  private static final Duration REQUEST_BOUND = Duration.ofSeconds(5);

  /** For a client to take its answer. */
  private static final Duration ANSWER_BOUND = Duration.ofSeconds(5);

  /** Between requests. */
  private static final Duration IDLE_BOUND = Duration.ofSeconds(60);

  /** A few pages: a client that asks on and on and does not read is soon waited for. */
  private static final int SEND_BUFFER_BYTES = 64 << 10;

  /** The most that one read or write takes: the JDK keeps a direct buffer of that size for each thread. */
  private static final int IO_BYTES = 8 << 10;

  /** Enough for any client that asks as soon as it is connected. */
  private static final Duration LEAST_WAIT = Duration.ofMillis(250);

  private final ServerSocket listener;
  private final PrometheusRegistry registry;
  private final LongSupplier directBytes;
  private final DescriptorReserve reserve;
  private final ServerLog log;
  private final LogPace acceptLog;
  private final LogPace refusalLog;
  private final PrometheusTextFormatWriter format = PrometheusTextFormatWriter.builder().build();
  private final PageWaits waits = new PageWaits(CONNECTIONS_MAX, LEAST_WAIT);
  private final OwnNames ownNames;
  private final ReentrantLock collecting = new ReentrantLock();

  private MetricsPage(
      ServerSocket listener,
      OwnNames ownNames,
      PrometheusRegistry registry,
      LongSupplier directBytes,
      DescriptorReserve reserve,
      ServerLog log) {
    this.listener = listener;
    this.ownNames = ownNames;
    this.registry = registry;
    this.directBytes = directBytes;
    this.reserve = reserve;
    this.log = log;
    this.acceptLog = new LogPace(log, System::nanoTime);
    this.refusalLog = new LogPace(log, System::nanoTime);
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
    MetricsPage page = new MetricsPage(listener, new OwnNames(address), registry, directBytes, reserve, log);
    // One page before the first request: what it loads from jars needs descriptors that may be gone later.
    page.metrics(Set.of());
    for (int i = 0; i < CONNECTIONS_MAX; i++) {
      Thread.ofPlatform().daemon().name("metrics-" + i).start(page::serveAll);
    }
    Thread.ofPlatform().daemon().name("metrics-waits").start(page.waits::watch);
    return page;
  }

  int port() {
    return listener.getLocalPort();
  }

  private void serveAll() {
    takeDirectBuffer();
    try {
      while (true) {
        serveOne();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The JDK copies a socket's bytes through a direct buffer of the thread: it is taken while there is direct memory. */
  private void takeDirectBuffer() {
    try (FileChannel nowhere = FileChannel.open(Path.of("/dev/null"), StandardOpenOption.WRITE)) {
      nowhere.write(ByteBuffer.allocate(IO_BYTES));
    } catch (IOException e) {
      acceptLog.say("metrics page: a thread could not take its buffer at the start: " + e.getMessage());
    }
  }

  private void serveOne() throws InterruptedException {
    Socket connection;
    try {
      connection = listener.accept();
    } catch (IOException | OutOfMemoryError e) {
      reserve.release();
      acceptLog.say("metrics page: accept failed: " + e.getMessage());
      Thread.sleep(AcceptErrors.PAUSE);
      return;
    }
    try (connection;
        PageWaits.Place place = waits.take(connection, REQUEST_BOUND)) {
      serve(connection, place);
    } catch (SocketException | EOFException e) {
      // The client went away, or kept the page waiting for too long; nothing is owed to it.
    } catch (IOException e) {
      refusalLog.say("metrics page: " + e.getMessage());
    } catch (OutOfMemoryError e) {
      // This connection's loss; the page stays.
      acceptLog.say("metrics page: a request failed: " + ErrorText.of(e));
    }
  }

  private void serve(Socket connection, PageWaits.Place place) throws IOException {
    connection.setTcpNoDelay(true);
    connection.setSendBufferSize(SEND_BUFFER_BYTES);
    InputStream in = new BufferedInputStream(connection.getInputStream(), IO_BYTES);
    OutputStream out = connection.getOutputStream();
    boolean more = true;
    while (more) {
      HttpRequest request = HttpRequest.read(in);
      if (request == null) {
        return;
      }
      more = request.keepAlive();
      place.works();
      Answer answer = answer(request);
      place.waits(ANSWER_BOUND);
      byte[] bytes = answer.bytes(more);
      for (int at = 0; at < bytes.length; at += IO_BYTES) {
        out.write(bytes, at, Math.min(IO_BYTES, bytes.length - at));
      }
      place.waits(IDLE_BOUND);
      in.mark(1);
      if (more && in.read() >= 0) {
        place.waits(REQUEST_BOUND);
        in.reset();
      }
    }
  }

  private Answer answer(HttpRequest request) {
    if (request.fromASite() || !ownNames.has(request.host())) {
      return text(
          "403 Forbidden",
          "this page answers no other site's pages, and on loopback no other name than localhost and its address\n");
    }
    String asked = request.method() + " " + request.path();
    try {
      return switch (asked) {
        case "GET /metrics" -> metrics(request.names());
        case "POST /gc" -> collect();
        default -> text("404 Not Found", "no " + asked + " here; there are GET /metrics and POST /gc\n");
      };
    } catch (IOException | RuntimeException e) {
      log.failure("metrics page: " + asked + " failed", e);
      return text("500 Internal Server Error", ErrorText.of(e) + "\n");
    }
  }

  private Answer metrics(Set<String> names) throws IOException {
    ByteArrayOutputStream page = new ByteArrayOutputStream(16 << 10);
    format.write(page, names.isEmpty() ? registry.scrape() : registry.scrape(name -> asked(names, name)));
    return new Answer("200 OK", format.getContentType(), page.toByteArray());
  }

  /** One at a time: several would take the places of all others for as long as each of them lasts. */
  private Answer collect() {
    if (!collecting.tryLock()) {
      return text("503 Service Unavailable", "a collection is under way; ask again when it has ended\n");
    }
    try {
      return json("200 OK", "{\"live_heap_bytes\":" + LiveHeap.collectBytes() + ",\"direct_bytes\":"
          + directBytes.getAsLong() + "}");
    } finally {
      collecting.unlock();
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
