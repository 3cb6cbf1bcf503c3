package echoladder.servers.contract.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import echoladder.needs.Need;
import echoladder.needs.Needs;
import echoladder.servers.contract.OtherUser;
import echoladder.servers.contract.Peer;
import echoladder.servers.contract.Tested;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An HTTP server on the JVM that runs out of direct memory, or of threads, while requests come: its page answers all the
 * while, every client hears something, and whoever comes when there is room again is served. Several at a time, as one that
 * lacks memory waits for half a minute.
 */
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
@Tag("long")
final class HttpStarvedIT {
  private static final byte[] BODY = new byte[64];
  private static final int CROWD = 100;
  private static final int KNOWN = 8;
  private static final int THREADS = 5;
  private static final int CLOSED = 0;
  private static final String DIRECT = "-XX:MaxDirectMemorySize=";

  /** For each buffer that it does not get, the JDK has a whole event loop of Netty's wait for half a second. */
  private static final int CROWD_OF_NETTY = 6;

  /** More than a server reads at once, less than it may refuse. */
  private static final int HALF_BODY_BYTES = 64 << 10;

  private static final int HALF_BODY_BYTES_TO_NETTY = 500 << 10;

  static Stream<HttpSubject> onJvm() {
    return Tested.some(
        HttpSubject.all().filter(s -> s.manifest().runtime().equals("jvm")), "HTTP servers on the JVM");
  }

  /** Where a handler runs makes no difference to who reads for it. */
  static Stream<HttpSubject> oneModeOnJvm() {
    Set<String> seen = new HashSet<>();
    return onJvm().filter(subject -> !subject.onNetty() || seen.add(subject.manifest().name()));
  }

  @ParameterizedTest
  @MethodSource("oneModeOnJvm")
  void survivesWithoutDirectMemory(HttpSubject subject) throws Exception {
    List<String> argv = subject.argv(0, Map.of());
    argv.add(1, DIRECT + (subject.onNetty() ? "2m" : "1m"));
    try (HttpServerUnderTest server = HttpServerUnderTest.start(argv)) {
      for (int i = 0; i < KNOWN; i++) {
        // So that each of Netty's event loops has a chunk for small buffers: it gives none of its larger ones back for them.
        assertThat(echoes(server)).isTrue();
      }
      int count = subject.onNetty() ? CROWD_OF_NETTY : CROWD;
      List<HttpPeer> crowd =
          crowd(
              server,
              count,
              "POST /echo HTTP/1.1\r\nHost: test\r\nContent-Length: 1000000\r\n\r\n" + "x".repeat(subject.onNetty() ? HALF_BODY_BYTES_TO_NETTY : HALF_BODY_BYTES));
      await().atMost(Peer.PATIENCE).untilAsserted(() -> assertThat(countedOr(!subject.onNetty() && hasAll(server, count), server, "enomem")).isTrue());
      await().atMost(Peer.PATIENCE).until(() -> server.metric("echo_connections_accepted_total") > KNOWN);
      isWellAgain(server, crowd);
      if (!subject.onNetty()) {
        // Micronaut prints a stack for each request whose answer finds no memory.
        saidLittle(server);
      }
    }
  }

  static Stream<HttpSubject> byIoUring() {
    return Tested.some(oneModeOnJvm().filter(HttpSubject::onNetty), "HTTP servers by io_uring");
  }

