package echoladder.servers.contract.push;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.websocket.CloseCode;
import echoladder.client.websocket.Frames;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;

/** A client of a server that pushes over WebSocket: each binary message is a frame without its length. */
final class SocketPeer extends PushPeer {
  private static final String REQUEST =
      "GET /echo HTTP/1.1\r\nHost: test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
          + "Sec-WebSocket-Version: 13\r\n\r\n";
  private static final int LENGTH_BYTES = 4;

  private static final String ENDED_BY = "closed by a close frame of ";

  /** A code that no server has a reason of its own to send. */
  static final int CLOSED_BY_TEST = 3_579;

  private static final int GOING_AWAY = 1_001;
  private static final int MASK = 0x5A17C3E9;

  private boolean upgraded;

  SocketPeer(InetSocketAddress server, int bufferBytes) throws IOException {
    super(server, bufferBytes);
    send(REQUEST);
  }

  /** Waits for the upgrade. */
  @Override
  SocketPeer ready() throws IOException {
    assertThat(head("1\\.1").status()).as("status of an upgrade").isEqualTo(101);
    upgraded = true;
    return this;
  }

  /** Behind the upgrade; before it, no more can be asked for than that was. */
  @Override
  void ask(int topic) throws IOException {
    if (upgraded) {
      super.ask(topic);
    }
  }

  @Override
  PushPeer had(int topic) throws IOException {
    if (!upgraded) {
      ready().ask(topic);
    }
    return super.had(topic);
  }

  @Override
  byte[] wire(byte[] frame) {
    return Frames.masked(Frames.BINARY, Arrays.copyOfRange(frame, LENGTH_BYTES, frame.length), MASK);
  }

  /** Says the end of this side by a close frame. */
  void sayEnd() throws IOException {
    send(Frames.masked(Frames.CLOSE, CloseCode.body(CLOSED_BY_TEST), MASK));
  }

  @Override
  Frame next() throws IOException {
    int first = in.read();
    if (first < 0) {
      throw new EOFException("closed");
    }
    int length = octet();
    if (length == 126 || length == 127) {
      int bytes = length == 126 ? 2 : 8;
      length = 0;
      for (int i = 0; i < bytes; i++) {
        length = length << 8 | octet();
      }
    }
    if (first == (0x80 | Frames.CLOSE)) {
      throw new EOFException(ENDED_BY + CloseCode.of(exactly(length)));
    }
    assertThat(first).as("first byte of a frame of %d B", length).isEqualTo(0x80 | Frames.BINARY);
    assertThat(length).as("length of a message").isBetween(HEAD_BYTES - LENGTH_BYTES, HEAD_BYTES - LENGTH_BYTES + (1 << 20));
    return framed(exactly(length));
  }

  @Override
  String wholeEnd() {
    return ENDED_BY + GOING_AWAY;
  }

  private int octet() throws IOException {
    int octet = in.read();
    if (octet < 0) {
      throw new EOFException("closed within a head");
    }
    return octet;
  }

  /** A close frame may come before the end. */
  @Override
  void expectEnd() throws IOException {
    int first = in.read();
    if (first >= 0) {
      assertThat(first).as("first byte behind all messages").isEqualTo(0x80 | Frames.CLOSE);
      exactly(octet());
    }
    assertThat(first < 0 ? first : in.read()).as("end of stream").isEqualTo(-1);
  }
}
