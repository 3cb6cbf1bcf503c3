package echoladder.harness;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/** A server by the contract, and the ways in which one can break it. Needs nothing but the JDK. */
public final class FakeServer {
  private final String behaviour;
  private final AtomicLong open = new AtomicLong();
  private final AtomicLong accepted = new AtomicLong();
  private final Semaphore eightAtATime = new Semaphore(8);

  private FakeServer(String behaviour) {
    this.behaviour = behaviour;
  }

  public static void main(String[] args) throws Exception {
    List<String> all = Arrays.asList(args);
    int at = all.indexOf("--behaviour");
    new FakeServer(at < 0 ? "good" : all.get(at + 1)).serve();
  }

  private void serve() throws Exception {
    switch (behaviour) {
      case "silent" -> Thread.sleep(60_000);
      case "exits" -> {
        System.err.println("fake: port 7 is in use");
        System.exit(3);
      }
      case "babbles" -> {
        System.out.println("hello, I am a server");
        Thread.sleep(60_000);
      }
      case "endless-line" -> {
        System.out.print("x".repeat(1 << 20));
        System.out.flush();
        Thread.sleep(60_000);
      }
      case "odd-log" -> {
        System.err.write(0xff);
        System.err.println(" is no UTF-8");
        // As a JVM that crashes.
        Files.writeString(Path.of("hs_err_pid7.log"), "SIGSEGV");
      }
      case "endless-log" -> Thread.ofPlatform().daemon().start(FakeServer::logWithoutEnd);
      case "ignores-sigterm" ->
          Runtime.getRuntime().addShutdownHook(new Thread(() -> awaitForever()));
      default -> {}
    }
    InetAddress local = InetAddress.getByName("127.0.0.1");
    HttpServer http = HttpServer.create(new InetSocketAddress(local, 0), 0);
    if (!behaviour.equals("no-metrics")) {
      http.createContext("/metrics", exchange -> answer(exchange, metrics()));
    }
    if (!behaviour.equals("no-gc")) {
      http.createContext("/gc", exchange -> answer(exchange, "{\"live_heap_bytes\":1000000}"));
    }
    http.start();
    ServerSocket listener = new ServerSocket(0, 128, local);
    if (!behaviour.equals("deaf-to-stdin")) {
      Thread.ofVirtual().start(FakeServer::endWithStdin);
    }
    System.out.printf(
        "{\"ready\":true,\"server\":\"fake\",\"pid\":%d,\"host\":\"%s\",\"port\":%d,\"metrics_port\":%d,"
            + "\"config\":{\"behaviour\":\"%s\",\"threads\":null}}%n",
        behaviour.equals("foreign-pid") ? 1 : ProcessHandle.current().pid(),
        behaviour.equals("blank-host") ? "" : "127.0.0.1",
        listener.getLocalPort(), http.getAddress().getPort(), behaviour);
    while (true) {
      Socket socket = listener.accept();
      if (accepted.get() == 3 && behaviour.equals("dies-slowly")) {
        dieSlowly(listener, socket);
      }
      Thread.ofVirtual().start(() -> echo(socket));
    }
  }

  /** Some five times what is kept of a log, in numbered lines. */
  private static void logWithoutEnd() {
    for (int i = 0; i <= 100_000; i++) {
      System.err.println("line " + i + " " + "z".repeat(100));
    }
  }

  /** As a process with many sockets: they are gone a while before it is. */
  private static void dieSlowly(ServerSocket listener, Socket last) throws Exception {
    listener.close();
    last.close();
    Thread.sleep(300);
    Runtime.getRuntime().halt(134);
  }

  private static void awaitForever() {
    while (true) {
      try {
        Thread.sleep(60_000);
      } catch (InterruptedException e) {
        // that is the point
      }
    }
  }

  private static void endWithStdin() {
    try {
      while (System.in.read() >= 0) {
        // nobody writes
      }
      Runtime.getRuntime().halt(0);
    } catch (IOException e) {
      Runtime.getRuntime().halt(1);
    }
  }

  private void echo(Socket socket) {
    open.incrementAndGet();
    // The harness's own check comes first, the load after it.
    if (accepted.incrementAndGet() > 3 && behaviour.equals("dies")) {
      Runtime.getRuntime().halt(134);
    }
    try (socket) {
      InputStream in = socket.getInputStream();
      OutputStream out = socket.getOutputStream();
      byte[] buffer = new byte[4096];
      int n;
      while ((n = in.read(buffer)) > 0) {
        if (behaviour.equals("wrong-echo")) {
          buffer[0]++;
        }
        if (behaviour.equals("bounded")) {
          takeItsTime();
        }
        if (!behaviour.equals("stays-silent-on-echo")) {
          out.write(buffer, 0, n);
        }
      }
    } catch (IOException e) {
      // reset: the connection is over
    } finally {
      open.decrementAndGet();
    }
  }

  /** Four milliseconds, for eight messages at a time: 2,000 messages per second at most. */
  private void takeItsTime() {
    eightAtATime.acquireUninterruptibly();
    try {
      Thread.sleep(4);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      eightAtATime.release();
    }
  }

  private String metrics() {
    return """
        # HELP echo_connections_open Connections
        # TYPE echo_connections_open gauge
        echo_connections_open %d
        echo_connections_accepted_total %d
        echo_accept_errors_total{reason="emfile"} 0
        process_cpu_seconds_total 1.5
        jvm_gc_collection_seconds_count{gc="a b"} 2
        jvm_gc_collection_seconds_sum{gc="a b"} 0.25
        """
        .formatted(open.get(), accepted.get());
  }

  private static void answer(HttpExchange exchange, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }
}
