package echoladder.servers.contract;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** A client of a metrics page that sends what it is told, byte by byte. */
final class PageClient implements AutoCloseable {
  /** Longer than any bound of a page: a miss is a failure, and not a slow machine. */
  static final Duration PATIENCE = Duration.ofSeconds(25);

  private static final int SMALL_BUFFER_BYTES = 4 << 10;

  private final Socket socket = new Socket();

  PageClient(int port) throws IOException {
    // Little is taken in by the kernel on behalf of a client that does not read.
    socket.setReceiveBufferSize(SMALL_BUFFER_BYTES);
    socket.setSoTimeout((int) PATIENCE.toMillis());
    socket.connect(new InetSocketAddress("127.0.0.1", port), (int) PATIENCE.toMillis());
  }

  /** Sends it; a page that has closed the connection meanwhile is none of this method's business. */
  PageClient send(String text) {
    try {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      // Cut off, which is the page's right.
    }
    return this;
  }

  /** Sends it again and again from a thread of its own, until the connection ends. */
  PageClient sendForEver(String text, Duration pause) {
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                while (true) {
                  socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
                  Thread.sleep(pause);
                }
              } catch (IOException e) {
                // Cut off by the page, or closed by the test.
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    return this;
  }

  /** The status of the next answer, whose head and body are read; 0 where the connection ends instead. */
  int answer() throws IOException {
    InputStream in = socket.getInputStream();
    String head = head(in);
    if (head.isEmpty()) {
      return 0;
    }
    int length =
        head.lines()
            .filter(line -> line.regionMatches(true, 0, "content-length:", 0, 15))
            .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
            .findFirst()
            .orElse(-1);
    if (length >= 0) {
      in.skipNBytes(length);
    } else {
      // In chunks; the last one is empty.
      for (int n = chunk(in); n > 0; n = chunk(in)) {
        in.skipNBytes(n + 2L);
      }
      in.skipNBytes(2);
    }
    return Integer.parseInt(head.split(" ", 3)[1]);
  }

  private static int chunk(InputStream in) throws IOException {
    return Integer.parseInt(until(in, text -> text.endsWith("\r\n") ? text.strip() : ""), 16);
  }

  private static String head(InputStream in) throws IOException {
    return until(in, text -> text.endsWith("\r\n\r\n") ? text : "");
  }

  /** Reads up to where {@code whole} gives something; empty where the connection ends before. */
  private static String until(InputStream in, UnaryOperator<String> whole) throws IOException {
    StringBuilder text = new StringBuilder();
    try {
      for (int b; (b = in.read()) >= 0; ) {
        text.append((char) b);
        String found = whole.apply(text.toString());
        if (!found.isEmpty()) {
          return found;
        }
      }
    } catch (SocketException e) {
      // Reset, which is an end as well.
    }
    return "";
  }

  /** Waits for the page to end the connection; SocketTimeoutException where it does not. */
  void awaitEnd() throws IOException {
    try {
      socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (SocketException e) {
      // Reset, which is an end as well.
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
