package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import echoladder.client.LoadResult;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.client.Verdict;
import echoladder.harness.host.ClockOffset;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.metric.MemoryMetrics;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungHost;
import echoladder.harness.results.RungRecord;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import echoladder.processes.CommandLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.HistogramLogReader;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A run over several hosts, each of which is this one behind an ssh that runs its command here. */
class HostsIT {
  /** From the loss of a host to the end of the run, which a busy machine may take its time for. */
  private static final Duration LOST_MOST = Duration.ofSeconds(90);

  @TempDir private Path dir;
  private HostsClimb over;

  @BeforeEach
  void hosts() throws IOException {
    over = new HostsClimb(dir);
  }

  @AfterEach
  void nothingIsLeft() {
    over.leavesNothing();
  }

  private Path folder() throws IOException {
    return RunBelow.folder(dir.resolve("results"), "hosts");
  }

  private RunRecord run() throws IOException {
    return RunBelow.record(folder());
  }

  private static LoadResult load(RungRecord rung) {
    return Objects.requireNonNull(rung.load());
  }

  private static List<RungHost> of(RungRecord rung) {
    return Objects.requireNonNull(rung.hosts());
  }

  /** Where other tests keep the processors busy, hosts that share them answer at different times. */
  private static void isWell(RungRecord rung) {
    assertThat(load(rung).verdictReasons()).as(rung.server()).allMatch(doubt -> doubt.reason() == ReasonCode.HOSTS_DIFFER);
  }

  /** Response times of a log. */
  private long recorded(RungRecord rung) throws IOException {
    long count = 0;
    try (HistogramLogReader reader = new HistogramLogReader(folder().resolve(Objects.requireNonNull(rung.histograms())).toFile())) {
      for (EncodableHistogram next = reader.nextIntervalHistogram(); next != null; next = reader.nextIntervalHistogram()) {
        count += "response".equals(next.getTag()) ? ((AbstractHistogram) next).getTotalCount() : 0;
      }
    }
    return count;
  }

  @Test
  void aServerIsStartedForEachRungAndLoadedByAllClients() throws Exception {
    try (LadderProcess ladder = over.climb("2s", over.hosts.inventory("c1", "c2", "c3"))) {
      assertThat(ladder.status()).as(ladder.err()).isLessThan(2);
      assertThat(ladder.err()).contains("start server").doesNotContain("\tat ");
    }
    RunRecord run = run();
    assertThat(run.reproduce()).contains(" --hosts ");
    assertThat(((Map<?, ?>) Objects.requireNonNull(run.environment().get("hosts"))).keySet().stream().map(String::valueOf))
        .containsExactly("s1", "c1", "c2", "c3");
    assertThat(((List<?>) Objects.requireNonNull(run.environment().get("doctor"))).stream().map(said -> String.valueOf(((Map<?, ?>) said).get("host"))))
        .containsExactly("null", "null", "c1", "c2", "c3");
    assertThat(run.environment()).containsEntry("one_kernel", true);
    assertThat(Files.readString(folder().resolve("REPORT.md")))
        .contains("**This run was made on hosts that are one machine", "## Hosts", "| fake | 60 | s1 | – |", "| fake | 60 | c1 | 20 |", "| other | 60 | c3 | 20 |");
    assertThat(run.rungs()).hasSize(4).allSatisfy(HostsIT::isWell);
    // Each has a process of its own.
    assertThat(run.rungs()).extracting(rung -> Objects.requireNonNull(rung.process()).pid()).doesNotHaveDuplicates();
    for (RungRecord rung : run.rungs()) {
      assertThat(load(rung).connections().established()).isEqualTo(60);
      assertThat(load(rung).connections().held()).isEqualTo(60);
      assertThat(load(rung).condition().shards()).isEqualTo(3);
      assertThat(load(rung).cost().serverCpuUsPerEcho()).isPositive();
      assertThat(load(rung).cost().clientCpuUsPerEcho()).isPositive();
      assertThat(MemoryMetrics.RSS_PER_CONNECTION.value(rung)).isNotNull();
      assertThat(HostMetrics.CONNECTIONS_OPEN.value(rung)).isEqualTo(60);
      assertThat(of(rung)).extracting(RungHost::name).containsExactly("s1", "c1", "c2", "c3");
      List<RungHost> clients = of(rung).stream().filter(RungHost::client).toList();
      assertThat(clients).extracting(RungHost::connectionsEstablished).containsExactly(20, 20, 20);
      double achieved = clients.stream().mapToDouble(host -> Objects.requireNonNull(host.achievedPerS())).sum();
      assertThat(achieved).isCloseTo(load(rung).pace().achievedPerS(), withPercentage(5));
      assertThat(of(rung)).allSatisfy(host -> assertThat(host.clockUncertaintyNs()).isBetween(0L, 1_000_000_000L));
      assertThat(recorded(rung)).isEqualTo(load(rung).messages().scheduled());
      assertThat(folder().resolve(Objects.requireNonNull(rung.histograms()).replace(".hlog", ".server.log"))).exists();
      assertThat(Objects.requireNonNull(rung.process()).command()).containsSequence("--backlog", rung.server().equals("other") ? "77" : "4096");
    }
  }

