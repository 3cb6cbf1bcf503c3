package echoladder.echo;

import com.sun.net.httpserver.HttpServer;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** A minimal HTTP echo with a metrics page that fails its peers in one chosen way. Any thread may ask it for its counts. */
public final class HttpEchoUnderTest implements AutoCloseable {
  /** How it treats requests. */
  public enum Manner {
    /** Echoes. */
    RIGHT,
    /** Answers another body of the same length. */
    WRONG_BODY,
    /** Answers status 503. */
    UNAVAILABLE,
    /** Closes the connection after each answer. */
    CLOSING
  }

  private final ServerSocket listener;
  private final HttpServer page;
  private final Manner manner;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicLong accepted = new AtomicLong();
  /** Set to take requests and answer none of them any more. */
  public volatile boolean silent;

  /** Starts it at any free port of every address of loopback. */
  public HttpEchoUnderTest(Manner manner) throws IOException {
    this.manner = manner;
    InetAddress loopback = InetAddress.getByName("127.0.0.1");
    // At every address of loopback.
    listener = new ServerSocket(0, 4_096, InetAddress.getByName("0.0.0.0"));
    page = HttpServer.create(new InetSocketAddress(loopback, 0), 0);
    page.createContext(
        "/metrics",
        exchange -> {
          byte[] text =
              "echo_connections_open %d%necho_connections_accepted_total %d%n"
                  .formatted(open.size(), accepted.get())
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, text.length);
          exchange.getResponseBody().write(text);
          exchange.close();
        });
    page.start();
    Thread.ofPlatform().daemon().start(this::accept);
  }

  public int port() {
    return listener.getLocalPort();
  }

  public URI metrics() {
    return URI.create("http://127.0.0.1:" + page.getAddress().getPort() + "/metrics");
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        accepted.incrementAndGet();
        open.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException e) {
        // Closed by the test: that is how this ends.
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      OutputStream out = socket.getOutputStream();
      int length;
      while ((length = head(in)) >= 0) {
        byte[] body = in.readNBytes(length);
        if (silent) {
          continue;
        }
        if (manner == Manner.WRONG_BODY) {
          body[0] ^= 1;
        }
        String status = manner == Manner.UNAVAILABLE ? "503 Service Unavailable" : "200 OK";
        String close = manner == Manner.CLOSING ? "Connection: close\r\n" : "";
        byte[] head =
            "HTTP/1.1 %s\r\nContent-Length: %d\r\n%s\r\n"
                .formatted(status, body.length, close)
                .getBytes(StandardCharsets.US_ASCII);
        byte[] answer = new byte[head.length + body.length];
        System.arraycopy(head, 0, answer, 0, head.length);
        System.arraycopy(body, 0, answer, head.length, body.length);
        out.write(answer);
        if (manner == Manner.CLOSING) {
          return;
        }
      }
    } catch (IOException e) {
      // The peer went away; the test counts, this does not.
      return;
    } finally {
      open.remove(socket);
    }
  }

  /** Reads a request's head: the length of its body, or -1 at the end of the connection. */
  private static int head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    int b;
    while ((b = in.read()) >= 0) {
      head.append((char) b);
      if (head.length() >= 4 && head.substring(head.length() - 4).equals("\r\n\r\n")) {
        for (String line : head.toString().toLowerCase(Locale.ROOT).split("\r\n", -1)) {
          if (line.startsWith("content-length:")) {
            return Integer.parseInt(line.substring(15).strip());
          }
        }
        return 0;
      }
    }
    return -1;
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : open) {
      socket.close();
    }
    page.stop(0);
  }
}
