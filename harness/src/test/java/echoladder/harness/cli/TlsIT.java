package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import echoladder.client.LoadResult;
import echoladder.client.figures.Handshakes;
import echoladder.client.tls.ThrowawayCertificate;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.needs.BusyHost;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Loads over TLS on real servers, from a study to its report, and by the client alone. */
class TlsIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final int CONNECTIONS = 60;

  private static final String STUDY =
      """
      name: sealed
      question: Does every echo come back over TLS, plain beside it?
      servers: [PLAIN, {name: PLAIN, label: PLAIN-tls, load: {tls: true}}, {name: OTHER, label: OTHER-2-tls, load: {tls: true}}]
      rungs: [60]
      repeats: 1
      load: {rate: {total: 600/s}}
      phases: {connect_rate: 200/s, warm_up_min: 0s, warm_up_max: 2m, warm_up_echoes: 10, steady: 2s, drain: 5s}
      bounds: {response_time_p99: 1h}
      """
          + BusyHost.THRESHOLDS;

  private static final String RESUMED =
      """
      name: resumed
      question: Which servers resume sessions of TLS, and do their echoes come back?
      servers: [SERVERS]
      rungs: [60]
      repeats: 1
      load: {rate: {total: 600/s}, tls: resumption}
      phases: {connect_rate: 10/s, warm_up_min: 0s, warm_up_max: 2m, warm_up_echoes: 10, steady: 1s, drain: 5s}
      bounds: {response_time_p99: 1h}
      """
          + BusyHost.THRESHOLDS;

  @TempDir private Path dir;

  private RunRecord run(String name, String yaml) throws Exception {
    Path study = Files.writeString(dir.resolve("study.yaml"), yaml);
    Path results = dir.resolve("results");
    try (LadderProcess ladder = LadderProcess.start(HOME, dir, "run", study.toString(), "--results", results.toString())) {
      assertThat(ladder.status()).as("%s%n%s", ladder.out(), ladder.err()).isZero();
    }
    return RunBelow.record(RunBelow.folder(results, name));
  }

  /** Connections come one after the other, so that the first handshakes of a cold JVM are over before most of them begin. */
  @Test
  void everyServerResumesSessions() throws Exception {
    resumeSessions("floor, go-echo, virtual-threads, netty, {name: netty, label: netty-boringssl, options: {tls-engine: boringssl}}", 5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "go-http, helidon-http, micronaut-http | 3",
        "go-websocket, netty-websocket, helidon-websocket, micronaut-websocket | 4"
      })
  @Tag("long")
  void serversOverHttpAndWebSocketResumeSessions(String servers, int count) throws Exception {
    resumeSessions(servers, count);
  }

  private void resumeSessions(String servers, int count) throws Exception {
    RunRecord run = run("resumed", RESUMED.replace("SERVERS", servers));
    assertThat(run.rungs()).hasSize(count);
    for (RungRecord rung : run.rungs()) {
      LoadResult load = Objects.requireNonNull(rung.load());
      assertThat(load.errors()).as(rung.server()).isEmpty();
      assertThat(load.connections().held()).as(rung.server()).isEqualTo(CONNECTIONS);
      assertThat(load.crowd().tls().handshakes()).as(rung.server()).isEqualTo(CONNECTIONS);
      if (rung.server().startsWith("helidon")) {
        // Helidon 4.5.0 gives tickets and takes none: docs/decisions/tls.md has the cause.
        assertThat(load.crowd().tls().resumed()).as(rung.server()).isZero();
      } else {
        assertThat(load.crowd().tls().resumed()).as(rung.server()).isBetween(1L, CONNECTIONS - 1L);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"go-echo, virtual-threads", "go-websocket, netty-websocket"})
  void everyEchoComesBackOverTls(String plain, String other) throws Exception {
    comesBack(plain, other);
  }

  @ParameterizedTest
  @CsvSource({"helidon-http, micronaut-http", "helidon-websocket, micronaut-websocket"})
  @Tag("long")
  void everyEchoComesBackFromHelidonAndMicronaut(String plain, String other) throws Exception {
    comesBack(plain, other);
  }

  private void comesBack(String plain, String other) throws Exception {
    RunRecord run = run("sealed", STUDY.replace("PLAIN", plain).replace("OTHER", other));
    Path folder = RunBelow.folder(dir.resolve("results"), "sealed");
    assertThat(run.rungs()).hasSize(3);
    for (RungRecord rung : run.rungs()) {
      LoadResult load = Objects.requireNonNull(rung.load());
      assertThat(load.verdictReasons()).as(rung.server()).isEmpty();
      assertThat(load.errors()).as(rung.server()).isEmpty();
      assertThat(load.connections().held()).as(rung.server()).isEqualTo(CONNECTIONS);
      Handshakes full = new Handshakes((long) CONNECTIONS, 0L);
      assertThat(load.crowd().tls()).as(rung.server()).isEqualTo(rung.server().endsWith("-tls") ? full : Handshakes.NONE);
      Map<String, @Nullable Object> config = Objects.requireNonNull(rung.process()).config();
      assertThat(config.get("tls")).as(rung.server()).isEqualTo(rung.server().endsWith("-tls") ? "on" : "off");
    }
    assertThat(Files.readString(folder.resolve("REPORT.md"))).contains("TLS 1.3");
    assertThat(Files.readString(folder.resolve("run.json"))).doesNotContain("PRIVATE KEY", "--tls-key");
  }

  @ParameterizedTest
  @CsvSource({"go-echo, tcp", "go-http, http", "go-websocket, websocket"})
  @Tag("long")
  void aLoadAloneVerifiesAgainstAFile(String name, String protocol) throws Exception {
    ThrowawayCertificate certificate = ThrowawayCertificate.make();
    Path authority = Files.writeString(dir.resolve("authority.pem"), certificate.authority());
    List<String> serve = new ArrayList<>(List.of("serve", name, "--tls", "on", "--port", "0"));
    serve.addAll(certificate.writtenTo(dir));
    try (LadderProcess server = LadderProcess.start(HOME, dir, serve.toArray(String[]::new))) {
      await().atMost(Duration.ofMinutes(1)).until(() -> server.out().contains("\"ready\":true"));
      String port = server.out().replaceAll("(?s).*?\"port\":(\\d+).*", "$1");
      String[] load = {"load", "--target", "127.0.0.1:" + port, "--connections", "20", "--rate", "200", "--duration", "1s", "--tls"};
      List<String> trusting = new ArrayList<>(List.of(load));
      trusting.addAll(List.of("--protocol", protocol, "--cacert", authority.toString()));
      try (LadderProcess ladder = LadderProcess.start(HOME, dir, trusting.toArray(String[]::new))) {
        ladder.status();
        assertThat(ladder.out()).contains("20 of 20");
      }
      trusting.addAll(List.of("--tls-name", "echo.example"));
      try (LadderProcess ladder = LadderProcess.start(HOME, dir, trusting.toArray(String[]::new))) {
        assertThat(ladder.status()).isEqualTo(1);
        assertThat(ladder.out() + ladder.err()).contains("TLS: wrong name: the server's certificate is not for echo.example");
      }
    }
  }

  @Test
  void whatGoesWithTlsAloneSaysSo() throws Exception {
    try (LadderProcess ladder = LadderProcess.start(HOME, dir, "load", "--target", "127.0.0.1:9", "--cacert", "a.pem")) {
      assertThat(ladder.status()).isEqualTo(2);
      assertThat(ladder.err()).contains("--cacert goes with --tls");
    }
    try (LadderProcess ladder = LadderProcess.start(HOME, dir, "load", "--target", "127.0.0.1:9", "--tls", "1.1")) {
      assertThat(ladder.status()).isEqualTo(2);
      assertThat(ladder.err()).contains("--tls: '1.1' is neither 1.3 nor 1.2");
    }
  }
}