  @Needs({Need.UNSHARE, Need.NAMESPACES, Need.TIME_NAMESPACES})
  @Test
  @Tag("long")
  void aClockThatIsFarAheadChangesNothing() throws Exception {
    try (LadderProcess ladder = over.climb("2s", over.hosts.inventory("c1", "c2=ahead"), "--servers", "fake")) {
      assertThat(ladder.status()).as(ladder.err()).isLessThan(2);
    }
    for (RungRecord rung : run().rungs()) {
      isWell(rung);
      RungHost ahead = of(rung).getLast();
      assertThat(ahead.clockAheadNs()).isBetween(99_999_000_000_000L, 100_001_000_000_000L);
      assertThat(load(rung).connections().established()).isEqualTo(60);
      assertThat(load(rung).times().response().maxNs()).isLessThan(Duration.ofMinutes(1).toNanos());
      assertThat(ahead.connectionsEstablished()).isEqualTo(30);
    }
  }

  @Test
  @Tag("long")
  void aClockThatDriftsMakesItsRungInvalidByItsName() throws Exception {
    try (LadderProcess ladder = over.climb("2s", over.hosts.inventory("c1", "c2=c2=drifting"), "--servers", "fake")) {
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(1);
    }
    RunRecord run = run();
    assertThat(run.status()).isEqualTo(RunRecord.Status.COMPLETE);
    assertThat(run.rungs()).hasSize(2);
    for (RungRecord rung : run.rungs()) {
      assertThat(load(rung).verdict()).isEqualTo(Verdict.INVALID);
      assertThat(load(rung).verdictReasons())
          .anyMatch(doubt -> doubt.reason() == ReasonCode.CLOCKS_APART && doubt.detail().matches("the clock of c2 gained .* during the rung .*"))
          .noneMatch(doubt -> doubt.detail().matches("the clock of (s1|c1) (gained|lost) .*"));
      // Its part of the load was carried: the clock is the only fault.
      assertThat(load(rung).connections().established()).isEqualTo(60);
      assertThat(of(rung).getLast().clockDriftNs()).isGreaterThan(ClockOffset.MOST_NS);
    }
  }

  /** A control process by the name of its host: it alone has been told of it, so its clients' order is that of the inventory. */
  private ProcessHandle control(LadderProcess ladder, String host) {
    return ladder.descendants().stream()
        .filter(process -> CommandLines.of(process).contains("mark=" + over.hosts.mark()) && CommandLines.of(process).endsWith("Ladder host"))
        .filter(process -> host.equals("s1") == process.descendants().anyMatch(child -> CommandLines.of(child).contains("FakeServer")))
        .findFirst()
        .orElseThrow();
  }

  @Test
  @Tag("long")
  void aHostThatIsKilledEndsItsRungByItsName() throws Exception {
    assertThat(lost("KILL", "c")).isPositive();
  }

