package echoladder.servers.contract.tls;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Protocol;
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
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a client says over TLS, by the protocol of its server, and what it gets. */
enum Speech {
  TCP {
    @Override
    byte[] message(byte[] payload) {
      return payload;
    }

    @Override
    byte[] echo(InputStream in, int bytes) throws IOException {
      return in.readNBytes(bytes);
    }
  },
  HTTP {
    @Override
    byte[] message(byte[] payload) {
      return joined(ascii("POST /echo HTTP/1.1\r\nHost: test\r\nContent-Length: " + payload.length + "\r\n\r\n"), payload);
    }

    @Override
    byte[] echo(InputStream in, int bytes) throws IOException {
      String head = head(in);
      assertThat(head).startsWith("HTTP/1.1 200");
      String lower = head.toLowerCase(Locale.ROOT);
      if (!lower.contains("\r\ntransfer-encoding: chunked\r\n")) {
        return in.readNBytes(Integer.parseInt(lower.replaceFirst("(?s).*\r\ncontent-length: (\\d+)\r\n.*", "$1")));
      }
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      for (int n = chunk(in); n > 0; n = chunk(in)) {
        body.writeBytes(in.readNBytes(n));
        line(in);
      }
      line(in);
      return body.toByteArray();
    }

    private int chunk(InputStream in) throws IOException {
      return Integer.parseInt(line(in).strip(), 16);
    }

    // What is asked takes its time, as a server may drop a request that it has not begun to read.
    @Override
    byte[] work(byte[] payload) {
      return ascii("GET /api/heavy?duration=1500 HTTP/1.1\r\nHost: test\r\n\r\n");
    }

    @Override
    void expectWork(InputStream in, byte[] payload) throws IOException {
      assertThat(echo(in, 0)).isNotEmpty();
    }
  },
  WEBSOCKET {
    @Override
    void begin(InputStream in, OutputStream out) throws IOException {
      String key = Upgrade.key(1, 2);
      out.write(Upgrade.request("/echo", "test", key));
      String head = head(in);
      assertThat(Upgrade.status(head)).as(head).isEqualTo(Upgrade.STATUS);
      assertThat(Upgrade.complaint(head, key)).as(head).isNull();
    }

    @Override
    byte[] message(byte[] payload) {
      return Frames.masked(Frames.BINARY, payload, 0x37fa213d);
    }

    // A message may come back in fragments.
    @Override
    byte[] echo(InputStream in, int bytes) throws IOException {
      ByteArrayOutputStream message = new ByteArrayOutputStream();
      int first;
      do {
        first = octet(in);
        assertThat(first & OPCODE).as("opcode").isLessThan(Frames.CLOSE);
        message.writeBytes(payload(in));
      } while ((first & LAST) == 0);
      return message.toByteArray();
    }

    // A close frame may come before the end.
    @Override
    boolean ended(InputStream in, @Nullable OutputStream out) throws IOException {
      int first = in.read();
      if (first < 0) {
        return true;
      }
      assertThat(first & OPCODE).as("opcode before the end").isEqualTo(Frames.CLOSE);
      payload(in);
      if (out != null) {
        out.write(Frames.masked(Frames.CLOSE, CloseCode.body(CloseCode.NORMAL), 1));
      }
      return in.read() < 0;
    }

    private byte[] payload(InputStream in) throws IOException {
      DataInputStream data = new DataInputStream(in);
      int length = octet(in);
      return data.readNBytes(length == 126 ? data.readUnsignedShort() : length == 127 ? Math.toIntExact(data.readLong()) : length);
    }
  };

  private static final int LAST = 0x80;
  private static final int OPCODE = 0x0f;

  static Speech of(Protocol protocol) {
    return valueOf(protocol.name());
  }

  /** What comes before the first message. */
  void begin(InputStream in, OutputStream out) throws IOException {}

  /** A message as it is sent. */
  abstract byte[] message(byte[] payload);

  /** The payload that comes back, of a message that has so many bytes. */
  abstract byte[] echo(InputStream in, int bytes) throws IOException;

  /** What a server that is told to stop has to work off, once it has arrived. */
  byte[] work(byte[] payload) {
    return message(payload);
  }

  /** What comes for {@link #work}. */
  void expectWork(InputStream in, byte[] payload) throws IOException {
    assertThat(echo(in, payload.length)).isEqualTo(payload);
  }

  /**
   * Whether nothing but the end comes.
   *
   * @param out null = this side has ended
   */
  boolean ended(InputStream in, @Nullable OutputStream out) throws IOException {
    return in.read() < 0;
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) octet(in));
    }
    return head.toString();
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    while (line.indexOf("\n") < 0) {
      line.append((char) octet(in));
    }
    return line.toString();
  }

  private static int octet(InputStream in) throws IOException {
    int octet = in.read();
    if (octet < 0) {
      throw new EOFException("the end, where more should come");
    }
    return octet;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] joined(byte[] head, byte[] body) {
    ByteArrayOutputStream all = new ByteArrayOutputStream(head.length + body.length);
    all.writeBytes(head);
    all.writeBytes(body);
    return all.toByteArray();
  }
}
