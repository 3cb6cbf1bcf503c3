package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import echoladder.client.LoadResult;
import echoladder.client.figures.Deliveries;
import echoladder.harness.metric.PushMetrics;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.needs.BusyHost;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages that real servers push, from a study to its report. */
class PushIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final int CONNECTIONS = 60;

  private static final String STUDY =
      """
      name: pushes
      question: Does every message reach all who have subscribed, on each server?
      servers:
        - go-echo
        - {name: virtual-threads, label: topics, load: {rate: {per_connection: 10/s}, publish: topics-of-7, message: 3000B}}
        - {name: go-echo, label: share, load: {rate: {per_connection: 30/s}, active_share: 0.5, schedule: jittered}}
      rungs: [60]
      repeats: 1
      load: {rate: {per_connection: 30/s}, publish: all}
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 2m, warm_up_echoes: 10, steady: 2s, drain: 30s}
      bounds: {response_time_p99: 1h}
      """
          + BusyHost.THRESHOLDS;

  /** Event streams and WebSocket; at event streams nothing is asked at the end, so its roll call is null. */
  private static final String OVER_HTTP =
      """
      servers:
        - {name: netty-events, label: topics, load: {rate: {per_connection: 10/s}, publish: topics-of-7, message: 3000B}}
        - {name: go-http, label: share, load: {rate: {per_connection: 30/s}, active_share: 0.5, schedule: jittered}}
        - netty-websocket
      """;

  @TempDir private Path dir;

  @Test
  void everyMessageReachesEverySubscriberAndIsMeasured() throws Exception {
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY);
    Path results = dir.resolve("results");
    try (LadderProcess ladder = LadderProcess.start(HOME, dir, "run", study.toString(), "--results", results.toString())) {
      assertThat(ladder.status()).as("%s%n%s", ladder.out(), ladder.err()).isZero();
      assertThat(ladder.out()).contains("first p50", "last p50", "delivery p99");
    }
    Path folder = RunBelow.folder(results, "pushes");
    RunRecord run = RunBelow.record(folder);
    assertThat(run.rungs()).hasSize(3);
    for (RungRecord rung : run.rungs()) {
      LoadResult load = Objects.requireNonNull(rung.load());
      assertThat(load.verdictReasons()).as(rung.server()).isEmpty();
      assertThat(load.connections().held()).as(rung.server()).isEqualTo(CONNECTIONS);
      Deliveries deliveries = load.crowd().deliveries();
      assertThat(deliveries.publishes()).as(rung.server()).isGreaterThanOrEqualTo(59L);
      assertThat(PushMetrics.REACH.value(rung)).as(rung.server()).isEqualTo(1);
      assertThat(deliveries.last().p50Ns()).as(rung.server()).isGreaterThanOrEqualTo(Objects.requireNonNull(deliveries.first().p50Ns()));
      assertThat(PushMetrics.SERVER_CPU.value(rung)).as(rung.server()).isPositive();
      assertThat(PushMetrics.PER_S.value(rung)).as(rung.server()).isPositive();
    }
    assertThat(Files.readString(folder.resolve("results.csv")))
        .contains("last_delivery_p50_ns", "delivery_time_p99_ns", "reach_share", "server_cpu_us_per_delivery", "deliveries_missing");
    assertThat(Files.readString(folder.resolve("REPORT.md")))
        .contains("each message pushed to all connections", "each message pushed to 7 of all connections", "each message pushed to 50.0 % of the connections");
  }

  @Test
  @Tag("long")
  void everyMessageReachesEverySubscriberOverHttp() throws Exception {
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY.replaceFirst("(?s)servers:.*?rungs", OVER_HTTP + "rungs"));
    Path results = dir.resolve("results");
    try (LadderProcess ladder = LadderProcess.start(HOME, dir, "run", study.toString(), "--results", results.toString())) {
      assertThat(ladder.status()).as("%s%n%s", ladder.out(), ladder.err()).isZero();
    }
    RunRecord run = RunBelow.record(RunBelow.folder(results, "pushes"));
    assertThat(run.rungs()).hasSize(3);
    for (RungRecord rung : run.rungs()) {
      LoadResult load = Objects.requireNonNull(rung.load());
      assertThat(load.verdictReasons()).as(rung.server()).isEmpty();
      assertThat(load.connections().established()).as(rung.server()).isEqualTo(CONNECTIONS);
      assertThat(load.connections().held()).as(rung.server()).isEqualTo(rung.server().equals("netty-websocket") ? (Integer) CONNECTIONS : null);
      assertThat(load.crowd().deliveries().publishes()).as(rung.server()).isGreaterThanOrEqualTo(59L);
      assertThat(PushMetrics.REACH.value(rung)).as(rung.server()).isEqualTo(1);
      assertThat(PushMetrics.SERVER_CPU.value(rung)).as(rung.server()).isPositive();
    }
  }

  /** The rates of a search are in deliveries: each try publishes more often to the same subscribers. */
  @Test
  @Tag("long")
  void theHighestRateOfDeliveriesIsSearched() throws Exception {
    String searched =
        STUDY
            .replaceFirst("(?s)servers:.*?rungs", "servers: [floor]\nrungs")
            .replace("rate: {per_connection: 30/s}", "rate: {total: 1800/s}")
            .concat("capacity: {most: 7200/s, resolution: 0.5, tries: 8}\n");
    Path study = Files.writeString(dir.resolve("study.yaml"), searched);
    Path results = dir.resolve("results");
    try (LadderProcess ladder = LadderProcess.start(HOME, dir, "run", study.toString(), "--results", results.toString())) {
      assertThat(ladder.status()).as("%s%n%s", ladder.out(), ladder.err()).isZero();
      assertThat(ladder.out()).contains("deliveries/s");
    }
    RunRecord run = RunBelow.record(RunBelow.folder(results, "pushes"));
    assertThat(run.capacity()).hasSize(1).allSatisfy(row -> assertThat(row.capacityHeldPerS()).isEqualTo(7_200));
    assertThat(run.rungs()).allSatisfy(rung -> {
      Deliveries deliveries = Objects.requireNonNull(rung.load()).crowd().deliveries();
      assertThat(deliveries.deliveriesDue()).isEqualTo(Objects.requireNonNull(deliveries.publishes()) * CONNECTIONS);
    });
  }

  /** A server that somebody else told to push shows by the check of one message that it does. */
  @Test
  @Tag("long")
  void aServerThatRunsAlreadyIsPushedAt() throws Exception {
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY.replaceFirst("(?s)servers:.*?rungs", "servers: [go-http]\nrungs"));
    for (String traffic : new String[] {"push", "echo"}) {
      try (LadderProcess server = LadderProcess.start(HOME, dir, "serve", "go-http", "--traffic", traffic, "--port", "0")) {
        await().atMost(Duration.ofMinutes(1)).until(() -> server.out().contains("\"ready\":true"));
        Path results = dir.resolve(traffic);
        try (LadderProcess ladder =
            LadderProcess.start(
                HOME, dir, "run", study.toString(), "--results", results.toString(), "--attach", "127.0.0.1:" + port(server, "port"),
                "--server-metrics", "http://127.0.0.1:" + port(server, "metrics_port") + "/metrics")) {
          boolean pushes = traffic.equals("push");
          assertThat(ladder.status() == 0).as("%s%n%s", ladder.out(), ladder.err()).isEqualTo(pushes);
          if (pushes) {
            RungRecord rung = RunBelow.record(RunBelow.folder(results, "pushes")).rungs().getFirst();
            assertThat(PushMetrics.REACH.value(rung)).isEqualTo(1);
          } else {
            assertThat(ladder.out() + ladder.err()).contains("GET /subscribe?topic=2147483647 is answered by status 404");
          }
        }
      }
    }
  }

  private static String port(LadderProcess server, String name) {
    return server.out().replaceAll("(?s).*?\"" + name + "\":(\\d+).*", "$1");
  }

  @Test
  void aLoadAloneTellsWhatWasPushed() throws Exception {
    try (LadderProcess server = LadderProcess.start(HOME, dir, "serve", "virtual-threads", "--traffic", "push", "--port", "0")) {
      await().atMost(Duration.ofMinutes(1)).until(() -> server.out().contains("\"ready\":true"));
      String port = server.out().replaceAll("(?s).*?\"port\":(\\d+).*", "$1");
      try (LadderProcess load =
          LadderProcess.start(
              HOME, dir, "load", "--target", "127.0.0.1:" + port, "--connections", "20", "--publish", "all", "--rate", "2000", "--duration",
              "1s")) {
        load.status();
        assertThat(load.out()).contains("pushed", "100 messages published, 2,000 deliveries of 2,000");
      }
    }
  }
}
