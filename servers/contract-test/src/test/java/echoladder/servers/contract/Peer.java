package echoladder.servers.contract;

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
import java.util.concurrent.CompletableFuture;

/**
 * A client that sends what it is told, byte by byte, and reads heads of HTTP/1.x; what follows a head is the subclass's. One
 * thread at a time reads.
 */
public abstract class Peer implements AutoCloseable {
  /** Long enough for the slowest bound of any server, so that a miss is a failure and not a slow machine. */
  public static final Duration PATIENCE = Duration.ofSeconds(45);

  private static final int LINE_BYTES_MAX = 256 << 10;

  private final Socket socket = new Socket();
  private final OutputStream out;

  /** What the server sends. */
  protected final InputStream in;

  /** With socket buffers of that size; 0 = the kernel's choice. */
  protected Peer(InetSocketAddress server, int bufferBytes) throws IOException {
    if (bufferBytes > 0) {
      socket.setReceiveBufferSize(bufferBytes);
      socket.setSendBufferSize(bufferBytes);
    }
    socket.setTcpNoDelay(true);
    socket.connect(server, (int) PATIENCE.toMillis());
    patience(PATIENCE);
    in = new BufferedInputStream(socket.getInputStream(), 1 << 13);
    out = socket.getOutputStream();
  }

  /**
   * The head of an answer.
   *
   * @param headers names in lower case
   */
  public record Head(int status, Map<String, String> headers) {
    /** A header's value; empty where there is none. */
    public String header(String name) {
      return headers.getOrDefault(name, "");
    }
  }

  /** How long a read may take from here on; SocketTimeoutException beyond. */
  protected final void patience(Duration most) throws SocketException {
    socket.setSoTimeout((int) most.toMillis());
  }

  /** This end's port. */
  public final int port() {
    return socket.getLocalPort();
  }

  /** Sends these bytes. */
  public final void send(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  /** Sends a character per byte. */
  public final void send(String text) throws IOException {
    send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Sends from a thread of its own, for more than fits into the sockets; failing is allowed, what comes back tells. */
  public final CompletableFuture<Void> sendBehind(byte[] bytes, int times) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            for (int i = 0; i < times; i++) {
              send(bytes);
            }
          } catch (IOException e) {
            // The server had enough of it.
          }
        },
        task -> Thread.ofVirtual().start(task));
  }

  /** Ends what it sends; it can still read. */
  public final void fin() throws IOException {
    socket.shutdownOutput();
  }

  /** Closes with RST instead of FIN. */
  public final void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  /**
   * The head of the next answer; EOFException where the server closed instead.
   *
   * @param versions of HTTP that are right, as a regular expression
   */
  protected final Head head(String versions) throws IOException {
    String statusLine = line();
    if (!statusLine.matches("HTTP/(" + versions + ") \\d{3}( .*)?")) {
      throw new IOException("not a status line: " + statusLine);
    }
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      if (colon < 0) {
        throw new IOException("not a header: " + line);
      }
      headers.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    return new Head(Integer.parseInt(statusLine.substring(9, 12)), headers);
  }

  /** The next line without its end. */
  protected final String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b; (b = in.read()) != '\n'; ) {
      if (b < 0) {
        throw new EOFException("closed within a line: " + line.toString(StandardCharsets.ISO_8859_1));
      }
      if (line.size() > LINE_BYTES_MAX) {
        throw new IOException("a line without end");
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  /** Reads on until the server closes or resets the connection; what came. SocketTimeoutException where the server does neither. */
  public final byte[] untilClosed() throws IOException {
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

  /** Reads on until the server ends the connection; whether it does so by a reset. */
  public final boolean untilReset() throws IOException {
    try {
      in.transferTo(OutputStream.nullOutputStream());
      return false;
    } catch (SocketException e) {
      return true;
    }
  }

  @Override
  public final void close() throws IOException {
    socket.close();
  }
}
