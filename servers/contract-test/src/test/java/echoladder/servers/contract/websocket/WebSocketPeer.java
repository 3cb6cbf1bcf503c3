package echoladder.servers.contract.websocket;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * A client that sends what it is told, byte by byte, and reads what a server sends as strictly as RFC 6455 does. One thread at
 * a time reads.
 */
final class WebSocketPeer implements AutoCloseable {
  /** Long enough for the slowest bound of any server, so that a miss is a failure and not a slow machine. */
  static final Duration PATIENCE = Duration.ofSeconds(45);

  /** What {@link #ending} gives where the connection ended without a close frame. */
  static final int NO_CLOSE_FRAME = -1;

  /** How long a server may take to end a connection that it has every reason to end. */
  private static final Duration ENDING = Duration.ofSeconds(10);

  private static final Frame PROBE = Frame.message("are you still there?");

  /** The key of RFC 6455, 1.3, and what it asks of the server. */
  static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";

  static final String ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

  private static final int PAYLOAD_BYTES_MAX = 16 << 20;
  private static final int HEAD_BYTES_MAX = 16 << 10;

  private final Socket socket = new Socket();
  private final InputStream in;
  private final OutputStream out;
  private final List<Frame> pongs = new ArrayList<>();
  private boolean closeSent;

  WebSocketPeer(InetSocketAddress server) throws IOException {
    this(server, 0);
  }

  /** With socket buffers of that size; 0 = the kernel's choice. */
  WebSocketPeer(InetSocketAddress server, int bufferBytes) throws IOException {
    if (bufferBytes > 0) {
      socket.setReceiveBufferSize(bufferBytes);
      socket.setSendBufferSize(bufferBytes);
    }
    socket.setTcpNoDelay(true);
    socket.connect(server, (int) PATIENCE.toMillis());
    socket.setSoTimeout((int) PATIENCE.toMillis());
    in = new BufferedInputStream(socket.getInputStream(), 1 << 13);
    out = socket.getOutputStream();
  }

  /**
   * An answer of HTTP, without its body.
   *
   * @param headers names in lower case
   */
  record Answer(int status, Map<String, String> headers) {
    String header(String name) {
      return headers.getOrDefault(name, "");
    }
  }

  /** A good request for an upgrade. */
  static String request() {
    return "GET /echo HTTP/1.1\r\nHost: test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: " + KEY
        + "\r\nSec-WebSocket-Version: 13\r\n\r\n";
  }

  /** This end's port. */
  int port() {
    return socket.getLocalPort();
  }

