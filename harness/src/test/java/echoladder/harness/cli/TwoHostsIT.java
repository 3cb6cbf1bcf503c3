package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadResult;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.metric.MemoryMetrics;
import echoladder.harness.metric.RuntimeMetrics;
import echoladder.harness.results.AttachedRecord;
import echoladder.harness.results.ClimbRecord;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.needs.BusyHost;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Server and client in network namespaces of their own: what {@code run --attach} does across a network, on one host.
 */
@Needs({Need.IP, Need.NAMESPACES, Need.VETH})
@Tag("long")
class TwoHostsIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final String TARGET = TwoHosts.SERVER_ADDRESS + ":9000";
  private static final String PAGE = "http://" + TwoHosts.SERVER_ADDRESS + ":9100/metrics";

  /** Whatever a busy host does to times spoils nothing; what is lost does. */
  private static final String STUDY =
      """
      name: afar
      question: What does a climb across a network show?
      servers: [floor, virtual-threads]
      rungs: [20, 40]
      repeats: 1
      load: {rate: {total: 400/s}}
      phases: {connect_rate: 1000/s, connect_timeout: 20s, warm_up_min: 0s, warm_up_max: 2m, steady: STEADY, drain: 5s}
      bounds: {response_time_p99: 1h}
      """
          + BusyHost.thresholds(0.5);

  @TempDir private Path dir;

  private LadderProcess serve(TwoHosts hosts) {
    LadderProcess server =
        LadderProcess.startIn(
            hosts.server, HOME, dir, "serve", "virtual-threads", "--host", TwoHosts.SERVER_ADDRESS, "--port", "9000",
            "--metrics-port", "9100");
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> server.out().contains("\"ready\":true"));
    return server;
  }

  private LadderProcess climb(TwoHosts hosts, String steady, String... more) throws IOException {
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY.replace("STEADY", steady));
    List<String> arguments =
        new ArrayList<>(
            List.of("run", study.toString(), "--results", dir.resolve("results").toString(), "--servers",
                "virtual-threads", "--attach", TARGET, "--server-metrics", PAGE));
    arguments.addAll(List.of(more));
    return LadderProcess.startIn(hosts.client, HOME, dir, arguments.toArray(String[]::new));
  }

  private Path folder() throws IOException {
    return RunBelow.folder(dir.resolve("results"), "afar");
  }

  private RunRecord run() throws IOException {
    return RunBelow.record(folder());
  }

  private static LoadResult load(RunRecord run, int at) {
    return Objects.requireNonNull(run.rungs().get(at).load());
  }

  @Test
  void climbsAServerOnAnotherHostAndLeavesItAlone() throws Exception {
    try (TwoHosts hosts = TwoHosts.joined();
        LadderProcess server = serve(hosts)) {
      String sources = TwoHosts.CLIENT_ADDRESS + "," + TwoHosts.OTHER_CLIENT_ADDRESS;
      try (LadderProcess ladder = climb(hosts, "2s", "--source-address", sources)) {
        assertThat(ladder.status()).as(ladder.err()).isZero();
        assertThat(ladder.out()).contains("attached to " + TARGET, "valid").doesNotContain("INVALID");
        assertThat(ladder.err()).contains("look at server").doesNotContain("start server", "stop server", "\tat ");
      }
      assertThat(server.alive()).isTrue();
    }
    RunRecord run = run();
    assertThat(run.attached()).isEqualTo(new AttachedRecord(TARGET, PAGE, false, List.of(), null));
    assertThat(run.servers()).singleElement().satisfies(s -> assertThat(s.options()).isNull());
    assertThat(run.reproduce()).endsWith(
        " --servers virtual-threads --attach " + TARGET + " --server-metrics " + PAGE + " --source-address "
            + TwoHosts.CLIENT_ADDRESS + "," + TwoHosts.OTHER_CLIENT_ADDRESS);
    assertThat(run.climbs()).extracting(ClimbRecord::end).containsExactly(ClimbRecord.End.TOP_OF_STUDY);
    assertThat(run.rungs()).hasSize(2).allMatch(RungRecord::valid).allMatch(r -> r.process() == null);
    assertThat(load(run, 0).cost().serverCpuUsPerEcho()).isPositive();
    assertThat(load(run, 0).cost().serverRssBytes()).isGreaterThan(10 << 20);
    assertThat(load(run, 0).condition().sourceAddresses()).hasSize(2);
    assertThat(MemoryMetrics.LIVE_HEAP.value(run.rungs().getFirst())).isPositive();
    assertThat(RuntimeMetrics.GC_COUNT.value(run.rungs().getFirst())).isNotNull();
    assertThat(HostMetrics.CONNECTIONS_OPEN.value(run.rungs().getFirst())).isEqualTo(20);
    assertThat(RuntimeMetrics.THREADS.value(run.rungs().getFirst())).isNull();
    assertThat(RuntimeMetrics.VOLUNTARY_SWITCHES_PER_S.value(run.rungs().getFirst())).isNull();
    assertThat(HostMetrics.IDLE_SHARE.value(run.rungs().getFirst())).isNotNull();
    assertThat(MemoryMetrics.RSS_PER_CONNECTION.value(run.rungs().getFirst())).isNotNull();
    // The same process had held the 20 of the first rung.
    assertThat(MemoryMetrics.RSS_PER_CONNECTION.value(run.rungs().get(1))).isNull();
    assertThat(folder().resolve("REPORT.md"))
        .content()
        .contains("**Attached:** this run climbed a server that somebody else had started, at `" + TARGET + "`")
        .contains("Not available: its command and options, its threads and context switches, the limits")
        .contains("different hosts: all host figures")
        .doesNotContain("loopback: no network card", "What each server ran with");
    assertThat(Files.readString(folder().resolve("environment.json"))).contains("\"role\" : \"client\"");
  }

  @Needs({Need.IP, Need.TC, Need.NAMESPACES, Need.VETH, Need.SLOW_LINK})
  @Test
  void aLinkThatDelaysAndLosesIsSeenInTheTimes() throws Exception {
    try (TwoHosts hosts = TwoHosts.slow();
        LadderProcess _ = serve(hosts);
        LadderProcess ladder = climb(hosts, "5s")) {
      assertThat(ladder.status()).as(hosts.means + "\n" + ladder.err()).isZero();
      assertThat(hosts.retransmitted()).as(hosts.means).isPositive();
      System.out.printf(
          "TwoHostsIT: 5 ms of delay and 0.5 %% of loss by %s; %d segments sent again%n", hosts.means, hosts.retransmitted());
      System.out.println(ladder.out());
    }
    RunRecord run = run();
    for (int at = 0; at < 2; at++) {
      LoadResult load = load(run, at);
      long roundTripNs = Duration.ofMillis(10).toNanos();
      assertThat(load.times().response().p50Ns()).isGreaterThanOrEqualTo(roundTripNs);
      assertThat(load.times().service().p50Ns()).isGreaterThanOrEqualTo(roundTripNs);
      assertThat(load.times().connect().maxNs()).isGreaterThanOrEqualTo(roundTripNs);
    }
    // Of 2,000 messages and their echoes about 20 are lost. With one in flight nothing tells of that but a timer of
    // 200 ms at least (TCP_RTO_MIN).
    assertThat(load(run, 0).times().response().maxNs()).isGreaterThan(Duration.ofMillis(200).toNanos());
    assertThat(load(run, 1).times().response().maxNs()).isGreaterThan(Duration.ofMillis(200).toNanos());
  }

  @Test
  void aLinkThatIsCutSpoilsTheRungAndLosesNothing() throws Exception {
    try (TwoHosts hosts = TwoHosts.joined();
        LadderProcess server = serve(hosts);
        LadderProcess ladder = climb(hosts, "6s")) {
      Awaitility.await().atMost(Duration.ofSeconds(90)).until(() -> ladder.err().contains("  steady"));
      Path samples = folder().resolve("samples.csv");
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> Files.readAllLines(samples).stream().filter(l -> l.contains(",steady,")).count() >= 2);
      hosts.cut();
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(1);
      assertThat(ladder.err()).doesNotContain("\tat ");
      assertThat(server.alive()).isTrue();
    }
    RunRecord run = run();
    assertThat(run.status()).isEqualTo(RunRecord.Status.COMPLETE);
    RungRecord cut = run.rungs().getFirst();
    assertThat(load(run, 0).verdictReasons())
        .extracting(Reason::reason)
        .contains(ReasonCode.METRICS_UNREACHABLE, ReasonCode.UNANSWERED)
        .doesNotContain(ReasonCode.SERVER_DIED, ReasonCode.CLIENT_DIED, ReasonCode.SERVER_MISMATCH);
    assertThat(load(run, 0).connections().established()).isEqualTo(20);
    assertThat(load(run, 0).messages().answered()).isPositive();
    assertThat(load(run, 0).cost().serverCpuUsPerEcho()).isNull();
    assertThat(Files.readAllLines(folder().resolve(Objects.requireNonNull(cut.histograms()))))
        .anyMatch(line -> line.startsWith("Tag=response"));
    assertThat(run.rungs().get(1).status()).isEqualTo(RungRecord.Status.NOT_ATTEMPTED);
    assertThat(run.climbs().getFirst().end()).isEqualTo(ClimbRecord.End.NOT_HELD);
    assertThat(folder().resolve("REPORT.md")).content().contains("metrics-unreachable", "unanswered");
  }
}
