package echoladder.servers.floor;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames however they are cut, and those that are refused; the contract suite covers the rest. */
@Timeout(60)
class WebSocketConversationTest {
  private static final int MOST = 70_000;
  private static final int FIN = 0x80;
  private static final byte[] MASK = {(byte) 0x81, 0x02, 0x73, (byte) 0xf4};

  /** The example of RFC 6455, 1.3. */
  private static final String UPGRADE =
      "GET /echo HTTP/1.1\r\nHost: t\r\nupgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n"
          + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

  private static final String UPGRADED =
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";

  private static RunningFloor start(int bufferBytes) throws IOException {
    return new RunningFloor(bufferBytes, setup -> new CodecLoop(setup, WebSocketConversation.ofLoop(MOST), Duration.ofSeconds(30)));
  }

  /** Frames one behind the other, of a client with a mask. */
  private static final class Frames {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final boolean masked;

    Frames(boolean masked) {
      this.masked = masked;
    }

    Frames add(int first, byte[] payload) throws IOException {
      DataOutputStream out = new DataOutputStream(bytes);
      int mask = masked ? 0x80 : 0;
      out.writeByte(first);
      if (payload.length < 126) {
        out.writeByte(mask | payload.length);
      } else if (payload.length < 65_536) {
        out.writeByte(mask | 126);
        out.writeShort(payload.length);
      } else {
        out.writeByte(mask | 127);
        out.writeLong(payload.length);
      }
      byte[] body = payload.clone();
      if (masked) {
        out.write(MASK);
        for (int i = 0; i < body.length; i++) {
          body[i] ^= MASK[i % 4];
        }
      }
      out.write(body);
      return this;
    }

    byte[] toBytes() {
      return bytes.toByteArray();
    }
  }