  void send(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  void send(String head) throws IOException {
    send(head.getBytes(StandardCharsets.ISO_8859_1));
  }

  void send(Frame frame) throws IOException {
    closeSent |= frame.opcode() == Frame.CLOSE;
    send(frame.masked());
  }

  /** Sends from a thread of its own, for more than fits into the sockets; failing is allowed, what comes back tells. */
  CompletableFuture<Void> sendBehind(byte[] bytes, int times) {
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
  void fin() throws IOException {
    socket.shutdownOutput();
  }

  /** Closes with RST instead of FIN. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  /** The head of the next answer; EOFException where the server closed instead. */
  Answer answer() throws IOException {
    String statusLine = line();
    if (!statusLine.matches("HTTP/1\\.[01] \\d{3}( .*)?")) {
      throw new IOException("not a status line: " + statusLine);
    }
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    return new Answer(Integer.parseInt(statusLine.substring(9, 12)), headers);
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b; (b = in.read()) != '\n'; ) {
      if (b < 0) {
        throw new EOFException("closed within a head: " + line.toString(StandardCharsets.ISO_8859_1));
      }
      if (line.size() > HEAD_BYTES_MAX) {
        throw new IOException("a head without end");
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  /** Reads the answer to {@link #request}, which has to be the upgrade. */
  void awaitUpgrade() throws IOException {
    Answer answer = answer();
    assertThat(answer.status()).as("the answer to an upgrade: %s", answer).isEqualTo(101);
    assertThat(answer.header("sec-websocket-accept")).as("the answer to an upgrade: %s", answer).isEqualTo(ACCEPT);
  }

  /** The next frame; EOFException where the server closed instead, IOException where RFC 6455 does not allow it. */
  Frame frame() throws IOException {
    int first = in.read();
    if (first < 0) {
      throw new EOFException("closed instead of a frame");
    }
    int second = octet();
    long length = second & 0x7f;
    int more = length == 126 ? 2 : length == 127 ? 8 : 0;
    if (more > 0) {
      length = 0;
      for (int i = 0; i < more; i++) {
        length = (length << 8) | octet();
      }
    }
    boolean shortest = more == 0 || length > (more == 2 ? Frame.CONTROL_BYTES_MAX : 0xffff);
    if ((second & Frame.MASKED) != 0 || (first & Frame.RESERVED) != 0 || !shortest || length > PAYLOAD_BYTES_MAX) {
      throw new IOException("a frame that no server may send: 0x%02x 0x%02x, %d B".formatted(first, second, length));
    }
    Frame frame = new Frame(first, in.readNBytes((int) length));
    if (frame.payload().length < length) {
      throw new EOFException("closed within " + frame);
    }
    if (frame.control() && (!frame.last() || length > Frame.CONTROL_BYTES_MAX)) {
      throw new IOException("a control frame that nobody may send: " + frame);
    }
    return frame;
  }

  private int octet() throws IOException {
    int octet = in.read();
    if (octet < 0) {
      throw new EOFException("closed within the head of a frame");
    }
    return octet;
  }

  /** The next message, put together; pongs on the way are kept for {@link #pong}. */
  Frame message() throws IOException {
    Frame message = messageOrClose();
    if (message.opcode() == Frame.CLOSE) {
      throw new IOException("closed with " + message.code() + " instead of a message");
    }
    return message;
  }

  /** The same, or the close frame that comes instead. */
  Frame messageOrClose() throws IOException {
    Frame begin = data();
    if (begin.opcode() == Frame.CLOSE) {
      return begin;
    }
    if (begin.opcode() == Frame.CONTINUATION) {
      throw new IOException("a continuation of nothing: " + begin);
    }
    ByteArrayOutputStream whole = new ByteArrayOutputStream(begin.payload().length);
    whole.writeBytes(begin.payload());
    for (Frame part = begin; !part.last(); ) {
      part = data();
      if (part.opcode() != Frame.CONTINUATION) {
        throw new IOException("a message within a message: " + part);
      }
      whole.writeBytes(part.payload());
    }
    return new Frame(Frame.FIN | begin.opcode(), whole.toByteArray());
  }

  private Frame data() throws IOException {
    Frame frame = frame();
    for (; frame.control() && frame.opcode() != Frame.CLOSE; frame = frame()) {
      if (frame.opcode() == Frame.PONG) {
        pongs.add(frame);
      }
    }
    return frame;
  }

  /** The next pong: one that came before a message that was read, or the next to come. */
  Frame pong() throws IOException {
    if (!pongs.isEmpty()) {
      return pongs.removeFirst();
    }
    Frame frame = frame();
    if (frame.opcode() != Frame.PONG) {
      throw new IOException("instead of a pong " + frame);
    }
    return frame;
  }

  void echo(Frame message) throws IOException {
    CompletableFuture<Void> sent = sendBehind(message.masked(), 1);
    expect(message);
    sent.join();
  }

  void expect(Frame message) throws IOException {
    Frame back = message();
    assertThat(back.opcode()).as("opcode of %s, sent as %s", back, message).isEqualTo(message.opcode());
    assertThat(Arrays.mismatch(back.payload(), message.payload())).as("first wrong byte of %s, sent as %s", back, message).isEqualTo(-1);
  }

  /**
   * Reads on until the server ends the connection, answers its close frame as a client has to, and gives that frame's code;
   * {@link #NO_CLOSE_FRAME} where there was none. SocketTimeoutException where the server ends nothing.
   */
  int ending() throws IOException {
    socket.setSoTimeout((int) ENDING.toMillis());
    int code = NO_CLOSE_FRAME;
    try {
      while (true) {
        Frame frame = frame();
        if (Arrays.equals(frame.payload(), PROBE.payload())) {
          throw new IOException("the server went on as if nothing had happened");
        }
        if (frame.opcode() == Frame.CLOSE && code == NO_CLOSE_FRAME) {
          code = frame.code();
          if (!closeSent) {
            send(frame);
          }
        }
      }
    } catch (EOFException | SocketException e) {
      // Reset, which is ended as well.
      return code;
    }
  }

  /** The same after what no client may send, and a message behind it: a server that echoes this one has gone on, and fails at once. */
  int endingAfter(byte[] violation) throws IOException {
    send(Frame.concat(violation, PROBE.masked()));
    return ending();
  }

  /** Reads on until the server closes or resets the connection; what came. */
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
