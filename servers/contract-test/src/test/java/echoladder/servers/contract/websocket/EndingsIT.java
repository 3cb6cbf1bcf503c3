package echoladder.servers.contract.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.server.ServerManifest;
import echoladder.servers.contract.Clause;
import echoladder.servers.contract.ExpectedFailure;
import echoladder.servers.contract.OfVariant;
import echoladder.servers.contract.ServerSlot;
import echoladder.servers.contract.SharedServer;
import echoladder.servers.contract.Variant;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How a connection ends: by agreement, for what RFC 6455 does not allow, or without a word. Autobahn's groups 3, 4, 6, 7 and,
 * of what is too large, 9. Other connections are served on.
 */
@ExtendWith(ExpectedFailure.class)
@SharedServer
@MethodSource("echoladder.servers.contract.websocket.WebSocketServer#defaults")
record EndingsIT(Variant variant) implements OfVariant {
  private static final int NORMAL = 1000;
  private static final int PROTOCOL_ERROR = 1002;
  private static final int NOT_UTF_8 = 1007;
  private static final int TOO_BIG = 1009;
  private static final String MESSAGE_BYTES_MAX = "max-message-bytes";
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

  /** What the server's close frame says after that, on a connection that was good before. */
  private static int endingAfter(byte[]... sent) throws IOException {
    try (WebSocketPeer peer = SERVER.get().upgraded()) {
      peer.echo(Frame.message("good so far"));
      return peer.endingAfter(Frame.concat(sent));
    }
  }

  @Clause(Clause.Name.CLOSE_HANDSHAKE)
  @ParameterizedTest
  @ValueSource(ints = {1000, 1001, 1003, 1007, 1011, 1012, 1013, 1014, 3000, 4999})
  void aCloseFrameIsAnsweredByOne(int code) throws IOException {
    try (WebSocketPeer peer = SERVER.get().upgraded()) {
      peer.send(Frame.close(code, "enough"));
      // RFC 6455, 5.5.1: usually the same code.
      assertThat(peer.ending()).as("the code of %s's answer", variant).isIn(code, NORMAL);
    }
  }

  @Clause(Clause.Name.CLOSE_HANDSHAKE)
  @Test
  void aCloseFrameWithoutACodeIsAnsweredByOne() throws IOException {
    try (WebSocketPeer peer = SERVER.get().upgraded()) {
      peer.send(new Frame(Frame.FIN | Frame.CLOSE, new byte[0]));
      assertThat(peer.ending()).as("the code of %s's answer", variant).isIn(Frame.NO_CODE, NORMAL);
    }
  }

  @Clause(Clause.Name.CLOSE_HANDSHAKE)
  @Test
  void nothingIsEchoedAfterACloseFrame() throws IOException {
    try (WebSocketPeer peer = SERVER.get().upgraded()) {
      peer.send(Frame.concat(Frame.close(NORMAL, "").masked(), Frame.message("too late").masked(), Frame.ping(new byte[0]).masked()));
      Frame answer = peer.frame();
      assertThat(answer.opcode()).as("%s of %s", answer, variant).isEqualTo(Frame.CLOSE);
      assertThat(peer.untilClosed()).isEmpty();
    }
  }

  /** Half a code; no code; codes that stand for the lack of one; one that nobody has defined. */
  @Clause(Clause.Name.CLOSE_CODES)
  @ParameterizedTest
  @ValueSource(strings = {"03", "0000", "03e7", "03ed", "03ee", "0bb7"})
  void aCloseFrameThatNobodyMaySendEndsIn1002(String payload) throws IOException {
    assertThat(endingAfter(new Frame(Frame.FIN | Frame.CLOSE, HexFormat.of().parseHex(payload)).masked()))
        .isIn(PROTOCOL_ERROR, WebSocketPeer.NO_CLOSE_FRAME);
  }

  @Clause(Clause.Name.UNMASKED_FRAMES)
  @Test
  void anUnmaskedFrameEndsIn1002() throws IOException {
    assertThat(endingAfter(Frame.message("bare").unmasked())).isEqualTo(PROTOCOL_ERROR);
  }

