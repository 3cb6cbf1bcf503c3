package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.PushPaths;
import echoladder.client.figures.Deliveries;
import echoladder.harness.metric.PushMetrics;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.needs.BusyHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server of somebody else that pushes text over WebSocket, at paths of its own. */
class AttachedPushIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final String STUDY =
      """
      name: theirs
      question: Does a server push that somebody else started?
      servers: [go-websocket]
      rungs: [20]
      repeats: 1
      load: {rate: {total: 6000/s}, publish: all}
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 2m, warm_up_echoes: 10, steady: 2s, drain: 5s}
      bounds: {response_time_p99: 1h}
      """
          + BusyHost.THRESHOLDS;

  @TempDir private Path dir;

  private TextPushServer server;

  @BeforeEach
  void start() throws IOException {
    server = TextPushServer.start();
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private LadderProcess climb(String... options) throws IOException {
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY);
    List<String> all =
        new ArrayList<>(
            List.of(
                "run", study.toString(), "--results", dir.resolve("results").toString(), "--attach", server.address(), "--server-metrics",
                server.page()));
    all.addAll(List.of(options));
    return LadderProcess.start(HOME, dir, all.toArray(String[]::new));
  }

  @Test
  void everyMessageReachesEverySubscriber() throws Exception {
    try (LadderProcess ladder = climb("--subscribe-path", "/events", "--publish-path", "ws:/send")) {
      assertThat(ladder.status()).as("%s%n%s", ladder.out(), ladder.err()).isZero();
    }
    RunRecord run = RunBelow.record(RunBelow.folder(dir.resolve("results"), "theirs"));
    assertThat(Objects.requireNonNull(run.attached()).push()).isEqualTo(new PushPaths("/events", "ws:/send"));
    assertThat(run.reproduce()).contains(" --attach " + server.address(), " --subscribe-path /events --publish-path ws:/send");
    RungRecord rung = run.rungs().getFirst();
    Deliveries deliveries = Objects.requireNonNull(rung.load()).crowd().deliveries();
    assertThat(deliveries.publishes()).isGreaterThanOrEqualTo(599L);
    assertThat(deliveries.reach()).isEqualTo(1);
    assertThat(PushMetrics.SERVER_CPU.value(rung)).isPositive();
  }

  @Test
  void aPathThatTheServerDoesNotHaveIsNamed() throws Exception {
    try (LadderProcess ladder = climb("--subscribe-path", "/nowhere", "--publish-path", "ws:/send")) {
      assertThat(ladder.status()).isPositive();
      assertThat(ladder.out() + ladder.err())
          .contains(
              "its answer to the upgrade at /nowhere begins with 'HTTP/1.1 404 Not Found'",
              "it is subscribed to by an upgrade at /nowhere and published to by a text message behind an upgrade at /send")
          .doesNotContain("\tat ");
    }
  }

  @Test
  void whatCannotBeToldByPathsIsRefused() throws Exception {
    try (LadderProcess ladder = climb("--subscribe-path", "/events", "--publish-path", "ws:/send", "--servers", "go-echo")) {
      assertThat(ladder.status()).isEqualTo(2);
      assertThat(ladder.err()).contains("'go-echo' of the study speaks TCP, and text is pushed over HTTP or WebSocket");
    }
    try (LadderProcess ladder = climb("--subscribe-path", "/events", "--publish-path", "ws:/send", "--set", "load.active_share=0.5")) {
      assertThat(ladder.status()).isEqualTo(2);
      assertThat(ladder.err()).contains("--subscribe-path /events and --publish-path ws:/send do not both name {topic}");
    }
    assertThat(dir.resolve("results/theirs")).doesNotExist();
  }
}
