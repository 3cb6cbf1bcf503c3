package echoladder.harness.run;

import echoladder.client.Protocol;
import echoladder.client.page.PageFetch;
import echoladder.client.websocket.OneEcho;
import echoladder.harness.server.OwnServer;
import echoladder.openloop.codec.OneAnswer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One answer of a server that keeps no contract. Over TCP the bytes that were sent have to come back, and no more is asked: it need
 * not answer a half-close. Over HTTP the status has to be the right one, and the answer needs an end; the body of an echo is the client's
 * to verify. Over WebSocket the upgrade has to be right, and the message has to come back.
 *
 * @param source address to connect from; null = the kernel's choice
 * @param bound for all of it
 */
record OwnCheck(OwnServer own, @Nullable String source, Duration bound) {
  /** Lines would be answered line by line, so no line ends in them but one in the middle. */
  private static final byte[] WORDS = "echo ladder\r\n\0\377 one, two, three".getBytes(StandardCharsets.ISO_8859_1);

  // RFC 8446, section 5.1: how the answer to what is no TLS begins.
  private static final byte TLS_ALERT = 21;
  private static final byte TLS_MAJOR = 3;

  private static final int MOST_BYTES = 64 << 10;
  private static final String VERSION = "HTTP/1.1 ";
  private static final int STATUS_BYTES = VERSION.length() + 3;

  OwnCheck(OwnServer own, @Nullable String source) {
    this(own, source, Duration.ofSeconds(10));
  }

  void tcp() throws IOException {
    byte[] said = exchange(WORDS, new Bytes(WORDS.length));
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
  private String known(byte[] said) {
    if (said.length > 1 && said[0] == TLS_ALERT && said[1] == TLS_MAJOR) {
      return ", TLS, which is not spoken to a server of your own";
    }
    boolean http = new String(said, StandardCharsets.ISO_8859_1).startsWith("HTTP/");
    return http && own.protocol() == Protocol.TCP ? ", HTTP" : "";
  }

  void http() throws IOException {
    boolean echoes = own.ask().request() == null;
    byte[] request = echoes ? posted() : own.ask().bytes();
    OneAnswer answer = new OneAnswer(own.ask().status());
    String right = VERSION + own.ask().status();
    String said = new String(exchange(request, new Answered(answer, right)), StandardCharsets.ISO_8859_1);
    if (!said.startsWith(VERSION)) {
      throw new IOException("it answers another protocol than HTTP/1.1: its answer begins with " + firstLine(said));
    }
    if (!said.startsWith(right)) {
      throw new IOException("its answer begins with %s; '%s' is the right one (--path, --request, --expect-status)"
          .formatted(firstLine(said), right));
    }
    String fault = answer.fault();
    if (fault != null) {
      throw new IOException("no client can tell where its answer ends: %s; it begins with %s".formatted(fault, firstLine(said)));
    }
  }

  void webSocket() throws IOException {
    OneEcho.of(own.target(), own.ask().path(), WORDS, source, bound);
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

  /** When enough came back. */
  private sealed interface Enough {
    /** With {@code n} bytes more, of which {@code all} came in all. */
    boolean with(byte[] part, int n, byte[] all);

    /** At the end of the connection, of {@code all} that came. */
    boolean atEnd(byte[] all);

    /** Why {@code all} that came is not enough. */
    String missing(byte[] all);
  }

  /** So many of them. */
  private record Bytes(int least) implements Enough {
    @Override
    public boolean with(byte[] part, int n, byte[] all) {
      return all.length >= least;
    }

    @Override
    public boolean atEnd(byte[] all) {
      return false;
    }

    @Override
    public String missing(byte[] all) {
      return "after %d of %d bytes".formatted(all.length, least);
    }
  }

  /** An answer to its end, or the beginning of one that is not the right one. */
  private record Answered(OneAnswer answer, String right) implements Enough {
    @Override
    public boolean with(byte[] part, int n, byte[] all) {
      boolean over = answer.take(part, n);
      return all.length >= STATUS_BYTES && (over || !new String(all, StandardCharsets.ISO_8859_1).startsWith(right));
    }

    @Override
    public boolean atEnd(byte[] all) {
      return all.length >= STATUS_BYTES && answer.takeEnd();
    }

    @Override
    public String missing(byte[] all) {
      String unended = answer.unended();
      return all.length < STATUS_BYTES || unended == null
          ? new Bytes(STATUS_BYTES).missing(all)
          : "after %d bytes of an %s".formatted(all.length, unended);
    }
  }

  /** What came back of a request until it was enough. All of it has the bound: a byte each within it would never end. */
  private byte[] exchange(byte[] request, Enough enough) throws IOException {
    long endNs = System.nanoTime() + bound.toNanos();
    String within = " within %.0f s, the bound".formatted(bound.toNanos() / 1e9);
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    try (Socket socket = new Socket()) {
      connect(socket, within);
      write(socket, request);
      byte[] part = new byte[MOST_BYTES];
      while (true) {
        socket.setSoTimeout((int) Math.max(1, (endNs - System.nanoTime()) / 1_000_000));
        int n = read(socket, part);
        byte[] all = said.toByteArray();
        if (n < 0) {
          if (enough.atEnd(all)) {
            return all;
          }
          throw new IOException(
              "it closed the connection %s%s%s"
                  .formatted(enough.missing(all), known(all), all.length == 0 ? "" : ": " + PageFetch.quoted(all)));
        }
        said.write(part, 0, Math.min(n, MOST_BYTES - Math.min(MOST_BYTES, all.length)));
        if (enough.with(part, n, said.toByteArray())) {
          return said.toByteArray();
        }
        if (System.nanoTime() > endNs) {
          throw new SocketTimeoutException("it goes on");
        }
      }
    } catch (SocketTimeoutException e) {
      byte[] all = said.toByteArray();
      throw new IOException(
          all.length == 0
              ? "it took the connection and %d bytes, and nothing came back%s".formatted(request.length, within)
              : "%d bytes were sent, and what came back had no end%s: it stands %s: %s"
                  .formatted(request.length, within, enough.missing(all), PageFetch.quoted(all)),
          e);
    }
  }

  private static void write(Socket socket, byte[] request) throws IOException {
    try {
      socket.getOutputStream().write(request);
    } catch (SocketException e) {
      // It closed the connection before it had all of a large request. What it said before is read all the same, and says why.
    }
  }

  private static int read(Socket socket, byte[] part) throws IOException {
    try {
      return socket.getInputStream().read(part);
    } catch (SocketException e) {
      // A reset is an end, too: what came before it is said.
      return -1;
    }
  }

  private void connect(Socket socket, String within) throws IOException {
    socket.setTcpNoDelay(true);
    if (source != null) {
      socket.bind(new InetSocketAddress(source, 0));
    }
    try {
      socket.connect(new InetSocketAddress(own.target().host(), own.port()), (int) bound.toMillis());
    } catch (SocketTimeoutException e) {
      throw new IOException("no handshake was completed" + within, e);
    }
  }
}
