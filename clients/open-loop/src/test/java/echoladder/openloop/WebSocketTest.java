package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Churn;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Protocol;
import echoladder.client.ReasonCode;
import echoladder.client.websocket.CloseCode;
import echoladder.client.websocket.Frames;
import echoladder.client.websocket.Upgrade;
import echoladder.openloop.result.Recorders;
import echoladder.openloop.result.TimeKind;
import echoladder.openloop.testserver.WebSocketServer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Over WebSocket each way in which a server can fail has its own name, and what is allowed to a server is no failure. */
class WebSocketTest {
  private static LoadPlan.Builder plan(WebSocketServer server, int connections, Duration steady) {
    return Measured.plan(server.target(), connections, 20.0 * connections, steady)
        .protocol(Protocol.WEBSOCKET)
        .drain(Duration.ofSeconds(5));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] bytes(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private static byte[] echo(byte[] message) {
    return Frames.plain(Frames.BINARY, true, message);
  }

  /** Every connection meets another answer to its upgrade. */
  private static final List<Map.Entry<String, String>> UPGRADES =
      List.of(
          Map.entry("101 Switching Protocols", "404 Not Found"),
          Map.entry("101 Switching Protocols", "200 OK"),
          Map.entry("Accept: ", "Accept: x"),
          Map.entry("Upgrade: websocket", "Server: x"),
          Map.entry("Connection: Upgrade", "Connection: close"),
          Map.entry("Connection: Upgrade", "Connection: Upgrade\r\nSec-WebSocket-Extensions: permessage-deflate"),
          Map.entry("HTTP/1.1", "SSH-2.0"));

  @Test
  void aWrongAnswerToTheUpgradeIsNamed() throws Exception {
    int right = 2;
    int all = UPGRADES.size() + right + 1;
    WebSocketServer.Manners manners =
        new WebSocketServer.Manners() {
          @Override
          public byte[] upgrade(int connection, String key) {
            String answer = new String(Upgrade.answer(key), StandardCharsets.US_ASCII);
            if (connection < UPGRADES.size()) {
              Map.Entry<String, String> change = UPGRADES.get(connection);
              return ascii(answer.replace(change.getKey(), change.getValue()));
            }
            return ascii(connection == UPGRADES.size() ? "" : "HTTP/1.1 103 Early Hints\r\n\r\n" + answer);
          }

          @Override
          public byte[] answer(int connection, int number, byte[] message) {
            return echo(message);
          }
        };
    try (WebSocketServer server = new WebSocketServer(manners)) {
      Measured load = Measured.run(plan(server, all, Duration.ofMillis(200)));
      assertThat(load.result().errors())
          .isEqualTo(
              new TreeMap<>(
                  Map.of(
                      "HTTP status 404 to the upgrade", 1L,
                      "HTTP status 200 to the upgrade", 1L,
                      "WebSocket upgrade: a Sec-WebSocket-Accept that is not that of its key", 1L,
                      "WebSocket upgrade: no header 'Upgrade: websocket'", 1L,
                      "WebSocket upgrade: no header 'Connection: Upgrade'", 1L,
                      "WebSocket upgrade: an extension that was not asked for", 1L,
                      "WebSocket upgrade: an answer that is not of HTTP/1.1", 1L,
                      "closed by the server before the first echo", 1L)));
      assertThat(load.result().connections().established()).isEqualTo(right);
      assertThat(load.reasons())
          .contains(ReasonCode.CONNECTIONS_MISSING, ReasonCode.ERROR_RESPONSES, ReasonCode.ECHO_MISMATCH)
          .doesNotContain(ReasonCode.CONNECTIONS_LOST);
      assertThat(load.result().verdictReasons()).anySatisfy(doubt -> assertThat(doubt.detail()).contains("2 answers had another status than 101"));
    }
  }

  /** What stands in place of the fourth answer of a connection, with its name; the first are echoes. */
  private static final List<Map.Entry<String, String>> FRAMES =
      List.of(
          Map.entry("828001020304", "WebSocket frame: a mask, which a server must not use"),
          Map.entry("c240", "WebSocket frame: reserved bits set, and no extension was asked for"),
          Map.entry("8340", "WebSocket frame: an opcode that RFC 6455 does not define"),
          Map.entry("897e007e", "WebSocket frame: a control frame over 125 bytes"),
          Map.entry("0900", "WebSocket frame: a control frame in fragments"),
          Map.entry("8040", "WebSocket frame: a continuation without a message"),
          Map.entry("02028202", "WebSocket frame: a message that begins within another"),
          Map.entry("880203e7", "WebSocket frame: a close frame whose body begins with no code that may be sent"),
          Map.entry("880203f3", "closed by the server with WebSocket code 1011"),
          Map.entry("8800", "closed by the server with WebSocket code none"));

  @Test
  void whatAServerMustNotSendAndItsCloseAreNamed() throws Exception {
    int violations = 8;
    int all = FRAMES.size() + 4;
    WebSocketServer.Manners manners =
        (connection, number, message) -> {
          if (number != 3 || connection > FRAMES.size() + 2) {
            return echo(message);
          }
          if (connection < FRAMES.size()) {
            byte[] frame = HexFormat.of().parseHex(FRAMES.get(connection).getKey());
            // Of a message within another the first one has two bytes.
            return connection == 6 ? bytes(Arrays.copyOf(frame, 2), Arrays.copyOf(message, 2), Arrays.copyOfRange(frame, 2, 4)) : frame;
          }
          return switch (connection - FRAMES.size()) {
            case 0 -> echo(Arrays.copyOf(message, message.length + 1));
            case 1 -> Frames.plain(Frames.TEXT, true, message);
            default -> {
              message[message.length - 1] ^= 1;
              yield echo(message);
            }
          };
        };
    try (WebSocketServer server = new WebSocketServer(manners)) {
      Measured load = Measured.run(plan(server, all, Duration.ofMillis(500)));
      LoadResult result = load.result();
      Map<String, Long> errors = new TreeMap<>();
      FRAMES.forEach(frame -> errors.put(frame.getValue(), 1L));
      errors.put("WebSocket frame: text, in answer to a binary message", 1L);
      assertThat(result.errors()).isEqualTo(errors);
      assertThat(result.connections().established()).isEqualTo(all);
      assertThat(result.connections().lost()).as("by a close").isEqualTo(FRAMES.size() - violations);
      assertThat(result.connections().dropped()).isEqualTo(violations);
      assertThat(result.messages().echoMismatches()).isEqualTo(violations + 3);
      assertThat(result.messages().answered() + result.messages().failed()).isEqualTo(result.messages().scheduled());
      assertThat(load.reasons()).contains(ReasonCode.ECHO_MISMATCH, ReasonCode.CONNECTIONS_LOST);
      assertThat(server.closes()).containsExactlyInAnyOrder(1011, CloseCode.NONE);
      assertThat(new HashSet<>(server.masks())).hasSameSizeAs(server.masks()).doesNotContain(0);
    }
  }

  /** Each message is answered after a ping, in three fragments with a pong between them; one is answered late. */
  @Test
  void whatAServerMaySendIsNoFailureAndAStallIsSeen() throws Exception {
    int stallMs = 600;
    WebSocketServer.Manners manners =
        (connection, number, message) -> {
          if (connection == 0 && number == 20) {
            Thread.sleep(stallMs);
          }
          return bytes(
              Frames.plain(Frames.PING, true, ascii(connection + "." + number)),
              Frames.plain(Frames.BINARY, false, Arrays.copyOf(message, 5)),
              Frames.plain(Frames.PONG, true, new byte[125]),
              Frames.plain(Frames.CONTINUATION, false, new byte[0]),
              Frames.plain(Frames.CONTINUATION, true, Arrays.copyOfRange(message, 5, message.length)));
        };
    try (WebSocketServer server = new WebSocketServer(manners)) {
      Measured load = Measured.run(plan(server, 8, Duration.ofMillis(1_500)));
      LoadResult result = load.result();
      assertThat(result.errors()).isEmpty();
      assertThat(result.connections().established()).isEqualTo(8);
      assertThat(result.messages().answered()).isEqualTo(result.messages().scheduled()).isPositive();
      assertThat(result.messages().echoMismatches()).isZero();
      assertThat(server.pongs()).hasSameSizeAs(server.masks()).contains("0.0", "0.20", "7.3");
      // Its connection had a message every 50 ms: those behind it waited too, which service times do not show.
      assertThat(load.responses().getMaxValue()).isGreaterThan(stallMs * 950_000L);
      long slowNs = 200_000_000;
      long slow = load.responses().getCountBetweenValues(slowNs, Recorders.HIGHEST_NS);
      assertThat(slow).isGreaterThanOrEqualTo(6);
      assertThat(load.times(TimeKind.SERVICE).getCountBetweenValues(slowNs, Recorders.HIGHEST_NS)).isPositive().isLessThan(slow);
      assertThat(load.times(TimeKind.SERVER).getMaxValue()).isGreaterThan(stallMs * 950_000L);
    }
  }

  @Test
  void aConnectionThatTakesThePlaceOfAnotherIsUpgradedAnew() throws Exception {
    try (WebSocketServer server = new WebSocketServer((connection, number, message) -> echo(message))) {
      Measured load =
          // So many that some are open at each end, also on a host that takes half a second for a new one.
          Measured.run(plan(server, 50, Duration.ofMillis(500)).churn(new Churn(40, Churn.Lifetime.EXPONENTIAL)));
      assertThat(load.result().errors()).isEmpty();
      assertThat(load.result().crowd().churned()).isPositive();
      assertThat(load.result().crowd().churnFailed()).isZero();
      assertThat(load.result().messages().answered()).isEqualTo(load.result().messages().scheduled()).isPositive();
      assertThat(load.result().messages().echoMismatches()).isZero();
    }
  }

  /** A pong is due while a message is half written: it waits for its end. */
  @Test
  void largeMessagesWithPingsBetweenThem() throws Exception {
    int messageBytes = 300_001;
    WebSocketServer.Manners manners =
        (connection, number, message) -> bytes(Frames.plain(Frames.PING, true, ascii("big")), echo(message), Frames.plain(Frames.PING, true, ascii("end")));
    try (WebSocketServer server = new WebSocketServer(manners)) {
      Measured load = Measured.run(plan(server, 3, Duration.ofMillis(500)).messageBytes(messageBytes));
      assertThat(load.result().errors()).isEmpty();
      assertThat(load.result().messages().answered()).isEqualTo(load.result().messages().scheduled()).isPositive();
      assertThat(load.result().messages().echoMismatches()).isZero();
      assertThat(server.pongs()).contains("end");
    }
  }
}