  @Clause(Clause.Name.RESERVED_BITS)
  @ParameterizedTest
  @ValueSource(ints = {0x40, 0x20, 0x10, 0x70})
  void aReservedBitEndsIn1002(int bits) throws IOException {
    assertThat(endingAfter(new Frame(Frame.FIN | bits | Frame.TEXT, new byte[4]).masked())).isEqualTo(PROTOCOL_ERROR);
    assertThat(endingAfter(new Frame(Frame.FIN | bits | Frame.PING, new byte[4]).masked())).isEqualTo(PROTOCOL_ERROR);
  }

  @Clause(Clause.Name.UNKNOWN_OPCODES)
  @ParameterizedTest
  @ValueSource(ints = {3, 7, 11, 15})
  void anUnknownOpcodeEndsIn1002(int opcode) throws IOException {
    assertThat(endingAfter(new Frame(Frame.FIN | opcode, new byte[4]).masked())).isEqualTo(PROTOCOL_ERROR);
  }

  @Clause(Clause.Name.CONTROL_FRAMES)
  @ParameterizedTest
  @ValueSource(ints = {Frame.PING, Frame.PONG, Frame.CLOSE})
  void aControlFrameInFragmentsOrTooLongEndsIn1002(int opcode) throws IOException {
    assertThat(endingAfter(new Frame(opcode, new byte[] {3, (byte) 0xe8}).masked())).isEqualTo(PROTOCOL_ERROR);
    byte[] tooLong = new byte[Frame.CONTROL_BYTES_MAX + 1];
    tooLong[0] = 3;
    tooLong[1] = (byte) 0xe8;
    assertThat(endingAfter(new Frame(Frame.FIN | opcode, tooLong).masked())).isEqualTo(PROTOCOL_ERROR);
  }

  @Clause(Clause.Name.CONTINUATIONS)
  @Test
  void aContinuationOfNothingEndsIn1002() throws IOException {
    assertThat(endingAfter(new Frame(Frame.FIN, new byte[4]).masked())).isEqualTo(PROTOCOL_ERROR);
    assertThat(endingAfter(new Frame(Frame.CONTINUATION, new byte[4]).masked())).isEqualTo(PROTOCOL_ERROR);
  }

  @Clause(Clause.Name.CONTINUATIONS)
  @Test
  void aMessageWithinAMessageEndsIn1002() throws IOException {
    assertThat(endingAfter(new Frame(Frame.BINARY, new byte[4]).masked(), Frame.binary(new byte[4]).masked()))
        .isEqualTo(PROTOCOL_ERROR);
  }

  /** A byte that begins nothing; cut off; overlong; half of a surrogate pair; beyond Unicode. */
  @Clause(Clause.Name.ENCODING)
  @ParameterizedTest
  @ValueSource(strings = {"c328", "e282", "c0af", "eda080", "f4908080", "68656c6cff"})
  void textThatIsNotUtf8EndsIn1007(String hex) throws IOException {
    byte[] bad = HexFormat.of().parseHex(hex);
    assertThat(endingAfter(new Frame(Frame.FIN | Frame.TEXT, bad).masked())).isEqualTo(NOT_UTF_8);
    List<byte[]> fragments = new ArrayList<>();
    fragments.add(new Frame(Frame.TEXT, "good ".getBytes(UTF_8)).masked());
    for (int i = 0; i < bad.length; i++) {
      fragments.add(new Frame(i == bad.length - 1 ? Frame.FIN : Frame.CONTINUATION, new byte[] {bad[i]}).masked());
    }
    assertThat(endingAfter(Frame.concat(fragments.toArray(new byte[0][])))).isEqualTo(NOT_UTF_8);
  }

  @Clause(Clause.Name.ENCODING)
  @Test
  void aFragmentMayEndWithinACharacter() throws IOException {
    String text = "\u03ba\u1f79\u03c3\u03bc\u03b5 \ud83d\ude00";
    byte[] payload = text.getBytes(UTF_8);
    try (WebSocketPeer peer = SERVER.get().upgraded()) {
      for (int i = 0; i < payload.length; i++) {
        int first = (i == 0 ? Frame.TEXT : Frame.CONTINUATION) | (i == payload.length - 1 ? Frame.FIN : 0);
        peer.send(new Frame(first, new byte[] {payload[i]}));
      }
      peer.expect(Frame.text(text));
    }
  }

