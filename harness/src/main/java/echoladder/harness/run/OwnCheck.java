package echoladder.harness.run;

import echoladder.client.Protocol;
import echoladder.client.page.PageFetch;
import echoladder.client.websocket.OneEcho;
import echoladder.harness.server.OwnServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One answer of a server that keeps no contract. Over TCP the bytes that were sent have to come back, and no more is asked: it need
 * not answer a half-close. Over HTTP the status has to be the right one; the body of an echo is the client's to verify. Over
 * WebSocket the upgrade has to be right, and the message has to come back.
 *
 * @param source address to connect from; null = the kernel's choice
 */
record OwnCheck(OwnServer own, @Nullable String source) {
  /** Lines would be answered line by line, so no line ends in them but one in the middle. */
  private static final byte[] WORDS = "echo ladder\r\n\0\377 one, two, three".getBytes(StandardCharsets.ISO_8859_1);

  // RFC 8446, section 5.1: how the answer to what is no TLS begins.
  private static final byte TLS_ALERT = 21;
  private static final byte TLS_MAJOR = 3;

  private static final int BOUND_MS = 10_000;
  private static final int MOST_BYTES = 64 << 10;

  void tcp() throws IOException {
    byte[] said = exchange(WORDS, WORDS.length);
    if (!Arrays.equals(said, WORDS)) {
      throw new IOException(
          "it answers another protocol%s: %d bytes were sent and other ones came back, beginning with %s"
              .formatted(known(said), WORDS.length, PageFetch.quoted(said)));
    }
  }

  /** What it has to do over that protocol, as a part of a sentence. */
  static String asked(Protocol protocol) {
    return switch (protocol) {
      case TCP ->
          "over TCP every byte has to come back at once, and nothing else; other servers are climbed with --protocol http or websocket";
      case HTTP ->
          "over HTTP the message is posted to --path and has to come back; a server that does not echo is asked with --expect-status or"
              + " --request";
      case WEBSOCKET -> "over WebSocket the upgrade is asked for at --path, and every message has to come back";
    };
  }

  /** What some answers are known for. */
  private static String known(byte[] said) {
    if (said.length > 1 && said[0] == TLS_ALERT && said[1] == TLS_MAJOR) {
      return ", TLS, which the client does not speak";
    }
    return new String(said, StandardCharsets.ISO_8859_1).startsWith("HTTP/") ? ", HTTP" : "";
  }

  void http() throws IOException {
    boolean echoes = own.ask().request() == null;
    byte[] request = echoes ? posted() : own.ask().bytes();
    String said = new String(exchange(request, 12), StandardCharsets.ISO_8859_1);
    String right = "HTTP/1.1 " + own.ask().status();
    if (!said.startsWith("HTTP/1.1 ")) {
      throw new IOException("it answers another protocol than HTTP/1.1: its answer begins with " + firstLine(said));
    }
    if (!said.startsWith(right)) {
      throw new IOException("its answer begins with %s; '%s' is the right one (--path, --request, --expect-status)"
          .formatted(firstLine(said), right));
    }
  }

  void webSocket() throws IOException {
    OneEcho.of(own.target(), own.ask().path(), WORDS, source, Duration.ofMillis(BOUND_MS));
  }

  private static String firstLine(String said) {
    return PageFetch.quoted(said.lines().findFirst().orElse("").getBytes(StandardCharsets.ISO_8859_1));
  }

  private byte[] posted() {
    String head =
        "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/octet-stream\r\nContent-Length: %d\r\n\r\n"
            .formatted(own.ask().path(), own.target(), WORDS.length);
    return (head + new String(WORDS, StandardCharsets.ISO_8859_1)).getBytes(StandardCharsets.ISO_8859_1);
  }

  /** What came back of a request: at least so many bytes. All of it has the bound: a byte each within it would never end. */
  private byte[] exchange(byte[] request, int least) throws IOException {
    long endNs = System.nanoTime() + BOUND_MS * 1_000_000L;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    try (Socket socket = new Socket()) {
      socket.setTcpNoDelay(true);
      if (source != null) {
        socket.bind(new InetSocketAddress(source, 0));
      }
      socket.connect(new InetSocketAddress(own.target().host(), own.port()), BOUND_MS);
      socket.getOutputStream().write(request);
      byte[] part = new byte[MOST_BYTES];
      while (said.size() < least) {
        socket.setSoTimeout((int) Math.max(1, (endNs - System.nanoTime()) / 1_000_000));
        int n = socket.getInputStream().read(part);
        if (n < 0) {
          throw new IOException(
              "it closed the connection after %d of %d bytes%s%s"
                  .formatted(said.size(), least, known(said.toByteArray()), said.size() == 0 ? ""
                      : ": " + PageFetch.quoted(said.toByteArray())));
        }
        said.write(part, 0, n);
      }
    } catch (SocketTimeoutException e) {
      throw new IOException(
          "%d bytes were sent and %d came back within %d s, the bound%s"
              .formatted(request.length, said.size(), BOUND_MS / 1_000, said.size() == 0 ? ""
                  : ": " + PageFetch.quoted(said.toByteArray())),
          e);
    }
    return said.toByteArray();
  }
}
