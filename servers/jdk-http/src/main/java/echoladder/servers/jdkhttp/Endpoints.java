package echoladder.servers.jdkhttp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import echoladder.servers.kit.EchoMetrics;
import echoladder.servers.kit.HeavyDuration;
import echoladder.servers.kit.ServerLog;
import echoladder.servers.kit.options.HttpOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** POST /echo, GET /api/light and GET /api/heavy, in blocking code; it runs on whatever thread HttpServer is given. */
final class Endpoints implements HttpHandler {
  /** HttpServer keeps, per connection, a buffer of twice the largest single write. */
  private static final int WRITE_BYTES = 4 << 10;

  /** What is read after a refusal, for the client to get to see it instead of a reset. */
  private static final int DISCARD_BYTES_MAX = 8 << 20;

  private final HttpOptions http;
  private final EchoMetrics metrics;
  private final ServerLog log;
  private final AtomicLong inFlight = new AtomicLong();
  private volatile boolean goodbye;

  Endpoints(HttpOptions http, EchoMetrics metrics, ServerLog log) {
    this.http = http;
    this.metrics = metrics;
    this.log = log;
  }

  /** Requests that have begun and are not yet answered. */
  long inFlight() {
    return inFlight.get();
  }

  /** From now on each answer is the last of its connection. */
  void sayGoodbye() {
    goodbye = true;
  }

  private record Answer(int status, String text) {}

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    inFlight.incrementAndGet();
    try {
      serve(exchange);
    } catch (IOException e) {
      // The client went away, or was cut off for being slow: the end of this connection and of nothing else.
      metrics.connectionBroken();
      throw e;
    } catch (RuntimeException e) {
      log.failure(exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath() + " failed", e);
      refuse(exchange, new Answer(500, "failed; the server's log says why\n"));
    } finally {
      exchange.close();
      inFlight.decrementAndGet();
    }
  }

  private void serve(HttpExchange exchange) throws IOException {
    String wrong = Heads.wrong(exchange);
    if (!wrong.isEmpty()) {
      refuse(exchange, new Answer(400, wrong + "\n"));
      return;
    }
    if (headBytes(exchange) > http.maxHeaderBytes()) {
      refuse(exchange, new Answer(431, "the head is longer than " + http.maxHeaderBytes() + " bytes\n"));
      return;
    }
    String path = String.valueOf(exchange.getRequestURI().getPath());
    String method = exchange.getRequestMethod();
    switch (path) {
      case "/echo" -> {
        if (allowed(exchange, method, "POST")) {
          echo(exchange);
        }
      }
      case "/api/light" -> {
        if (allowed(exchange, method, "GET")) {
          send(exchange, "light\n");
        }
      }
      case "/api/heavy" -> {
        if (allowed(exchange, method, "GET")) {
          heavy(exchange);
        }
      }
      default ->
          refuse(exchange, new Answer(404, "there are POST /echo, GET /api/light and GET /api/heavy?duration=500\n"));
    }
  }

  private boolean allowed(HttpExchange exchange, String method, String only) throws IOException {
    if (method.equals(only)) {
      return true;
    }
    exchange.getResponseHeaders().set("Allow", only);
    refuse(exchange, new Answer(405, "only " + only + " here\n"));
    return false;
  }

  private void echo(HttpExchange exchange) throws IOException {
    int most = http.maxBodyBytes();
    String declared = exchange.getRequestHeaders().getFirst("Content-Length");
    // HttpServer has checked that it is a number, and Heads how it is written.
    long length = declared == null ? -1 : Long.parseLong(declared);
    if (length > most) {
      refuse(exchange, new Answer(413, "a body is at most " + most + " bytes\n"));
      return;
    }
    byte[] body;
    try {
      if (declared == null) {
        HttpServerInsides.boundChunks(exchange);
      }
      body = exchange.getRequestBody().readNBytes(length >= 0 ? (int) length : most + 1);
    } catch (IOException e) {
      // A broken chunk or a broken connection; the latter will not hear this.
      refuse(exchange, new Answer(400, "the body is not what its head announced\n"));
      return;
    }
    if (body.length > most) {
      refuse(exchange, new Answer(413, "a body is at most " + most + " bytes\n"));
    } else if (body.length < length) {
      refuse(exchange, new Answer(400, "the body ended before its content-length\n"));
    } else {
      metrics.received(body.length);
      exchange.getResponseHeaders().set("Content-Type", "application/octet-stream");
      write(exchange, 200, body);
      metrics.sent(body.length);
    }
  }

  private void heavy(HttpExchange exchange) throws IOException {
    try {
      Thread.sleep(HeavyDuration.ofQuery(exchange.getRequestURI().getRawQuery()));
      send(exchange, "heavy\n");
    } catch (IllegalArgumentException e) {
      sendText(exchange, new Answer(400, e.getMessage() + "\n"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      refuse(exchange, new Answer(503, "stopping\n"));
    }
  }

  private void send(HttpExchange exchange, String text) throws IOException {
    sendText(exchange, new Answer(200, text));
  }

  private void sendText(HttpExchange exchange, Answer answer) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
    write(exchange, answer.status(), answer.text().getBytes(StandardCharsets.UTF_8));
  }

  /** Answers, then ends the connection: what the client may still be sending is not wanted. */
  private void refuse(HttpExchange exchange, Answer answer) throws IOException {
    exchange.getResponseHeaders().set("Connection", "close");
    sendText(exchange, answer);
    exchange.getResponseBody().flush();
    discard(exchange.getRequestBody());
  }

  private static void discard(InputStream in) {
    byte[] discarded = new byte[8 << 10];
    try {
      for (int total = 0, n; total < DISCARD_BYTES_MAX && (n = in.read(discarded)) >= 0; total += n) {}
    } catch (IOException e) {
      // The client went away, which is as good; or the chunk was broken, which it has been told.
    }
  }

  private void write(HttpExchange exchange, int status, byte[] body) throws IOException {
    // HttpServer looks for a close that stands alone in the first of such headers.
    if (goodbye || Heads.asksForTheEnd(exchange)) {
      exchange.getResponseHeaders().set("Connection", "close");
    }
    boolean empty = body.length == 0 || exchange.getRequestMethod().equals("HEAD");
    // -1 is HttpServer's way to say Content-Length: 0; 0 would mean chunks.
    exchange.sendResponseHeaders(status, empty ? -1 : body.length);
    if (empty) {
      return;
    }
    OutputStream out = exchange.getResponseBody();
    for (int at = 0; at < body.length; at += WRITE_BYTES) {
      out.write(body, at, Math.min(WRITE_BYTES, body.length - at));
    }
  }

  /** What the client sent up to the empty line, to a few bytes: HttpServer trims blanks around values. */
  private static long headBytes(HttpExchange exchange) {
    long bytes = exchange.getRequestMethod().length() + exchange.getRequestURI().toString().length() + 14L;
    for (Map.Entry<String, List<String>> header : exchange.getRequestHeaders().entrySet()) {
      for (String value : header.getValue()) {
        bytes += header.getKey().length() + value.length() + 4L;
      }
    }
    return bytes;
  }
}