  private int messageBytesMax() {
    ServerManifest.Option option = variant.manifest().options().get(MESSAGE_BYTES_MAX);
    return option == null ? MIB : Integer.parseInt(option.fallback());
  }

  @Clause(Clause.Name.OVERSIZED)
  @Test
  void aMessageThatIsTooLargeEndsIn1009ByItsAnnouncement() throws IOException {
    assertThat(endingAfter(Frame.announced(Frame.FIN | Frame.BINARY, messageBytesMax() + 1L))).isEqualTo(TOO_BIG);
    assertThat(endingAfter(Frame.announced(Frame.TEXT, 1L << 40))).isEqualTo(TOO_BIG);
    assertThat(endingAfter(Frame.announced(Frame.FIN | Frame.BINARY, -1L))).isIn(PROTOCOL_ERROR, TOO_BIG, WebSocketPeer.NO_CLOSE_FRAME);
  }

  @Clause(Clause.Name.OVERSIZED)
  @Test
  void fragmentsThatAreTooLargeTogetherEndIn1009() throws IOException {
    byte[] part = new byte[64 << 10];
    try (WebSocketPeer peer = SERVER.get().upgraded()) {
      peer.send(new Frame(Frame.BINARY, part));
      var _ = peer.sendBehind(new Frame(Frame.CONTINUATION, part).masked(), messageBytesMax() / part.length);
      assertThat(peer.ending()).isEqualTo(TOO_BIG);
    }
  }

  @Clause(Clause.Name.OVERSIZED)
  @Test
  void aMessageWithoutEndIsHeldInBoundedMemory() throws IOException {
    long beforeBytes = SERVER.get().running().heldBytes();
    byte[] part = new byte[64 << 10];
    List<WebSocketPeer> peers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      WebSocketPeer peer = SERVER.get().upgraded();
      peers.add(peer);
      if (i % 2 == 0) {
        peer.send(Frame.announced(Frame.FIN | Frame.BINARY, 1 << 30));
        var _ = peer.sendBehind(part, 24 * MIB / part.length);
      } else {
        peer.send(new Frame(Frame.BINARY, part));
        var _ = peer.sendBehind(new Frame(Frame.CONTINUATION, part).masked(), 24 * MIB / part.length);
      }
    }
    for (WebSocketPeer peer : peers) {
      peer.ending();
    }
    SERVER.get().running().await("memory given back").until(() -> SERVER.get().running().heldBytes() < beforeBytes + 16L * MIB);
    MessagesIT.closeAll(peers);
  }

  /** A FIN without a close frame ends the connection too: on its own, in a frame's head, in its payload, between fragments. */
  @Test
  void aFinEndsTheConnectionWhereverItComes() throws IOException {
    byte[] whole = Frame.binary(new byte[100]).masked();
    for (byte[] sent : List.of(
        new byte[0],
        new byte[] {whole[0]},
        Frame.announced(Frame.FIN | Frame.BINARY, 100),
        new Frame(Frame.TEXT, new byte[] {'a'}).masked())) {
      try (WebSocketPeer peer = SERVER.get().upgraded()) {
        peer.send(sent);
        peer.fin();
        peer.ending();
      }
    }
    SERVER.get().running().awaitOpen(0);
  }

  @Test
  void aResetInMidFrameIsClosedQuietly() throws IOException {
    for (int i = 0; i < 50; i++) {
      WebSocketPeer peer = SERVER.get().upgraded();
      // A whole one, whose echo is not read, and half of another.
      peer.send(Frame.concat(Frame.binary(new byte[50_000]).masked(), Frame.announced(Frame.FIN | Frame.BINARY, 50_000), new byte[100]));
      peer.reset();
    }
    SERVER.get().running().awaitOpen(0);
    try (WebSocketPeer peer = SERVER.get().upgraded()) {
      peer.echo(Frame.message("still here"));
    }
    assertThat(SERVER.get().running().logLines()).as("%s: what a client does is no event of the log", SERVER.get().running()).hasSizeLessThan(5);
  }
}
