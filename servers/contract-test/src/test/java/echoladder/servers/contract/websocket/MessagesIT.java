package echoladder.servers.contract.websocket;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.servers.contract.Clause;
import echoladder.servers.contract.ExpectedFailure;
import echoladder.servers.contract.ForeignSocket;
import echoladder.servers.contract.OfVariant;
import echoladder.servers.contract.ServerSlot;
import echoladder.servers.contract.SharedServer;
import echoladder.servers.contract.Variant;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every message comes back as what it was, however it is cut, and a ping has its pong. Autobahn's groups 1, 2, 5 and 9. */
@ExtendWith(ExpectedFailure.class)
@SharedServer
@MethodSource("echoladder.servers.contract.websocket.WebSocketServer#defaults")
record MessagesIT(Variant variant) implements OfVariant {
  private static final int MIB = 1 << 20;

  private static final ServerSlot<WebSocketServer> SERVER = new ServerSlot<>();

  @BeforeParameterizedClassInvocation
  static void start(Variant variant) throws Exception {
    SERVER.start(() -> WebSocketServer.start(variant));
  }

  @AfterParameterizedClassInvocation
  static void stop() throws Exception {
    SERVER.stop();
  }

  static byte[] random(int bytes) {
    byte[] all = new byte[bytes];
    new SplittableRandom(bytes).nextBytes(all);
    return all;
  }

