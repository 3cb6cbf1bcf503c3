package echoladder.servers.contract.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.servers.contract.Peer;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A client that reads what a WebSocket server sends as strictly as RFC 6455 does. */
final class WebSocketPeer extends Peer {
  /** What {@link #ending} gives where the connection ended without a close frame. */
  static final int NO_CLOSE_FRAME = -1;

  /** How long a server may take to end a connection that it has every reason to end. */
  private static final Duration ENDING = Duration.ofSeconds(10);

  private static final Frame PROBE = Frame.message("are you still there?");

  /** The key of RFC 6455, 1.3, and what it asks of the server. */
  static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";

  static final String ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

  private static final int PAYLOAD_BYTES_MAX = 16 << 20;

  private final List<Frame> pongs = new ArrayList<>();
  private boolean closeSent;

  WebSocketPeer(InetSocketAddress server) throws IOException {
    this(server, 0);
  }

  /** With socket buffers of that size; 0 = the kernel's choice. */
  WebSocketPeer(InetSocketAddress server, int bufferBytes) throws IOException {
    super(server, bufferBytes);
  }

  /** A good request for an upgrade. */
  static String request() {
    return "GET /echo HTTP/1.1\r\nHost: test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: " + KEY
        + "\r\nSec-WebSocket-Version: 13\r\n\r\n";
  }

  void send(Frame frame) throws IOException {
    closeSent |= frame.opcode() == Frame.CLOSE;
    send(frame.masked());
  }

  /** The head of the next answer; EOFException where the server closed instead. */
  Head answer() throws IOException {
    return head("1\\.[01]");
  }

  /** Reads the answer to {@link #request}, which has to be the upgrade. */
  void awaitUpgrade() throws IOException {
    Head answer = answer();
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

  /** The next message, put together, or the close frame that comes instead. */
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
    patience(ENDING);
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

  /**
   * How the server ends the connection, see {@link #ending}, after what no client may send and a message behind it: a server
   * that echoes that message has gone on, and fails at once.
   */
  int endingAfter(byte[] violation) throws IOException {
    send(Frame.concat(violation, PROBE.masked()));
    return ending();
  }
}
