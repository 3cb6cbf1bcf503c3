package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.PushPaths;
import echoladder.client.figures.Deliveries;
import echoladder.harness.metric.PushMetrics;
import echoladder.harness.results.OwnRecord;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.needs.BusyHost;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers of the page for servers of one's own that push, as they stand there: over HTTP in Go, over WebSocket in Node. */
class OwnPushIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final Path PAGE = HOME.resolve("runbooks/procedures/own-push-server.md");
  private static final String STUDY =
      """
      name: mine
      question: Does a server that the project has never met push?
      servers: [go-echo]
      rungs: [20]
      repeats: 1
      load: {rate: {total: 6000/s}}
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 2m, warm_up_echoes: 10, steady: 4s, drain: 5s}
      bounds: {response_time_p99: 1h, server_start: 20s}
      """
          + BusyHost.THRESHOLDS;

  @TempDir private Path dir;

  /** A file that the page has its reader write. */
  private static String listing(String name) throws IOException {
    List<String> lines = Files.readAllLines(PAGE);
    int begin = lines.indexOf("$ cat >" + name + " <<'EOF'") + 1;
    assertThat(begin).as("the listing of %s", name).isPositive();
    return lines.subList(begin, lines.size()).stream()
        .takeWhile(line -> !line.equals("> EOF"))
        .map(line -> line.length() < 2 ? "" : line.substring(2))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private Path built() throws IOException, InterruptedException {
    Files.writeString(dir.resolve("push.go"), listing("push.go"));
    Process build =
        new ProcessBuilder("go", "build", "-o", "push", "push.go").directory(dir.toFile()).redirectErrorStream(true).start();
    String said = new String(build.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(build.waitFor(5, TimeUnit.MINUTES)).isTrue();
    assertThat(build.exitValue()).as(said).isZero();
    return dir.resolve("push");
  }

  private LadderProcess start(int port, Path results, String... options) throws IOException {
    return start("http", port, results, options);
  }

  private LadderProcess start(String protocol, int port, Path results, String... options) throws IOException {
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY);
    List<String> all =
        new ArrayList<>(
            List.of(
                "run", study.toString(), "--results", results.toString(), "--port", "" + port, "--protocol", protocol, "--set",
                "load.publish=all"));
    all.addAll(List.of(options));
    return LadderProcess.start(HOME, dir, all.toArray(String[]::new));
  }

  @Test
  void pushesToEverySubscriber() throws Exception {
    int port = OwnClimb.freePort();
    Path results = dir.resolve("results");
    String command = built() + " " + port;
    try (LadderProcess ladder =
        start(port, results, "--own", command, "--subscribe-path", "/events", "--publish-path", "/send")) {
      assertThat(ladder.status()).as("%s%n%s", ladder.out(), ladder.err()).isZero();
    }
    RunRecord run = pushed(results);
    assertThat(Objects.requireNonNull(Objects.requireNonNull(run.servers().getFirst().own()).http()).push())
        .isEqualTo(new PushPaths("/events", "/send"));
    assertThat(run.reproduce()).contains(" --subscribe-path /events", " --publish-path /send");
  }

  /** A run of one rung in which every subscriber had every message. */
  private static RunRecord pushed(Path results) throws IOException {
    RunRecord run = RunBelow.record(RunBelow.folder(results, "mine"));
    RungRecord rung = run.rungs().getFirst();
    assertThat(run.rungs()).as("no floor pushes text").hasSize(1);
    Deliveries deliveries = Objects.requireNonNull(rung.load()).crowd().deliveries();
    assertThat(deliveries.publishes()).isGreaterThanOrEqualTo(1_199L);
    assertThat(deliveries.reach()).isEqualTo(1);
    assertThat(deliveries.audiencesDiffer()).isZero();
    assertThat(PushMetrics.SERVER_CPU.value(rung)).isPositive();
    return run;
  }

  @Test
  @Needs(Need.NODE)
  void pushesMessagesOverWebSocketToEverySubscriber() throws Exception {
    int port = OwnClimb.freePort();
    Path results = dir.resolve("results");
    String command = "node " + Files.writeString(dir.resolve("push-ws.js"), listing("push-ws.js")) + " " + port;
    try (LadderProcess ladder =
        start("websocket", port, results, "--own", command, "--subscribe-path", "/events", "--publish-path", "/send")) {
      assertThat(ladder.status()).as("%s%n%s", ladder.out(), ladder.err()).isZero();
    }
    RunRecord run = pushed(results);
    OwnRecord own = Objects.requireNonNull(run.servers().getFirst().own());
    assertThat(own.websocketPush()).isEqualTo(new PushPaths("/events", "/send"));
    assertThat(own.websocketPath()).isNull();
    assertThat(run.reproduce()).contains(" --protocol websocket --subscribe-path /events --publish-path /send");
  }

  @Test
  void whatDoesNotPushOverWebSocketIsRefused() throws Exception {
    int port = OwnClimb.freePort();
    Path results = dir.resolve("results");
    String command = built() + " " + port;
    try (LadderProcess ladder = start("websocket", port, results, "--own", command, "--subscribe-path", "/events")) {
      assertThat(ladder.status()).isEqualTo(3);
      assertThat(ladder.err())
          .contains(
              "its answer to the upgrade at /events begins with 'HTTP/1.1 200 OK'",
              "it is subscribed to by an upgrade at /events and published to by POST /publish?topic={topic}",
              "runbooks/procedures/own-push-server.md");
    }
    try (LadderProcess ladder = start("websocket", port, results, "--own", command)) {
      assertThat(ladder.status()).isEqualTo(2);
      assertThat(ladder.err()).contains("--protocol websocket with --subscribe-path and --publish-path");
    }
    try (LadderProcess ladder =
        start(
            "websocket", port, results, "--own", command, "--subscribe-path", "/events?{topic}", "--publish-path", "ws:/send?{topic}", "--set",
            "load.publish=topics-of-5")) {
      assertThat(ladder.status()).isEqualTo(2);
      assertThat(ladder.err()).contains("messages go out on one connection, which is upgraded for one topic");
    }
    try (LadderProcess ladder =
        start(port, results, "--own", command, "--subscribe-path", "/events", "--publish-path", "ws:/send")) {
      assertThat(ladder.status()).isEqualTo(2);
      assertThat(ladder.err()).contains("--publish-path ws:/send: messages go out over WebSocket (ws:) where the server speaks WebSocket");
    }
    assertThat(results.resolve("mine")).doesNotExist();
  }

  @Test
  void whatDoesNotPushOrCannotBeToldTopicsIsRefused() throws Exception {
    int port = OwnClimb.freePort();
    Path results = dir.resolve("results");
    String command = built() + " " + port;
    try (LadderProcess ladder = start(port, results, "--own", command)) {
      assertThat(ladder.status()).isEqualTo(3);
      assertThat(ladder.err())
          .contains(
              "GET /subscribe?topic=2147483647 is answered by status 404", "it is subscribed to by GET /subscribe?topic={topic}",
              "runbooks/procedures/own-push-server.md");
    }
    try (LadderProcess ladder =
        start(
            port, results, "--own", command, "--subscribe-path", "/events", "--publish-path", "/send", "--set", "load.active_share=0.5")) {
      assertThat(ladder.status()).isEqualTo(2);
      assertThat(ladder.err()).contains("do not both name {topic}");
    }
    assertThat(results.resolve("mine")).doesNotExist();
  }
}
