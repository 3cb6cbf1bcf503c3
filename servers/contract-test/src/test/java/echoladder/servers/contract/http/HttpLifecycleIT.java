package echoladder.servers.contract.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import echoladder.harness.server.ServerProcess;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import echoladder.servers.contract.LastDescriptors;
import echoladder.servers.contract.Peer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How an HTTP server starts, does without descriptors, and ends. A process for each test. */
final class HttpLifecycleIT {
  private static final byte[] BODY = new byte[64];

  @TempDir private Path dir = Path.of("unset");

  static Stream<HttpSubject> subjects() {
    return HttpSubject.all();
  }

  /** A server's first connection may be served while its event loops still start: that must not cost the answer at FIN. */
  @ParameterizedTest
  @MethodSource("subjects")
  void answersTheFirstConnectionOfAFreshServerThatEndsAtOnce(HttpSubject subject) throws Exception {
    try (HttpServerUnderTest server = HttpServerUnderTest.start(subject.argv(0, Map.of()));
        HttpPeer first = server.connect()) {
      first.send(HttpPeer.post(BODY));
      first.fin();
      HttpPeer.Answer answer = first.answer();
      assertThat(answer.status()).as("%s: %s", subject, answer.text()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo(BODY);
      assertThat(first.goesOn()).as("%s: something came behind the only answer", subject).isFalse();
    }
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void sigtermLetsARequestInFlightFinish(HttpSubject subject) throws Exception {
    try (HttpServerUnderTest server = HttpServerUnderTest.start(subject.argv(0, Map.of()));
        HttpPeer heavy = server.connect();
        HttpPeer idle = server.connect()) {
      idle.send(HttpPeer.post(BODY));
      assertThat(idle.answer().status()).isEqualTo(200);
      heavy.get("/api/heavy?duration=1500");
      // Answered after heavy was sent, so that heavy has been received.
      idle.get("/api/heavy?duration=200");
      assertThat(idle.answer().status()).isEqualTo(200);
      server.process().terminate();
      assertThat(heavy.answer().status()).isEqualTo(200);
      assertThat(server.process().ended().get(20, TimeUnit.SECONDS)).as(server.log()).isZero();
      assertThatThrownBy(server::connect).isInstanceOf(IOException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void saysWhatRunsAndStopsQuietly(HttpSubject subject) throws Exception {
    try (HttpServerUnderTest server = HttpServerUnderTest.start(subject.argv(0, Map.of()))) {
      subject.mode().forEach((option, value) -> assertThat(server.ready().config()).containsEntry(option, value));
      server.process().terminate();
      assertThat(server.process().ended().get(20, TimeUnit.SECONDS)).as(server.log()).isZero();
      server.process().tail();
      assertThat(server.log()).doesNotContain("\tat ", "WARNING", "goroutine ");
    }
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void aPortInUseIsExitStatus3(HttpSubject subject) throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      Path log = Files.createFile(dir.resolve("log"));
      try (ServerProcess process = ServerProcess.start(subject.argv(taken.getLocalPort(), Map.of()), log)) {
        assertThat(process.ended().get(60, TimeUnit.SECONDS)).as(Files.readString(log)).isEqualTo(3);
        assertThat(whole(process, log))
            .contains("127.0.0.1:" + taken.getLocalPort(), "ss -tanp")
            .doesNotContain("\tat ", "goroutine ");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void aBadOptionIsExitStatus2(HttpSubject subject) throws Exception {
    Path log = Files.createFile(dir.resolve("log"));
    List<String> argv = subject.argv(0, Map.of());
    argv.add("--no-such-option");
    try (ServerProcess process = ServerProcess.start(argv, log)) {
      assertThat(process.ended().get(60, TimeUnit.SECONDS)).as(Files.readString(log)).isEqualTo(2);
      assertThat(whole(process, log)).contains("no-such-option");
    }
  }

  /** The hard limit, as the JVM and Go raise the soft one. */
  @Needs(Need.PRLIMIT)
  @ParameterizedTest
  @MethodSource("subjects")
  void outOfDescriptorsItServesWhomItHasAndGoesOnLater(HttpSubject subject) throws Exception {
    List<String> argv = new ArrayList<>(List.of("prlimit", "--nofile=200:200"));
    argv.addAll(LastDescriptors.plain(subject.argv(0, Map.of())));
    List<HttpPeer> peers = new ArrayList<>();
    try (HttpServerUnderTest server = HttpServerUnderTest.start(argv)) {
      HttpPeer first = server.connect();
      peers.add(first);
      for (int i = 0; i < 250; i++) {
        peers.add(server.connect());
      }
      await().atMost(Peer.PATIENCE).until(() -> server.metric("echo_accept_errors_total{reason=\"emfile\"}") > 0);
      for (int i = 0; i < 20; i++) {
        first.send(HttpPeer.post(BODY));
        assertThat(first.answer().status()).isEqualTo(200);
      }
      // The waiting ones get their turn when others leave; more have to leave than a server may have jars open.
      HttpPeer last = peers.getLast();
      for (HttpPeer peer : peers.subList(1, 200)) {
        peer.close();
      }
      last.send(HttpPeer.post(BODY));
      assertThat(last.answer().status()).isEqualTo(200);
    } finally {
      for (HttpPeer peer : peers) {
        peer.close();
      }
    }
  }

  /** What a server opened for its first request only, e.g. to wait for its body, could not be had any more then. */
  @Needs(Need.PRLIMIT)
  @ParameterizedTest
  @MethodSource("subjects")
  void answersTheFirstWithTheLastDescriptors(HttpSubject subject) throws Exception {
    try (HttpServerUnderTest server = HttpServerUnderTest.start(LastDescriptors.plain(subject.argv(0, Map.of())))) {
      LastDescriptors.leave(server.ready().pid(), 2);
      try (HttpPeer peer = server.connect()) {
        byte[] whole = HttpPeer.post(BODY);
        peer.send(Arrays.copyOf(whole, whole.length - 1));
        // Long enough for the server to have come to wait for the rest.
        await().pollDelay(Duration.ofMillis(300)).until(() -> true);
        peer.send(Arrays.copyOfRange(whole, whole.length - 1, whole.length));
        assertThat(peer.answer().status()).as(server.log()).isEqualTo(200);
      }
    }
  }

  /** All that one has said which ended: {@link ServerProcess#tail} waits until it is written down. */
  private static String whole(ServerProcess process, Path log) throws IOException {
    process.tail();
    return Files.readString(log);
  }
}
