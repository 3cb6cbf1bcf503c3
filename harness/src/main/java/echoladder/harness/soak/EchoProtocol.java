package echoladder.harness.soak;

import echoladder.client.Protocol;
import echoladder.client.Target;
import echoladder.client.websocket.CloseCode;
import echoladder.client.websocket.Frames;
import echoladder.client.websocket.Upgrade;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** One message and its echo on a connection, as a visitor of a soak says and hears them in each protocol. */
enum EchoProtocol {
  /** The bytes themselves. */
  TCP {
    @Override
    void say(OutputStream out, byte[] message) throws IOException {
      out.write(message);
    }

    @Override
    byte[] hear(InputStream in, int bytes) throws IOException {
      return in.readNBytes(bytes);
    }
  },

  /** POST /echo. An answer in chunks is one that no server here gives. */
  HTTP {
    @Override
    void say(OutputStream out, byte[] message) throws IOException {
      ByteArrayOutputStream request = new ByteArrayOutputStream();
      request.writeBytes(ascii("POST /echo HTTP/1.1\r\nHost: soak\r\nContent-Length: " + message.length + "\r\n\r\n"));
      request.writeBytes(message);
      out.write(request.toByteArray());
    }

    @Override
    byte[] hear(InputStream in, int bytes) throws IOException {
      String head = head(in);
      if (!head.startsWith("HTTP/1.1 200 ")) {
        throw new IOException("it was answered by '%s'".formatted(head.lines().findFirst().orElse("")));
      }
      String length = String.valueOf(Upgrade.header(head, "Content-Length"));
      if (!saysThatMany(length, bytes)) {
        throw new IOException("an echo of %,d bytes was announced with content-length %s".formatted(bytes, length));
      }
      return in.readNBytes(bytes);
    }
  },

  /** A binary message, behind an upgrade. */
  WEBSOCKET {
    @Override
    void open(InputStream in, OutputStream out, Target target) throws IOException {
      ThreadLocalRandom random = ThreadLocalRandom.current();
      String key = Upgrade.key(random.nextLong(), random.nextLong());
      out.write(Upgrade.request("/echo", target.toString(), key));
      String head = head(in);
      String complaint = Upgrade.status(head) == Upgrade.STATUS ? Upgrade.complaint(head, key) : "another status";
      if (complaint != null) {
        throw new IOException("the answer to the upgrade has %s: '%s'".formatted(complaint, head.lines().findFirst().orElse("")));
      }
    }

    @Override
    void say(OutputStream out, byte[] message) throws IOException {
      out.write(Frames.masked(Frames.BINARY, message, ThreadLocalRandom.current().nextInt()));
    }

    @Override
    byte[] hear(InputStream in, int bytes) throws IOException {
      DataInputStream frames = new DataInputStream(in);
      ByteArrayOutputStream message = new ByteArrayOutputStream();
      while (true) {
        int first = frames.readUnsignedByte();
        int second = frames.readUnsignedByte();
        long length = second < 126 ? second : second == 126 ? frames.readUnsignedShort() : frames.readLong();
        if (length < 0 || length > bytes) {
          throw new IOException("an echo of %,d bytes has a frame with length byte %d and %,d bytes".formatted(bytes, second, length));
        }
        byte[] payload = frames.readNBytes((int) length);
        if (payload.length < length) {
          throw new EOFException();
        }
        int opcode = first & 0xf;
        if (opcode == Frames.CLOSE) {
          throw new IOException("it was closed with code " + CloseCode.of(payload) + " in place of an echo");
        }
        if (opcode < Frames.CLOSE) {
          message.writeBytes(payload);
          if (first >= LAST || message.size() > bytes) {
            return message.toByteArray();
          }
        }
      }
    }

    @Override
    void end(OutputStream out) throws IOException {
      out.write(Frames.masked(Frames.CLOSE, CloseCode.body(CloseCode.NORMAL), ThreadLocalRandom.current().nextInt()));
    }

    @Override
    int lastBytesMost() {
      return Frames.headBytes(Frames.MOST_CONTROL_BYTES, false) + Frames.MOST_CONTROL_BYTES;
    }
  };

  private static final int LAST = 0x80;
  private static final String END = "\r\n\r\n";
  private static final int HEAD_MOST_BYTES = 16 << 10;

  static EchoProtocol in(Protocol protocol) {
    return switch (protocol) {
      case TCP -> TCP;
      case HTTP -> HTTP;
      case WEBSOCKET -> WEBSOCKET;
    };
  }

  /** Does what comes before the first message. */
  void open(InputStream in, OutputStream out, Target target) throws IOException {}

  abstract void say(OutputStream out, byte[] message) throws IOException;

  /**
   * Reads the echo of a message of so many bytes; where the connection ends before, fewer.
   *
   * @throws IOException where something else comes
   */
  abstract byte[] hear(InputStream in, int bytes) throws IOException;

  /** Says that no message follows, before this side ends. */
  void end(OutputStream out) throws IOException {}

  /** What may come behind the last echo. */
  int lastBytesMost() {
    return 0;
  }

  /** Whether a content-length, which may be told several times, is that number (RFC 9110, 8.6). */
  private static boolean saysThatMany(String length, int bytes) {
    return Stream.of(length.split(",", -1)).allMatch(one -> one.strip().matches("0*" + bytes));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Byte by byte, as what follows is not its. */
  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.length() < HEAD_MOST_BYTES) {
      int b = in.read();
      if (b < 0) {
        throw new EOFException("the connection ended within the head of an answer, after %,d bytes".formatted(head.length()));
      }
      head.append((char) b);
      if (b == '\n' && head.length() >= END.length() && head.indexOf(END, head.length() - END.length()) >= 0) {
        return head.toString();
      }
    }
    throw new IOException("the head of an answer is over %,d bytes".formatted(HEAD_MOST_BYTES));
  }
}
