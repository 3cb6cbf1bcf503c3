package echoladder.servers.contract.websocket;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.servers.contract.Clause;
import echoladder.servers.contract.ExpectedFailure;
import echoladder.servers.contract.OfVariant;
import echoladder.servers.contract.Peer;
import echoladder.servers.contract.Variant;
import java.io.EOFException;
import java.io.IOException;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The way from HTTP to WebSocket, and what is no such way: it ends in an error of HTTP and never hangs. */
@ExtendWith(ExpectedFailure.class)
@ParameterizedClass(name = "{0}")
@MethodSource("echoladder.servers.contract.websocket.WebSocketServer#defaults")
record UpgradeIT(Variant variant) implements OfVariant {
  /** Beyond what any bound lets through, and within what a test can send. */
  private static final int ENDLESS_LINES = 20_000;

  @SuppressWarnings("NullAway.Init")
  private static WebSocketServer server;

  @BeforeParameterizedClassInvocation
  static void start(Variant variant) throws Exception {
    server = WebSocketServer.start(variant);
  }

  @AfterParameterizedClassInvocation
  static void stop() throws IOException {
    server.close();
  }

  @Test
  void isAnsweredByWhatTheKeyAsksForAndWithoutExtensions() throws IOException {
    try (WebSocketPeer peer = server.connect()) {
      peer.send(WebSocketPeer.request().replace("\r\n\r\n", "\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n"));
      Peer.Head answer = peer.answer();
      assertThat(answer.status()).as("%s", answer).isEqualTo(101);
      assertThat(answer.header("sec-websocket-accept")).isEqualTo(WebSocketPeer.ACCEPT);
      assertThat(answer.header("upgrade")).isEqualToIgnoringCase("websocket");
      assertThat(answer.header("connection")).containsIgnoringCase("upgrade");
      assertThat(answer.headers()).doesNotContainKeys("sec-websocket-extensions", "sec-websocket-protocol");
      peer.echo(Frame.message("hello"));
    }
  }

  @Test
  void mayComeInPieces() throws IOException {
    try (WebSocketPeer peer = server.connect()) {
      for (byte b : WebSocketPeer.request().getBytes(ISO_8859_1)) {
        peer.send(new byte[] {b});
      }
      peer.awaitUpgrade();
      peer.echo(Frame.message("hello"));
    }
  }

  /** RFC 6455, 4.2.1: both are compared without their case, and Connection is a list. */
  @Clause(Clause.Name.UPGRADE)
  @Test
  void isReadWithoutItsCase() throws IOException {
    try (WebSocketPeer peer = server.connect()) {
      peer.send(
          WebSocketPeer.request()
              .replace("Upgrade: websocket", "upgrade: WebSocket")
              .replace("Connection: Upgrade", "CONNECTION: keep-alive, upgrade"));
      peer.awaitUpgrade();
      peer.echo(Frame.message("hello"));
    }
  }

  /** What is no upgrade, and the answers that are right. */
  record Refused(String name, String request, Set<Integer> statuses) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Refused> refused() {
    String good = WebSocketPeer.request();
    return Stream.of(
        new Refused("another path", good.replace("/echo", "/nowhere"), Set.of(404)),
        new Refused("no key", good.replaceFirst("Sec-WebSocket-Key[^\n]*\n", ""), Set.of(400, 426)),
        new Refused("another version", good.replace("Version: 13", "Version: 12"), Set.of(400, 426)),
        new Refused("no upgrade", "GET /echo HTTP/1.1\r\nHost: test\r\n\r\n", Set.of(400, 426)),
        new Refused("nothing of HTTP", "garbage\r\n\r\n", Set.of(400)));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void whatIsNoneEndsInAnErrorOfHttp(Refused refused) throws IOException {
    try (WebSocketPeer peer = server.connect()) {
      peer.send(refused.request());
      Peer.Head answer = peer.answer();
      assertThat(refused.statuses()).as("%s of %s: %s", refused, variant, answer).contains(answer.status());
      assertThat(answer.headers()).doesNotContainKey("sec-websocket-accept");
    } catch (EOFException e) {
      // Of what is no HTTP the end is answer enough.
      assertThat(refused.request()).as("closed without an answer").doesNotContain("HTTP/1.1");
    }
    answers();
  }

  @Test
  void withoutEndIsCutOff() throws IOException {
    try (WebSocketPeer peer = server.connect()) {
      peer.send("GET /echo HTTP/1.1\r\nHost: test\r\n");
      var _ = peer.sendBehind(("X: " + "y".repeat(95) + "\r\n").repeat(10).getBytes(ISO_8859_1), ENDLESS_LINES / 10);
      assertThat(new String(peer.untilClosed(), ISO_8859_1)).doesNotContain(" 101 ");
    }
    answers();
  }

  @Test
  void thatIsLeftInTheMiddleCostsNothingForGood() throws IOException {
    String request = WebSocketPeer.request();
    for (int i = 0; i < 20; i++) {
      WebSocketPeer peer = server.connect();
      peer.send(request.substring(0, request.length() / 2));
      if (i % 2 == 0) {
        peer.close();
      } else {
        peer.reset();
      }
    }
    server.running().awaitOpen(0);
    answers();
  }

  private static void answers() throws IOException {
    try (WebSocketPeer peer = server.upgraded()) {
      peer.echo(Frame.message("still here"));
    }
  }
}