  @ParameterizedTest
  @CsvSource({"STOP, c", "KILL, s1", "STOP, s1"})
  @Tag("long")
  void aHostThatIsLostEndsItsRungByItsName(String signal, String host) throws Exception {
    assertThat(lost(signal, host)).isLessThan(HostsClimb.LOST_RUNG_MOST);
  }

  /** How long after the loss its rung ended. */
  private Duration lost(String signal, String host) throws Exception {
    Path inventory = over.hosts.inventory("c1", "c2", "c3");
    Duration ended;
    try (LadderProcess ladder = over.climb("60s", inventory, "--servers", "fake")) {
      Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> ladder.err().contains("  steady"));
      ProcessHandle control = control(ladder, host);
      new ProcessBuilder("kill", "-" + signal, Long.toString(control.pid())).inheritIO().start().waitFor();
      long lostNs = System.nanoTime();
      ended = HostsClimb.untilTheRungEnded(ladder, lostNs);
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(1);
      Duration took = Duration.ofNanos(System.nanoTime() - lostNs);
      System.out.printf(
          "HostsIT: SIG%s of a control process of %s: its rung ended %.1f s later, the run %.1f s%n",
          signal, host, ended.toMillis() / 1e3, took.toMillis() / 1e3);
      assertThat(took).isLessThan(LOST_MOST);
      assertThat(ladder.err()).contains("--resume").doesNotContain("\tat ");
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> over.hosts.left().isEmpty());
    }
    RunRecord run = run();
    assertThat(run.status()).isEqualTo(RunRecord.Status.INTERRUPTED);
    Reason reason = load(run.rungs().getFirst()).verdictReasons().getFirst();
    assertThat(reason.reason()).isEqualTo(ReasonCode.HOST_LOST);
    assertThat(reason.detail()).contains("host " + host);
    assertThat(run.rungs().getLast().status()).isEqualTo(RungRecord.Status.NOT_ATTEMPTED);
    return ended;
  }

  @Test
  @Tag("long")
  void aRunThatLostAHostIsGoneOnWith() throws Exception {
    Path inventory = over.hosts.inventory("c1", "c2");
    try (LadderProcess ladder = over.climb("5s", inventory, "--servers", "fake")) {
      Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> ladder.err().contains("  steady"));
      control(ladder, "c").destroyForcibly();
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(1);
    }
    String folder = folder().toString();
    try (LadderProcess without = LadderProcess.start(over.home, dir, over.hosts.environment(), "run", "--resume", folder)) {
      assertThat(without.status()).isEqualTo(2);
      assertThat(without.err()).contains("the run began on the hosts [s1, c1, c2]: name their inventory with --hosts");
    }
    try (LadderProcess again = LadderProcess.start(over.home, dir, over.hosts.environment(), "run", "--resume", folder, "--hosts", inventory.toString())) {
      assertThat(again.status()).as(again.err()).isLessThan(2);
    }
    assertThat(run().rungs()).hasSize(2).allSatisfy(HostsIT::isWell);
  }

  /** Two loads that one host had alone before: connections that come and go; and a wait that no host ends, for none is noisy. */
  @Test
  @Tag("long")
  void connectionsThatComeAndGoAreCarriedAndQuietHostsAreWaitedFor() throws Exception {
    try (LadderProcess ladder =
        over.climb("3s", over.hosts.inventory("c1", "c2"), "--servers", "fake", "--set", "repeats=1", "--set", "load.churn=20/s", "--wait-quiet", "1s")) {
      assertThat(ladder.status()).as(ladder.err()).isLessThan(2);
    }
    RunRecord run = run();
    assertThat(run.reproduce()).contains(" --wait-quiet 1s");
    RungRecord rung = run.rungs().getFirst();
    isWell(rung);
    assertThat(load(rung).connections().held()).isEqualTo(60);
    assertThat(load(rung).crowd().churned()).isPositive();
    assertThat(Objects.requireNonNull(rung.attempt()).waited()).isNotNull();
  }
}
