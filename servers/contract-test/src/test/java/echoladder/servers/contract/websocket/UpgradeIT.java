package echoladder.servers.contract.websocket;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.servers.contract.Clause;
import echoladder.servers.contract.ExpectedFailure;
import echoladder.servers.contract.OfVariant;
import echoladder.servers.contract.Peer;
import echoladder.servers.contract.ServerSlot;
import echoladder.servers.contract.SharedServer;
import echoladder.servers.contract.Variant;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The way from HTTP to WebSocket, and what is no such way: it ends in an error of HTTP and never hangs. */
@ExtendWith(ExpectedFailure.class)
@SharedServer
@MethodSource("echoladder.servers.contract.websocket.WebSocketServer#defaults")
record UpgradeIT(Variant variant) implements OfVariant {
  /** Beyond what any bound lets through, and within what a test can send. */
  private static final int ENDLESS_LINES = 20_000;

  private static final ServerSlot<WebSocketServer> SERVER = new ServerSlot<>();

  @BeforeParameterizedClassInvocation
  static void start(Variant variant) throws Exception {
    SERVER.start(() -> WebSocketServer.start(variant));
  }

  @AfterParameterizedClassInvocation
  static void stop() throws Exception {
    SERVER.stop();
  }

  @Test
  void isAnsweredByWhatTheKeyAsksForAndWithoutExtensions() throws IOException {
    try (WebSocketPeer peer = SERVER.get().connect()) {
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
    try (WebSocketPeer peer = SERVER.get().connect()) {
      for (byte b : WebSocketPeer.request().getBytes(ISO_8859_1)) {
        peer.send(new byte[] {b});
      }
      peer.awaitUpgrade();
      peer.echo(Frame.message("hello"));
    }
  }

  /** RFC 6455, 4.2.1: both are lists, and compared without their case. */
  @Clause(Clause.Name.UPGRADE)
  @ParameterizedTest
  @ValueSource(
      strings = {
        "upgrade: WebSocket\r\nCONNECTION: keep-alive, upgrade", "Upgrade:websocket\r\nConnection:\tUpgrade ",
        "Upgrade: h2c, websocket\r\nConnection: Upgrade", "Upgrade: websocket\r\nConnection: keep-alive\r\nConnection: Upgrade"
      })
  void isReadAsListsWithoutTheirCase(String fields) throws IOException {
    upgrades(WebSocketPeer.request().replace("Upgrade: websocket\r\nConnection: Upgrade", fields));
  }

  @Clause(Clause.Name.QUERY)
  @ParameterizedTest
  @ValueSource(strings = {"/echo?id=7", "/echo?", "/echo?a=b&c=%20/x?y"})
  void mayHaveAQuery(String target) throws IOException {
    upgrades(WebSocketPeer.request().replace("/echo", target));
  }

  /** RFC 6455, 4.1, and RFC 9112, 3.2.2: the target may be a whole URL of HTTP. */
  @Clause(Clause.Name.ABSOLUTE_FORM)
  @ParameterizedTest
  @ValueSource(strings = {"http://test/echo", "http://test:80/echo?id=7"})
  void mayHaveATargetInAbsoluteForm(String target) throws IOException {
    upgrades(WebSocketPeer.request().replace("/echo", target));
  }

  private static void upgrades(String request) throws IOException {
    try (WebSocketPeer peer = SERVER.get().connect()) {
      peer.send(request);
      peer.awaitUpgrade();
      peer.echo(Frame.message("hello"));
    }
  }

  /** A client should wait for the answer (RFC 6455, 4.1); where one does not, nothing of what it sent is lost in silence. */
  @Clause(Clause.Name.EARLY_FRAMES)
  @Test
  void mayHaveFramesBehindIt() throws IOException {
    byte[] request = WebSocketPeer.request().getBytes(ISO_8859_1);
    Frame[] messages = {Frame.message("hello"), Frame.binary(new byte[10_000]), Frame.text("and again")};
    try (WebSocketPeer whole = SERVER.get().connect();
        WebSocketPeer cut = SERVER.get().connect()) {
      whole.send(Frame.concat(request, messages[0].masked(), messages[1].masked(), messages[2].masked()));
      byte[] second = messages[1].masked();
      cut.send(Frame.concat(request, messages[0].masked(), Arrays.copyOf(second, 3)));
      for (WebSocketPeer peer : List.of(whole, cut)) {
        peer.awaitUpgrade();
        peer.expect(messages[0]);
      }
      cut.send(Frame.concat(Arrays.copyOfRange(second, 3, second.length), messages[2].masked()));
      for (WebSocketPeer peer : List.of(whole, cut)) {
        peer.expect(messages[1]);
        peer.expect(messages[2]);
      }
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

  static Stream<Refused> invalid() {
    String good = WebSocketPeer.request();
    String key = "Sec-WebSocket-Key: " + WebSocketPeer.KEY;
    return Stream.of(
        new Refused("POST", good.replace("GET", "POST"), Set.of(400, 404, 405, 426)),
        new Refused("HTTP/1.0", good.replace("HTTP/1.1", "HTTP/1.0"), Set.of(400, 426, 505)),
        new Refused("no host", good.replace("Host: test\r\n", ""), Set.of(400)),
        new Refused("a key that is no Base64", good.replace(WebSocketPeer.KEY, "?".repeat(24)), Set.of(400)),
        new Refused("a key of 15 bytes", good.replace(WebSocketPeer.KEY, "AAAAAAAAAAAAAAAAAAAA"), Set.of(400)),
        new Refused("a key of 17 bytes", good.replace(WebSocketPeer.KEY, "AAAAAAAAAAAAAAAAAAAAAAA="), Set.of(400)),
        new Refused("an empty key", good.replace(WebSocketPeer.KEY, ""), Set.of(400)),
        new Refused("two keys", good.replace(key, key + "\r\n" + key), Set.of(400)),
        new Refused("no connection", good.replace("Connection: Upgrade\r\n", ""), Set.of(400, 426)),
        new Refused("a connection of another name", good.replace("Connection: Upgrade", "Connection: NoUpgrade"), Set.of(400, 426)),
        new Refused("an upgrade to another protocol", good.replace("Upgrade: websocket", "Upgrade: websockets"), Set.of(400, 426)));
  }

  /** RFC 6455, 4.2.1: each part of a client's request that a server has to look at. */
  @Clause(Clause.Name.INVALID_UPGRADES)
  @ParameterizedTest
  @MethodSource("invalid")
  void thatIsInvalidEndsInAnErrorOfHttp(Refused refused) throws IOException {
    whatIsNoneEndsInAnErrorOfHttp(refused);
  }

  @ParameterizedTest
  @MethodSource("refused")
  void whatIsNoneEndsInAnErrorOfHttp(Refused refused) throws IOException {
    try (WebSocketPeer peer = SERVER.get().connect()) {
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
    try (WebSocketPeer peer = SERVER.get().connect()) {
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
      WebSocketPeer peer = SERVER.get().connect();
      peer.send(request.substring(0, request.length() / 2));
      if (i % 2 == 0) {
        peer.close();
      } else {
        peer.reset();
      }
    }
    SERVER.get().running().awaitOpen(0);
    answers();
  }

  private static void answers() throws IOException {
    try (WebSocketPeer peer = SERVER.get().upgraded()) {
      peer.echo(Frame.message("still here"));
    }
  }
}