  private static byte[] random(int bytes) {
    byte[] all = new byte[bytes];
    new Random(bytes).nextBytes(all);
    return all;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  /** Sends it behind an upgrade; gives what comes behind the upgrade's answer, up to the server's end. */
  private static byte[] exchange(RunningFloor floor, byte[] sent, boolean end) throws IOException {
    try (Socket socket = floor.connect()) {
      socket.getOutputStream().write(UPGRADE.getBytes(ISO_8859_1));
      socket.getOutputStream().write(sent);
      if (end) {
        socket.shutdownOutput();
      }
      assertThat(new String(socket.getInputStream().readNBytes(UPGRADED.length()), ISO_8859_1)).isEqualTo(UPGRADED);
      return socket.getInputStream().readAllBytes();
    }
  }

  /** With a buffer of one byte, every frame is cut everywhere. */
  @ParameterizedTest
  @ValueSource(ints = {1, 7, 65_536})
  void echoesTheSameHoweverTheBytesAreCut(int bufferBytes) throws Exception {
    Frames sent = new Frames(true);
    Frames expected = new Frames(false);
    for (int length : new int[] {0, 1, 7, 8, 9, 125, 126, 127, 3_000}) {
      sent.add(FIN | 2, random(length));
      expected.add(FIN | 2, random(length));
    }
    if (bufferBytes > 1) {
      for (int length : new int[] {65_535, 65_536, MOST}) {
        sent.add(FIN | 2, random(length));
        expected.add(FIN | 2, random(length));
      }
    }
    byte[] text = bytes("grüß dich, \uD83D\uDE00");
    sent.add(FIN | 1, text).add(FIN | 9, bytes("ping")).add(FIN | 10, bytes("unasked"));
    expected.add(FIN | 1, text).add(FIN | 10, bytes("ping"));
    // In fragments, cut within a character, with a ping in between and an empty one.
    sent.add(1, Arrays.copyOfRange(text, 0, 3)).add(FIN | 9, new byte[0]).add(0, new byte[0]);
    sent.add(FIN, Arrays.copyOfRange(text, 3, text.length));
    expected.add(FIN | 10, new byte[0]).add(FIN | 1, text);
    sent.add(FIN | 8, new byte[] {0x03, (byte) 0xe8, 'b', 'y', 'e'}).add(FIN | 2, random(10));
    expected.add(FIN | 8, new byte[] {0x03, (byte) 0xe8});
    try (RunningFloor floor = start(bufferBytes)) {
      assertThat(exchange(floor, sent.toBytes(), true)).isEqualTo(expected.toBytes());
      floor.awaitOpen(0);
      assertThat(floor.metrics.receivedBytes()).isEqualTo(floor.metrics.sentBytes());
      assertThat(floor.metrics.broken()).isZero();
    }
  }

  /** What is sent in hex | the close code that ends the connection. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "82 01 61|1002", // not masked
        "c2 80 00000000|1002", // a reserved bit
        "83 80 00000000|1002", // an unknown opcode
        "8b 80 00000000|1002", // an unknown opcode of a control frame
        "09 80 00000000|1002", // a ping in fragments
        "89 fe 007e 00000000|1002", // a ping of 126 bytes
        "80 80 00000000|1002", // a continuation of nothing
        "02 80 00000000 82 80 00000000|1002", // a message within another
        "82 fe 0001 00000000 00|1002", // a length in more bytes than needed
        "82 ff 8000000000000000 00000000|1002", // a length with the highest bit
        "82 ff 0000000000011171 00000000|1009", // 70,001 bytes
        "81 81 00000000 ff|1007", // no UTF-8
        "81 83 00000000 eda080|1007", // a surrogate
        "81 82 00000000 c3a9 81 81 00000000 c3|1007", // half a character
        "01 81 00000000 ff|1007", // as soon as no text can come of it
        "01 81 00000000 c3 80 80 00000000|1007", // half a character in fragments
        "88 81 00000000 03|1002", // half a close code
        "88 82 00000000 03ed|1002", // a close code that is not to be sent
        "88 83 00000000 03e8 ff|1007", // a reason that is no UTF-8
        "88 80 00000000|", // a close without a code
      })
  void endsWithTheCloseCode(String hex, Integer code) throws Exception {
    byte[] sent = HexFormat.of().parseHex(hex.replace(" ", ""));
    byte[] payload = code == null ? new byte[0] : new byte[] {(byte) (code >> 8), code.byteValue()};
    byte[] close = new Frames(false).add(FIN | 8, payload).toBytes();
    try (RunningFloor floor = start(65_536)) {
      assertThat(exchange(floor, sent, true)).endsWith(close);
      floor.awaitOpen(0);
    }
  }

  /** What is replaced in a good upgrade | by what | the status. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/echo|/other|404",
        "GET|POST|405",
        "upgrade: WebSocket|x: y|400",
        "keep-alive, Upgrade|keep-alive|400",
        "ZSBub25jZQ==|ZQ==|400",
        "Version: 13|Version: 8|426",
        "Host: t|Hose: t|400",
      })
  void refusesWhatIsNoUpgrade(String what, String by, int status) throws Exception {
    String request = UPGRADE.replace(what, by);
    try (RunningFloor floor = start(65_536);
        Socket socket = floor.connect()) {
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      socket.shutdownOutput();
      assertThat(new String(socket.getInputStream().readAllBytes(), ISO_8859_1)).startsWith("HTTP/1.1 " + status + " ");
    }
  }

  @Test
  void aStopEchoesWhatCameAndSaysThatTheServerGoesAway() throws Exception {
    try (RunningFloor floor = start(65_536);
        Socket socket = floor.connect()) {
      socket.getOutputStream().write(UPGRADE.getBytes(ISO_8859_1));
      assertThat(socket.getInputStream().readNBytes(UPGRADED.length())).hasSize(UPGRADED.length());
      socket.getOutputStream().write(new Frames(true).add(FIN | 2, random(1_000)).toBytes());
      assertThat(floor.drain()).isZero();
      assertThat(socket.getInputStream().readAllBytes())
          .isEqualTo(new Frames(false).add(FIN | 2, random(1_000)).add(FIN | 8, new byte[] {0x03, (byte) 0xe9}).toBytes());
    }
  }
}
