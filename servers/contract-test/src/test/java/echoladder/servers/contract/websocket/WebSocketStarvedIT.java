package echoladder.servers.contract.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.needs.Need;
import echoladder.needs.Needs;
import echoladder.servers.contract.OtherUser;
import echoladder.servers.contract.RunningServer;
import echoladder.servers.contract.Tested;
import echoladder.servers.contract.Variant;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A WebSocket server on the JVM that runs out of direct memory, or of threads, while clients come: it counts whom it refused or
 * lost, its page answers all the while, and whoever comes when there is room again is served.
 */
@Tag("long")
final class WebSocketStarvedIT {
  private static final Frame SMALL = Frame.message("hello");
  private static final int KNOWN = 8;
  private static final int CROWD = 100;

  /** For each buffer that it does not get, the JDK has a whole event loop of Netty's wait for half a second. */
  private static final int CROWD_OF_NETTY = 6;

  /** Size of a message that never gets whole, which a server holds. */
  private static final int HALF_BYTES = 500 << 10;

  private static final int THREADS = 20;

  /** More than the metrics page has threads. */
  private static final int PAGES = 20;

  private static boolean onNetty(Variant variant) {
    return variant.manifest().options().containsKey("transport");
  }

  private static Stream<Variant> onJvm() {
    return Tested.some(WebSocketServer.all().filter(v -> v.manifest().runtime().equals("jvm")), "WebSocket servers on the JVM");
  }

  /** Netty ends an event loop of io_uring for want of memory: StarvedIT has that. */
  private static Stream<Variant> hungry() {
    return Tested.some(
        onJvm().filter(v -> !v.manifest().reference() && !v.options().getOrDefault("transport", "").startsWith("io_uring")),
        "WebSocket servers on the JVM that take direct memory for messages");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("hungry")
  void survivesWithoutDirectMemory(Variant variant) throws Exception {
    List<String> argv = new ArrayList<>(variant.argv());
    argv.add(1, "-XX:MaxDirectMemorySize=" + (onNetty(variant) ? "2m" : "1m"));
    try (RunningServer server = RunningServer.start(variant, List.of(), argv)) {
      for (int i = 0; i < KNOWN; i++) {
        echoes(server);
      }
      server.awaitOpen(0);
      int count = onNetty(variant) ? CROWD_OF_NETTY : CROWD;
      List<WebSocketPeer> crowd = new ArrayList<>();
      byte[] half = Arrays.copyOf(Frame.binary(new byte[2 * HALF_BYTES]).masked(), HALF_BYTES);
      for (int i = 0; i < count; i++) {
        WebSocketPeer peer = asked(server, crowd);
        if (upgrades(peer)) {
          var _ = peer.sendBehind(half, 1);
        }
      }
      server.await("whom it lost is counted").untilAsserted(
          () -> {
            boolean hasAll = !onNetty(variant) && server.metric("echo_connections_open") == count;
            assertThat(hasAll || server.failures("enomem") > 0).as("%s: %s", server, server.counts()).isTrue();
          });
      isWellAgain(server, crowd);
    }
  }

  @Needs({Need.SETPRIV, Need.PRLIMIT})
  @ParameterizedTest(name = "{0}")
  @MethodSource("onJvm")
  void survivesWithoutThreads(Variant variant) throws Exception {
    List<String> argv = variant.argv();
    OtherUser user = OtherUser.whoRuns(argv);
    try (RunningServer server = RunningServer.start(variant, user.prefix(), argv)) {
      List<WebSocketPeer> known = WebSocketServer.upgradedAtOnce(server, KNOWN);
      user.leaveThreads(server.ready().pid(), THREADS);
      List<WebSocketPeer> crowd = new ArrayList<>(known);
      for (int i = 0; i < CROWD; i++) {
        var _ = asked(server, crowd);
      }
      boolean all = true;
      for (WebSocketPeer peer : crowd.subList(KNOWN, crowd.size())) {
        all &= upgrades(peer);
      }
      assertThat(all || server.failures("eagain") > 0).as("%s: %s", server, server.counts()).isTrue();
      for (WebSocketPeer peer : known) {
        peer.echo(SMALL);
      }
      isWellAgain(server, crowd);
      assertThat(server.logLines()).as("%s: lines of its log", server).hasSizeLessThan(100).noneMatch(line -> line.startsWith("\tat "));
    }
  }

  private static WebSocketPeer asked(RunningServer server, List<WebSocketPeer> crowd) throws IOException {
    WebSocketPeer peer = new WebSocketPeer(server.address());
    crowd.add(peer);
    peer.send(WebSocketPeer.request());
    return peer;
  }

  /** Whether the server speaks WebSocket with it now; it may have been closed for want of something. */
  private static boolean upgrades(WebSocketPeer peer) throws IOException {
    try {
      peer.awaitUpgrade();
      return true;
    } catch (EOFException | SocketException e) {
      return false;
    }
  }

  private static void isWellAgain(RunningServer server, List<WebSocketPeer> crowd) throws IOException {
    for (int i = 0; i < PAGES; i++) {
      assertThat(server.metric("echo_connections_accepted_total")).as("%s", server).isPositive();
    }
    for (WebSocketPeer peer : crowd) {
      peer.close();
    }
    server.awaitOpen(0);
    // A connection may still meet the last of a pause, but not for long.
    server.await("an echo again").ignoreExceptionsMatching(e -> true).untilAsserted(() -> echoes(server));
    assertThat(server.process().alive()).as("%s", server).isTrue();
  }

  private static void echoes(RunningServer server) throws IOException {
    try (WebSocketPeer peer = WebSocketServer.upgraded(server)) {
      peer.echo(SMALL);
    }
  }
}
