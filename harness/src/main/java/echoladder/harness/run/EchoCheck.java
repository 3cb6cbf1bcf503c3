package echoladder.harness.run;

import echoladder.client.Protocol;
import echoladder.client.Target;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One connection by the harness itself before any load: a few bytes must come back, and over plain TCP, after the
 * half-close, the server's FIN. A load against something that is no echo server would say less clearly what is wrong.
 */
final class EchoCheck {
  private static final byte[] WORDS = "echo ladder\r\n\0\377 one, two, three".getBytes(StandardCharsets.ISO_8859_1);
  private static final Duration BOUND = Duration.ofSeconds(10);

  private EchoCheck() {}

  /**
   * Throws an {@link IOException} that says what was wrong with the echo.
   *
   * @param source address to connect from, over plain TCP; null = the kernel's choice
   */
  static void of(Protocol protocol, Target target, @Nullable String source) throws IOException {
    String where = target.toString();
    try {
      switch (protocol) {
        case TCP -> tcp(target, source);
        case HTTP -> http(where);
      }
    } catch (IOException e) {
      throw new IOException("echo check of " + where + " failed: " + e.getMessage(), e);
    }
  }

  private static void http(String where) throws IOException {
    HttpURLConnection post = (HttpURLConnection) URI.create("http://" + where + "/echo").toURL().openConnection();
    post.setConnectTimeout((int) BOUND.toMillis());
    post.setReadTimeout((int) BOUND.toMillis());
    post.setRequestMethod("POST");
    post.setRequestProperty("Content-Type", "application/octet-stream");
    post.setDoOutput(true);
    try {
      post.getOutputStream().write(WORDS);
      int status = post.getResponseCode();
      if (status != HttpURLConnection.HTTP_OK) {
        throw new IOException("POST /echo was answered with status " + status);
      }
      compare(post.getInputStream().readNBytes(WORDS.length + 1), where);
    } finally {
      post.disconnect();
    }
  }

  private static void compare(byte[] echoed, String where) throws IOException {
    if (!Arrays.equals(echoed, WORDS)) {
      throw new IOException(
          "%d bytes were sent to %s and %d came back%s"
              .formatted(WORDS.length, where, echoed.length, echoed.length == WORDS.length ? ", other ones" : ""));
    }
  }

  private static void tcp(Target target, @Nullable String source) throws IOException {
    int ms = (int) BOUND.toMillis();
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(ms);
      socket.setTcpNoDelay(true);
      if (source != null) {
        socket.bind(new InetSocketAddress(source, 0));
      }
      socket.connect(new InetSocketAddress(target.host(), target.port()), ms);
      socket.getOutputStream().write(WORDS);
      socket.shutdownOutput();
      compare(socket.getInputStream().readNBytes(WORDS.length), target.toString());
      if (socket.getInputStream().read() >= 0) {
        throw new IOException(target + " sent more than it was sent");
      }
    }
  }
}
