package echoladder.servers.contract.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A client that sends what it is told, byte by byte, and understands HTTP/1.1 answers. One thread at a time. */
final class HttpPeer implements AutoCloseable {
  /** Long enough for the slowest bound of any server, so that a miss is a failure and not a slow machine. */
  static final Duration PATIENCE = Duration.ofSeconds(45);

  private final Socket socket = new Socket();
  private final InputStream in;
  private final OutputStream out;

  HttpPeer(int port) throws IOException {
    socket.connect(new InetSocketAddress("127.0.0.1", port), (int) PATIENCE.toMillis());
    socket.setSoTimeout((int) PATIENCE.toMillis());
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream(), 1 << 14);
    out = socket.getOutputStream();
  }

  /**
   * An answer.
   *
   * @param headers names in lower case
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by its bytes only
  record Answer(int status, Map<String, String> headers, byte[] body) {
    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    boolean closes() {
      return "close".equalsIgnoreCase(headers.getOrDefault("connection", ""));
    }
  }

  /** This end's port. */
  int port() {
    return socket.getLocalPort();
  }

  void send(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
  }

  void send(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  /** Sends from a thread of its own, for more than fits into the sockets; failing is allowed, the answer tells. */
  void sendInBackground(byte[] bytes, int times) {
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                for (int i = 0; i < times; i++) {
                  send(bytes);
                }
              } catch (IOException e) {
                // The server had enough of it.
              }
            });
  }

  void get(String path) throws IOException {
    send("GET " + path + " HTTP/1.1\r\nHost: test\r\n\r\n");
  }

  /** By content-length. */
  static byte[] post(byte[] body) {
    return concat(ascii("POST /echo HTTP/1.1\r\nHost: test\r\nContent-Length: " + body.length + "\r\n\r\n"), body);
  }

  /** In chunks of at most so many bytes. */
  static byte[] postChunked(byte[] body, int chunkBytes) {
    ByteArrayOutputStream all = new ByteArrayOutputStream(body.length + 1024);
    all.writeBytes(ascii("POST /echo HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n"));
    for (int at = 0; at < body.length; at += chunkBytes) {
      int n = Math.min(chunkBytes, body.length - at);
      all.writeBytes(ascii(Integer.toHexString(n) + "\r\n"));
      all.write(body, at, n);
      all.writeBytes(ascii("\r\n"));
    }
    all.writeBytes(ascii("0\r\n\r\n"));
    return all.toByteArray();
  }

  private static byte[] concat(byte[] a, byte[] b) {
    ByteArrayOutputStream all = new ByteArrayOutputStream(a.length + b.length);
    all.writeBytes(a);
    all.writeBytes(b);
    return all.toByteArray();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Ends what it sends; it can still read. */
  void shutdownOutput() throws IOException {
    socket.shutdownOutput();
  }

  /** The next answer; EOFException where the server closed instead. */
  Answer answer() throws IOException {
    String statusLine = line();
    if (!statusLine.matches("HTTP/1\\.1 \\d{3}( .*)?")) {
      throw new IOException("not a status line: " + statusLine);
    }
    int status = Integer.parseInt(statusLine.substring(9, 12));
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    if (status / 100 == 1) {
      return answer();
    }
    return new Answer(status, headers, body(headers));
  }

  private byte[] body(Map<String, String> headers) throws IOException {
    if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      for (int n = chunkBytes(); n > 0; n = chunkBytes()) {
        all.writeBytes(exactly(n));
        line();
      }
      line();
      return all.toByteArray();
    }
    String length = headers.get("content-length");
    if (length == null && "close".equalsIgnoreCase(headers.get("connection"))) {
      return untilClosed();
    }
    if (length == null) {
      throw new IOException("neither content-length nor chunks nor close: " + headers);
    }
    return exactly(Integer.parseInt(length));
  }

  private int chunkBytes() throws IOException {
    return Integer.parseInt(line().split(";", 2)[0].strip(), 16);
  }

  private byte[] exactly(int n) throws IOException {
    byte[] bytes = in.readNBytes(n);
    if (bytes.length < n) {
      throw new EOFException("closed after " + bytes.length + " of " + n + " bytes");
    }
    return bytes;
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b; (b = in.read()) != '\n'; ) {
      if (b < 0) {
        throw new EOFException("closed within a line: " + line.toString(StandardCharsets.ISO_8859_1));
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  /** Reads on until the server closes or resets the connection; what came. SocketTimeoutException where it does not. */
  byte[] untilClosed() throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try {
      for (int b; (b = in.read()) >= 0; ) {
        all.write(b);
      }
    } catch (SocketException e) {
      // Reset, which is closed as well.
    }
    return all.toByteArray();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
