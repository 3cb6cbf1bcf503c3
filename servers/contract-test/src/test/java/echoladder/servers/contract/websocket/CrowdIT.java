package echoladder.servers.contract.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.servers.contract.Clause;
import echoladder.servers.contract.ExpectedFailure;
import echoladder.servers.contract.NeverReads;
import echoladder.servers.contract.OfVariant;
import echoladder.servers.contract.RunningServer;
import echoladder.servers.contract.ServerSlot;
import echoladder.servers.contract.SharedServer;
import echoladder.servers.contract.Variant;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.provider.MethodSource;

/** Many clients at once, and clients that never read, in every mode of a server. */
@ExtendWith(ExpectedFailure.class)
@SharedServer
@MethodSource("echoladder.servers.contract.websocket.WebSocketServer#all")
record CrowdIT(Variant variant) implements OfVariant {
  private static final int CROWD = 2_000;
  private static final int MESSAGE_BYTES = 32;
  private static final int DEAF = 4;
  private static final int CLIENT_BUFFER_BYTES = 256 << 10;

  /** What a server may hold for a deaf client beyond the kernel's buffers, generously. */
  private static final long SERVER_BYTES_MAX = 8 << 20;

  /** The most that what a server holds after a collection may grow; some servers make much garbage of a flood. */
  private static final long GROWTH_MAX = 64L << 20;

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
  void twoThousandUpgradesAtOnceAreServedAndCounted() throws IOException {
    RunningServer running = SERVER.get().running();
    running.awaitOpen(0);
    Map<String, Long> expected = new TreeMap<>(running.counts());
    List<WebSocketPeer> peers = WebSocketServer.upgradedAtOnce(running, CROWD);
    Frame message = Frame.binary(MessagesIT.random(MESSAGE_BYTES));
    for (WebSocketPeer peer : peers) {
      peer.send(message);
    }
    for (WebSocketPeer peer : peers) {
      peer.expect(message);
    }
    assertThat(running.counts()).as("%s: counts with the crowd there", running).containsEntry("echo_connections_open", (long) CROWD);
    // Neither a ping nor a close frame is a message.
    peers.getFirst().send(Frame.ping(new byte[100]));
    assertThat(peers.getFirst().pong().payload()).hasSize(100);
    for (WebSocketPeer peer : peers) {
      peer.send(Frame.close(1000, "enough"));
    }
    MessagesIT.closeAll(peers);
    expected.merge("echo_connections_accepted_total", (long) CROWD, Long::sum);
    expected.merge("echo_received_bytes_total", (long) MESSAGE_BYTES * CROWD, Long::sum);
    expected.merge("echo_sent_bytes_total", (long) MESSAGE_BYTES * CROWD, Long::sum);
    running.await("counts").untilAsserted(
        () -> assertThat(running.counts()).as("%s: counts after %d connections", running, CROWD).isEqualTo(expected));
    assertThat(running.metric("echo_accept_errors_total{reason=\"emfile\"}")).as("%s", running).isZero();
  }

  @Test
  void largeMessagesAndFragmentsComeBack() throws IOException {
    try (WebSocketPeer peer = SERVER.get().upgraded()) {
      for (int bytes : new int[] {0, 125, 65_536, 1 << 20}) {
        peer.echo(Frame.binary(MessagesIT.random(bytes)));
      }
      peer.send(new Frame(Frame.BINARY, new byte[] {'a'}));
      peer.send(new Frame(Frame.FIN, new byte[] {'b'}));
      peer.expect(Frame.message("ab"));
    }
  }

