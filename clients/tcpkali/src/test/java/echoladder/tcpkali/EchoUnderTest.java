package echoladder.tcpkali;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** An echo server with a metrics page that fails its peers in one chosen way. */
final class EchoUnderTest implements AutoCloseable {
  /** What happens to connection {@code number}, counted from 1. */
  interface Manners {
    /** Whether it is closed as soon as it is accepted. */
    default boolean reject(long number) {
      return false;
    }

    /** How long each of its echoes waits. */
    default Duration delay(long number) {
      return Duration.ZERO;
    }

    /** Whether nothing is ever echoed. */
    default boolean silent() {
      return false;
    }
  }

  private final ServerSocket listener;
  private final HttpServer page;
  private final Manners manners;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicLong accepted = new AtomicLong();
  private final AtomicLong sentBytes = new AtomicLong();

  EchoUnderTest(Manners manners) throws IOException {
    this.manners = manners;
    InetAddress loopback = InetAddress.getByName("127.0.0.1");
    listener = new ServerSocket(0, 4_096, loopback);
    page = HttpServer.create(new InetSocketAddress(loopback, 0), 0);
    page.createContext(
        "/metrics",
        exchange -> {
          byte[] text =
              """
              # HELP echo_connections_open Open connections.
              echo_connections_open %d
              echo_connections_accepted_total %d
              echo_sent_bytes_total %d
              echo_accept_errors_total{reason="emfile"} 0
              process_cpu_seconds_total 1.5
              process_resident_memory_bytes 1.0e6
              """
                  .formatted(open.size(), accepted.get(), sentBytes.get())
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, text.length);
          exchange.getResponseBody().write(text);
          exchange.close();
        });
    page.start();
    Thread.ofPlatform().daemon().start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  URI metrics() {
    return URI.create("http://127.0.0.1:" + page.getAddress().getPort() + "/metrics");
  }

  long accepted() {
    return accepted.get();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        long number = accepted.incrementAndGet();
        open.add(socket);
        Thread.ofVirtual().start(() -> echo(socket, number));
      } catch (IOException e) {
        // Closed by the test: that is how this ends.
        return;
      }
    }
  }

  private void echo(Socket socket, long number) {
    try (socket) {
      socket.setTcpNoDelay(true);
      if (manners.reject(number)) {
        return;
      }
      InputStream in = socket.getInputStream();
      OutputStream out = socket.getOutputStream();
      byte[] buffer = new byte[16 << 10];
      int n;
      while ((n = in.read(buffer)) > 0) {
        if (!manners.silent()) {
          Thread.sleep(manners.delay(number));
          out.write(buffer, 0, n);
          sentBytes.addAndGet(n);
        }
      }
    } catch (IOException e) {
      // The peer went away; the test counts, this does not.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(socket);
    }
  }

  /** Closes the listener and every connection, as a server does that dies; its page stays. */
  void die() throws IOException {
    listener.close();
    for (Socket socket : open) {
      socket.close();
    }
  }

  @Override
  public void close() throws IOException {
    die();
    page.stop(0);
  }
}
