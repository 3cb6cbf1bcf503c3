package echoladder.harness.host;

import echoladder.client.HttpAsk;
import echoladder.client.Protocol;
import echoladder.client.Target;
import echoladder.client.Tls;
import echoladder.client.page.PageFetch;
import echoladder.client.tls.TrustedSockets;
import echoladder.client.websocket.OneEcho;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * One connection by the harness itself to a server that is to speak TLS, before any load, by the JDK. Its chain and name are verified,
 * and a few bytes must come back. Over plain TCP the server's close_notify must come behind that of the client.
 */
public final class TlsCheck {
  private static final byte[] WORDS = "echo ladder\r\n\0\377 one, two, three".getBytes(StandardCharsets.ISO_8859_1);
  private static final Duration BOUND = Duration.ofSeconds(10);
  private static final int ANSWER_BYTES_MOST = 64 << 10;

  private TlsCheck() {}

  /**
   * Throws an {@link IOException} that says what was wrong.
   *
   * @param source address to connect from; null = the kernel's choice
   * @param asked with authorities at which the server's chain must end
   */
  public static void of(Protocol protocol, Target target, @Nullable String source, Tls asked) throws IOException {
    try (Socket socket = new Socket()) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout((int) BOUND.toMillis());
      if (source != null) {
        socket.bind(new InetSocketAddress(source, 0));
      }
      socket.connect(new InetSocketAddress(target.host(), target.port()), (int) BOUND.toMillis());
      try (SSLSocket tls = TrustedSockets.over(socket, target, asked, protocol)) {
        switch (protocol) {
          case TCP -> tcp(tls);
          case HTTP -> http(tls, target);
          case WEBSOCKET -> OneEcho.on(tls, target, HttpAsk.ECHO.path(), WORDS, BOUND);
        }
      }
    } catch (SocketTimeoutException e) {
      throw failed(target, "no whole answer within %d s, the bound".formatted(BOUND.toSeconds()), e);
    } catch (IOException e) {
      throw failed(target, String.valueOf(e.getMessage()), e);
    }
  }

  private static IOException failed(Target target, String why, IOException cause) {
    return new IOException("echo check over TLS of " + target + " failed: " + why, cause);
  }

  private static void tcp(SSLSocket tls) throws IOException {
    tls.getOutputStream().write(WORDS);
    byte[] echoed = tls.getInputStream().readNBytes(WORDS.length);
    if (!Arrays.equals(echoed, WORDS)) {
      throw new IOException(
          "%d bytes were sent and %d came back%s"
              .formatted(WORDS.length, echoed.length, echoed.length == WORDS.length ? ", other ones" : ""));
    }
    tls.shutdownOutput();
    if (tls.getInputStream().read() >= 0) {
      throw new IOException("more came back than was sent");
    }
  }

  /** One request, behind which the server is to end the connection. */
  private static void http(SSLSocket tls, Target target) throws IOException {
    String request =
        "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/octet-stream\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
            .formatted(HttpAsk.ECHO.path(), target, WORDS.length);
    tls.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    tls.getOutputStream().write(WORDS);
    byte[] all = tls.getInputStream().readNBytes(ANSWER_BYTES_MOST);
    String answer = new String(all, StandardCharsets.ISO_8859_1);
    // The body may come in chunks; a short one is whole in its first.
    int head = answer.indexOf("\r\n\r\n");
    if (!answer.startsWith("HTTP/1.1 200") || head < 0 || answer.indexOf(new String(WORDS, StandardCharsets.ISO_8859_1), head) < 0) {
      throw new IOException(
          "a POST of %d bytes to %s is answered by %s; 200 with these bytes is right"
              .formatted(WORDS.length, HttpAsk.ECHO.path(), PageFetch.quoted(all)));
    }
  }
}