  @Clause(Clause.Name.BACK_PRESSURE)
  @Test
  void whoNeverReadsCostsBoundedMemoryAndSlowsNobody() throws Exception {
    long kernelBytes = NeverReads.kernelBytes(CLIENT_BUFFER_BYTES, SERVER_BYTES_MAX);
    long mostBytes = kernelBytes + SERVER_BYTES_MAX;
    RunningServer running = SERVER.get().running();
    List<WebSocketPeer> others = WebSocketServer.upgradedAtOnce(running, 8);
    long heldBefore = running.heldBytes();
    List<WebSocketPeer> deaf = new ArrayList<>();
    List<Flood> floods = new ArrayList<>();
    for (int i = 0; i < DEAF; i++) {
      deaf.add(deafPeer());
      floods.add(Flood.ofMessages(deaf.getLast(), 2 * mostBytes));
    }
    try {
      long slowestNs =
          NeverReads.slowestUntilStuckNs(() -> echoed(others), () -> floods.stream().mapToLong(Flood::sentBytes).sum());
      assertThat(floods)
          .as("%s: bytes taken from clients that do not read; the kernel's buffers hold %d", running, kernelBytes)
          .allMatch(flood -> flood.sentBytes() < mostBytes);
      assertThat(running.heldBytes() - heldBefore).as("%s: growth of what it holds with %d deaf clients", running, DEAF).isLessThan(GROWTH_MAX);
      assertThat(Duration.ofNanos(slowestNs)).as("%s: slowest echo on other connections", running).isLessThan(NeverReads.OTHERS_MAX);

      // Half of them go away in the middle; the others begin to read and get what they are owed.
      for (int i = 0; i < DEAF; i++) {
        if (i % 2 == 0) {
          deaf.get(i).reset();
        } else {
          getsAll(deaf.get(i), floods.get(i));
        }
      }
    } finally {
      MessagesIT.closeAll(deaf);
      MessagesIT.closeAll(others);
    }
    running.awaitOpen(0);
  }

  private static WebSocketPeer deafPeer() throws IOException {
    WebSocketPeer peer = new WebSocketPeer(SERVER.get().running().address(), CLIENT_BUFFER_BYTES);
    peer.send(WebSocketPeer.request());
    peer.awaitUpgrade();
    return peer;
  }

  /** A server may leave out a pong that another has overtaken, and so read on. */
  @Clause(Clause.Name.BACK_PRESSURE)
  @Test
  void whoPingsAndNeverReadsCostsBoundedMemoryAndSlowsNobody() throws Exception {
    long mostBytes = NeverReads.kernelBytes(CLIENT_BUFFER_BYTES, SERVER_BYTES_MAX) + SERVER_BYTES_MAX;
    RunningServer running = SERVER.get().running();
    List<WebSocketPeer> others = WebSocketServer.upgradedAtOnce(running, 8);
    long heldBefore = running.heldBytes();
    List<WebSocketPeer> deaf = new ArrayList<>();
    List<Flood> floods = new ArrayList<>();
    try {
      for (int i = 0; i < DEAF; i++) {
        deaf.add(deafPeer());
        floods.add(Flood.ofPings(deaf.getLast(), 2 * mostBytes));
      }
      long slowestNs =
          NeverReads.slowestUntilStuckNs(() -> echoed(others), () -> floods.stream().mapToLong(Flood::sentBytes).sum());
      assertThat(running.heldBytes() - heldBefore).as("%s: growth of what it holds after %s", running, floods).isLessThan(GROWTH_MAX);
      assertThat(Duration.ofNanos(slowestNs)).as("%s: slowest echo on other connections", running).isLessThan(NeverReads.OTHERS_MAX);
    } finally {
      for (WebSocketPeer peer : deaf) {
        peer.reset();
      }
      MessagesIT.closeAll(others);
    }
    running.awaitOpen(0);
  }

  private static List<WebSocketPeer> echoed(List<WebSocketPeer> peers) throws IOException {
    for (WebSocketPeer peer : peers) {
      peer.echo(Frame.message("beside a flood"));
    }
    return peers;
  }

  private static void getsAll(WebSocketPeer peer, Flood flood) throws IOException {
    flood.enough();
    int received = 0;
    for (Frame frame = peer.messageOrClose(); frame.opcode() != Frame.CLOSE; frame = peer.messageOrClose()) {
      assertThat(Arrays.mismatch(frame.payload(), Flood.MESSAGE.payload())).as("message %d", received).isEqualTo(-1);
      received++;
    }
    assertThat(received).as("messages that came back at last").isEqualTo(flood.messages());
  }
}
