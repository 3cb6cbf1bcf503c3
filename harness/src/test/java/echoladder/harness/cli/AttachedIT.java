package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadResult;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.harness.metric.MemoryMetrics;
import echoladder.harness.metric.RuntimeMetrics;
import echoladder.harness.results.RungRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that somebody else started, and what he does to it while it is climbed. */
@Tag("long")
class AttachedIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  private static final String STUDY =
      """
      name: attached
      question: What if the server is not ours alone?
      servers: [go-echo]
      rungs: [20]
      repeats: 1
      load: {rate: {total: 400/s}}
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 1s, steady: STEADY, drain: 1s}
      """;

  @TempDir private Path dir;

  private final int port = OwnClimb.freePort();
  private final int metricsPort = OwnClimb.freePort();

  private LadderProcess serve() {
    LadderProcess server =
        LadderProcess.start(HOME, dir, "serve", "go-echo", "--port", "" + port, "--metrics-port", "" + metricsPort);
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> server.out().contains("\"ready\":true"));
    return server;
  }

  private LadderProcess climb(String steady) throws IOException {
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY.replace("STEADY", steady));
    return LadderProcess.start(
        HOME, dir, "run", study.toString(), "--results", dir.resolve("results").toString(), "--attach",
        "127.0.0.1:" + port, "--server-metrics", "http://127.0.0.1:" + metricsPort + "/metrics");
  }

  private RungRecord rung() throws IOException {
    return RunBelow.record(dir.resolve("results"), "attached").rungs().getFirst();
  }

  private static LoadResult load(RungRecord rung) {
    return Objects.requireNonNull(rung.load());
  }

  private static Stream<String> mismatches(RungRecord rung) {
    return load(rung).verdictReasons().stream()
        .filter(doubt -> doubt.reason() == ReasonCode.SERVER_MISMATCH)
        .map(Reason::detail);
  }

  @Test
  void aServerStartedAnewInMidRungIsSeenAndItsFiguresAreNotMixed() throws Exception {
    try (LadderProcess ladder = begun(serve())) {
      try (LadderProcess _ = serve()) {
        assertThat(ladder.status()).isEqualTo(1);
      }
      RungRecord rung = rung();
      assertThat(mismatches(rung)).singleElement().asString().contains("another process answered", "process_start_time");
      assertThat(load(rung).verdictReasons()).extracting(Reason::reason).contains(ReasonCode.CONNECTIONS_LOST);
      assertThat(load(rung).cost().serverCpuUsPerEcho()).isNull();
      assertThat(load(rung).cost().serverRssBytes()).isNull();
      assertThat(MemoryMetrics.RSS_PER_CONNECTION.value(rung)).isNull();
      assertThat(MemoryMetrics.LIVE_HEAP.value(rung)).isNull();
      assertThat(RuntimeMetrics.GC_COUNT.value(rung)).isNull();
      assertThat(ladder.out()).containsPattern("INVALID: .*server-mismatch").doesNotContain(" -0", "\tat ");
    }
  }

  /** A climb in its steady state, whose server has ended. */
  private LadderProcess begun(LadderProcess first) throws IOException {
    try (first) {
      LadderProcess ladder = climb("20s");
      Awaitility.await().atMost(Duration.ofMinutes(5)).until(() -> ladder.err().contains("  steady"));
      return ladder;
    }
  }

  @Test
  void connectionsOfOthersAreSeen() throws Exception {
    try (LadderProcess _ = serve();
        LadderProcess others =
            LadderProcess.start(
                HOME, dir, "load", "--target", "127.0.0.1:" + port, "--connections", "40", "--rate", "100", "--duration",
                "120s")) {
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> others.err().contains("warm-up"));
      try (LadderProcess ladder = climb("2s")) {
        assertThat(ladder.status()).isEqualTo(1);
      }
      assertThat(others.alive()).isTrue();
      assertThat(mismatches(rung())).singleElement().asString().contains("counts 60 open connections, 40 more than");
    }
  }
}