  /** Netty ends an event loop of io_uring for want of memory; what is left of the server is then not to be measured. */
  @ParameterizedTest
  @MethodSource("byIoUring")
  void survivesWithoutDirectMemoryByIoUringOrEndsWithTheReason(HttpSubject subject) throws Exception {
    List<String> argv = subject.argv(0, Map.of("transport", "io_uring", "event-loops", "1"));
    argv.add(1, DIRECT + "2m");
    try (HttpServerUnderTest server = HttpServerUnderTest.start(argv)) {
      CompletableFuture<Integer> ended = server.process().ended();
      List<HttpPeer> crowd =
          crowd(server, CROWD, "POST /echo HTTP/1.1\r\nHost: test\r\nContent-Length: 1000000\r\n\r\n" + "x".repeat(HALF_BODY_BYTES_TO_NETTY));
      await().atMost(Peer.PATIENCE).ignoreExceptions().until(
          () -> ended.isDone() || server.metric("echo_accept_errors_total{reason=\"enomem\"}") > 0);
      for (HttpPeer peer : crowd) {
        peer.close();
      }
      await().atMost(Peer.PATIENCE).ignoreExceptions().until(() -> ended.isDone() || echoes(server));
      if (ended.isDone()) {
        assertThat(ended).isCompletedWithValue(3);
        assertThat(server.log()).contains("an event loop ended", "MaxDirectMemorySize");
      }
    }
  }

  @Needs({Need.SETPRIV, Need.PRLIMIT})
  @ParameterizedTest
  @MethodSource("onJvm")
  void survivesWithoutThreads(HttpSubject subject) throws Exception {
    List<String> argv = subject.argv(0, Map.of());
    OtherUser user = OtherUser.whoRuns(argv);
    List<String> whole = new ArrayList<>(user.prefix());
    whole.addAll(argv);
    try (HttpServerUnderTest server = HttpServerUnderTest.start(whole)) {
      user.leaveThreads(server.ready().pid(), THREADS);
      List<HttpPeer> crowd = crowd(server, CROWD, "GET /api/heavy?duration=300 HTTP/1.1\r\nHost: test\r\n\r\n");
      await().atMost(Peer.PATIENCE).until(() -> server.metric("echo_connections_accepted_total") > 0);
      boolean all = true;
      for (HttpPeer peer : crowd) {
        // Answered late by the few threads there are, or not at all.
        int heard = heard(peer);
        assertThat(heard).as(server.log()).isIn(CLOSED, 200, 500, 503);
        all &= heard == 200;
      }
      assertThat(countedOr(all && !subject.threadPerRequest(), server, "eagain")).as(server.log()).isTrue();
      isWellAgain(server, crowd);
      saidLittle(server);
    }
  }

  /** Whoever is refused or lost for want of something is counted; a server that has enough for all has nothing to count. */
  private static boolean countedOr(boolean servedAll, HttpServerUnderTest server, String reason) throws IOException, InterruptedException {
    return servedAll || server.failures(reason) > 0;
  }

  /** Whether each of the crowd was accepted and none of them was closed, once those before have gone. */
  private static boolean hasAll(HttpServerUnderTest server, int crowd) throws IOException, InterruptedException {
    return server.metric("echo_connections_accepted_total") == KNOWN + crowd && server.openConnections() == crowd;
  }

  private static int heard(HttpPeer peer) throws IOException {
    try {
      return peer.answer().status();
    } catch (EOFException | SocketException e) {
      return CLOSED;
    }
  }

  private static List<HttpPeer> crowd(HttpServerUnderTest server, int count, String request) throws IOException {
    List<HttpPeer> crowd = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      HttpPeer peer = server.connect();
      crowd.add(peer);
      var _ = peer.sendBehind(request.getBytes(ISO_8859_1), 1);
    }
    return crowd;
  }

  private static void isWellAgain(HttpServerUnderTest server, List<HttpPeer> crowd) throws Exception {
    for (HttpPeer peer : crowd) {
      peer.close();
    }
    await().atMost(Peer.PATIENCE).ignoreExceptions().until(() -> server.metric("echo_connections_open") == 0);
    await().atMost(Peer.PATIENCE).ignoreExceptions().until(() -> echoes(server));
    assertThat(server.process().alive()).as(server.log()).isTrue();
  }

  private static boolean echoes(HttpServerUnderTest server) throws IOException {
    try (HttpPeer peer = server.connect()) {
      peer.send(HttpPeer.post(BODY));
      return peer.answer().status() == 200;
    }
  }

  private static void saidLittle(HttpServerUnderTest server) throws IOException {
    assertThat(server.log().lines()).as(server.log()).hasSizeLessThan(100).noneMatch(line -> line.startsWith("\tat "));
  }
}
