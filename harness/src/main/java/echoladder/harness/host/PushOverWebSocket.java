package echoladder.harness.host;

import echoladder.client.Target;
import echoladder.client.websocket.Frames;
import echoladder.client.websocket.Upgrade;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The frames of push as streams have them over TCP, carried by the binary messages of a WebSocket connection without their lengths. A ping
 * gets its pong.
 */
final class PushOverWebSocket {
  private static final int MOST_HEAD_BYTES = 16 << 10;
  private static final int MOST_MESSAGE_BYTES = 64 << 10;
  private static final int LENGTH_BYTES = Integer.BYTES;
  private static final int OPCODE = 0x0f;
  private static final int SHORT_LENGTH = 0x7f;

  private final DataInputStream from;
  private final OutputStream to;

  private PushOverWebSocket(Socket socket) throws IOException {
    from = new DataInputStream(socket.getInputStream());
    to = socket.getOutputStream();
  }

  /** Upgrades a connection. */
  static PushOverWebSocket open(Socket socket, Target target, String path) throws IOException {
    PushOverWebSocket opened = new PushOverWebSocket(socket);
    String key = Upgrade.key(ThreadLocalRandom.current().nextLong(), ThreadLocalRandom.current().nextLong());
    opened.to.write(Upgrade.request(path, target.toString(), key));
    String head = opened.head();
    String complaint =
        Upgrade.status(head) == Upgrade.STATUS ? Upgrade.complaint(head, key) : "it answers " + head.lines().findFirst().orElse("nothing");
    if (complaint != null) {
      throw new IOException("no upgrade to WebSocket at " + path + ": " + complaint);
    }
    return opened;
  }

  private String head() throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n") && head.size() < MOST_HEAD_BYTES) {
      head.write(from.readUnsignedByte());
    }
    return head.toString(StandardCharsets.ISO_8859_1);
  }

  /** What comes. */
  InputStream in() {
    return new InputStream() {
      private InputStream frame = InputStream.nullInputStream();

      @Override
      public int read() throws IOException {
        for (int b; ; frame = next()) {
          if ((b = frame.read()) >= 0) {
            return b;
          }
        }
      }

      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
          return 0;
        }
        for (int n; ; frame = next()) {
          if ((n = frame.read(into, offset, length)) > 0) {
            return n;
          }
        }
      }
    };
  }

  private InputStream next() throws IOException {
    int first = from.readUnsignedByte();
    int length = from.readUnsignedByte();
    if (length == SHORT_LENGTH - 1) {
      length = from.readUnsignedShort();
    }
    int opcode = first & OPCODE;
    if (opcode == Frames.CLOSE) {
      throw new EOFException("closed");
    }
    boolean control = opcode == Frames.PING || opcode == Frames.PONG;
    if ((opcode != Frames.BINARY && !control) || length == SHORT_LENGTH || length > MOST_MESSAGE_BYTES) {
      throw new IOException("a frame of opcode %d came where a short binary message was due".formatted(opcode));
    }
    byte[] payload = new byte[length];
    from.readFully(payload);
    if (opcode == Frames.PING) {
      send(Frames.PONG, payload);
    }
    if (control) {
      return InputStream.nullInputStream();
    }
    return new ByteArrayInputStream(ByteBuffer.allocate(LENGTH_BYTES + length).putInt(length).put(payload).array());
  }

  /** Sends a frame of push. */
  void send(byte[] frame) throws IOException {
    send(Frames.BINARY, Arrays.copyOfRange(frame, LENGTH_BYTES, frame.length));
  }

  private void send(int opcode, byte[] payload) throws IOException {
    to.write(Frames.masked(opcode, payload, ThreadLocalRandom.current().nextInt() | 1));
  }
}