  /** Text of so many bytes, its characters of one to four bytes each. */
  private static Frame text(int bytes) {
    String text = "a\u00e4\u20ac\ud83d\ude00".repeat(bytes / 10) + "x".repeat(bytes % 10);
    Frame frame = Frame.text(text);
    assertThat(frame.payload()).hasSize(bytes);
    return frame;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 125, 126, 65_535, 65_536, MIB})
  void comeBackAsWhatTheyWere(int bytes) throws IOException {
    try (WebSocketPeer peer = SERVER.get().upgraded()) {
      peer.echo(Frame.binary(random(bytes)));
      peer.echo(Frame.binary(random(bytes)));
    }
  }

  @Clause(Clause.Name.TEXT)
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 125, 126, 65_535, 65_536, MIB})
  void comeBackAsTextWhereTheyWereText(int bytes) throws IOException {
    try (WebSocketPeer peer = SERVER.get().upgraded()) {
      peer.echo(text(bytes));
      peer.echo(Frame.binary(random(10)));
      peer.echo(text(bytes));
    }
  }

  @Clause(Clause.Name.TEXT)
  @Test
  void comeBackAsTextWhereTheyWereFragmentsOfText() throws IOException {
    try (WebSocketPeer peer = SERVER.get().upgraded()) {
      peer.send(cut(Frame.text("a text in fragments of one byte"), 1));
      peer.expect(Frame.text("a text in fragments of one byte"));
    }
  }

  private static byte[] cut(Frame message, int fragmentBytes) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] payload = message.payload();
    for (int at = 0; at == 0 || at < payload.length; at += fragmentBytes) {
      int end = Math.min(payload.length, at + fragmentBytes);
      int first = (at == 0 ? message.opcode() : Frame.CONTINUATION) | (end == payload.length ? Frame.FIN : 0);
      all.writeBytes(new Frame(first, Arrays.copyOfRange(payload, at, end)).masked());
    }
    return all.toByteArray();
  }

  @Test
  void mayComeInFragments() throws IOException {
    try (WebSocketPeer peer = SERVER.get().upgraded()) {
      Frame small = Frame.binary(random(100));
      peer.send(cut(small, 1));
      peer.expect(small);
      for (int fragmentBytes : new int[] {125, 126, 65_536, 300_000}) {
        Frame message = Frame.binary(random(MIB));
        CompletableFuture<Void> sent = peer.sendBehind(cut(message, fragmentBytes), 1);
        peer.expect(message);
        sent.join();
      }
      peer.echo(Frame.message("and whole again"));
    }
  }

  @Test
  void mayComeInFragmentsOfNothing() throws IOException {
    Frame nothing = new Frame(Frame.CONTINUATION, new byte[0]);
    try (WebSocketPeer peer = SERVER.get().upgraded()) {
      peer.send(new Frame(Frame.BINARY, new byte[0]));
      peer.send(nothing);
      peer.send(new Frame(Frame.FIN, new byte[0]));
      peer.expect(Frame.binary(new byte[0]));

      peer.send(new Frame(Frame.BINARY, new byte[0]));
      peer.send(nothing);
      peer.send(new Frame(Frame.FIN, random(10)));
      peer.expect(Frame.binary(random(10)));
    }
  }

  @Test
  void arePingedInBetween() throws IOException {
    try (WebSocketPeer peer = SERVER.get().upgraded()) {
      peer.send(new Frame(Frame.BINARY, "one ".getBytes(US_ASCII)));
      peer.send(Frame.ping("first".getBytes(US_ASCII)));
      peer.send(new Frame(Frame.CONTINUATION, "two ".getBytes(US_ASCII)));
      peer.send(Frame.ping("second".getBytes(US_ASCII)));
      peer.send(new Frame(Frame.FIN, "three".getBytes(US_ASCII)));
      peer.expect(Frame.message("one two three"));
      // RFC 6455, 5.5.3: a pong for the last ping is enough where several came before it could be sent.
      Frame pong = peer.pong();
      assertThat(pong.text().equals("first") ? peer.pong().text() : pong.text()).isEqualTo("second");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 125})
  void haveAPongWithThePayloadOfThePing(int bytes) throws IOException {
    try (WebSocketPeer peer = SERVER.get().upgraded()) {
      peer.send(Frame.ping(random(bytes)));
      assertThat(peer.pong().payload()).isEqualTo(random(bytes));
    }
  }

  @Test
  void areNotDisturbedByAPongThatNobodyAskedFor() throws IOException {
    try (WebSocketPeer peer = SERVER.get().upgraded()) {
      peer.send(new Frame(Frame.FIN | Frame.PONG, random(20)));
      peer.send(new Frame(Frame.FIN | Frame.PONG, new byte[0]));
      peer.echo(Frame.message("hello"));
    }
  }

  @Test
  void mayComeByteByByteOrManyAtOnce() throws IOException {
    try (WebSocketPeer peer = SERVER.get().upgraded()) {
      Frame message = Frame.binary(random(200));
      for (byte b : message.masked()) {
        peer.send(new byte[] {b});
      }
      peer.expect(message);

      ByteArrayOutputStream merged = new ByteArrayOutputStream();
      for (int i = 0; i < 500; i++) {
        merged.writeBytes(Frame.message("message " + i).masked());
      }
      CompletableFuture<Void> sent = peer.sendBehind(merged.toByteArray(), 1);
      for (int i = 0; i < 500; i++) {
        peer.expect(Frame.message("message " + i));
      }
      sent.join();
    }
  }

  @Test
  void stayOnTheirConnections() throws IOException {
    List<WebSocketPeer> peers = WebSocketServer.upgradedAtOnce(SERVER.get().running(), 50);
    for (int round = 0; round < 4; round++) {
      for (int i = 0; i < peers.size(); i++) {
        peers.get(i).send(Frame.binary(random(200 + i)));
      }
      for (int i = peers.size() - 1; i >= 0; i--) {
        peers.get(i).expect(Frame.binary(random(200 + i)));
      }
    }
    closeAll(peers);
    SERVER.get().running().awaitOpen(0);
  }

  @Test
  void areNotDelayed() throws IOException {
    try (WebSocketPeer peer = SERVER.get().upgraded()) {
      peer.echo(Frame.message("hello"));
      int noDelay = ForeignSocket.noDelay(SERVER.get().running().ready().pid(), SERVER.get().running().ready().port(), peer.port());
      assertThat(noDelay).as("%s: TCP_NODELAY of an accepted connection", variant).isNotZero();
    }
  }

  static void closeAll(List<WebSocketPeer> peers) throws IOException {
    for (WebSocketPeer peer : new ArrayList<>(peers)) {
      peer.close();
    }
  }
}
