package echoladder.harness.host;

import echoladder.client.HttpAsk;
import echoladder.client.Protocol;
import echoladder.client.Target;
import echoladder.client.page.PageFetch;
import echoladder.client.websocket.OneEcho;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One connection by the harness itself before any load: a few bytes must come back, and over plain TCP, after the
 * half-close, the server's FIN. A load against something that is no echo server would say less clearly what is wrong.
 */
public final class EchoCheck {
  private static final byte[] WORDS = "echo ladder\r\n\0\377 one, two, three".getBytes(StandardCharsets.ISO_8859_1);
  private static final Duration BOUND = Duration.ofSeconds(10);
  private static final PageFetch FETCH = new PageFetch(BOUND, 64 << 10);

  private EchoCheck() {}

  /**
   * Throws an {@link IOException} that says what was wrong with the echo.
   *
   * @param source address to connect from, but for HTTP; null = the kernel's choice
   */
  public static void of(Protocol protocol, Target target, @Nullable String source) throws IOException {
    String where = target.toString();
    try {
      switch (protocol) {
        case TCP -> tcp(target, source);
        case HTTP -> http(where);
        case WEBSOCKET -> OneEcho.of(target, HttpAsk.ECHO.path(), WORDS, source, BOUND);
      }
    } catch (IOException e) {
      throw new IOException("echo check of " + where + " failed: " + e.getMessage(), e);
    }
  }

  private static void http(String where) throws IOException {
    compare(FETCH.post(URI.create("http://" + where + "/echo"), WORDS), where);
  }

  private static void compare(byte[] echoed, String where) throws IOException {
    if (!Arrays.equals(echoed, WORDS)) {
      throw new IOException(
          "%d bytes were sent to %s and %d came back%s"
              .formatted(WORDS.length, where, echoed.length, echoed.length == WORDS.length ? ", other ones" : ""));
    }
  }

  private static void tcp(Target target, @Nullable String source) throws IOException {
    long endNs = System.nanoTime() + BOUND.toNanos();
    try (Socket socket = new Socket()) {
      socket.setTcpNoDelay(true);
      if (source != null) {
        socket.bind(new InetSocketAddress(source, 0));
      }
      socket.connect(new InetSocketAddress(target.host(), target.port()), leftMs(endNs));
      socket.getOutputStream().write(WORDS);
      ByteArrayOutputStream echoed = new ByteArrayOutputStream();
      int b;
      while ((b = read(socket, endNs)) >= 0) {
        echoed.write(b);
        if (echoed.size() > WORDS.length) {
          throw new IOException(target + " sent more than it was sent");
        }
        // Not before: what a server owes to one that half-closes at once is a clause of the contract suite, and no load asks for it.
        if (echoed.size() == WORDS.length) {
          socket.shutdownOutput();
        }
      }
      compare(echoed.toByteArray(), target.toString());
    }
  }

  /** One byte, or -1 at the end. All bytes together have the bound: one each within it would never end. */
  private static int read(Socket socket, long endNs) throws IOException {
    try {
      socket.setSoTimeout(leftMs(endNs));
      return socket.getInputStream().read();
    } catch (SocketTimeoutException e) {
      throw new IOException(late(), e);
    }
  }

  private static int leftMs(long endNs) throws IOException {
    long left = (endNs - System.nanoTime()) / 1_000_000;
    if (left <= 0) {
      throw new IOException(late());
    }
    return (int) left;
  }

  private static String late() {
    return "no whole echo, its end included, within %d s, the bound".formatted(BOUND.toSeconds());
  }
}
