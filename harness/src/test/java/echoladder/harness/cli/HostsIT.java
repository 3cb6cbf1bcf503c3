package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import echoladder.client.Doubt;
import echoladder.client.Invalidity;
import echoladder.client.LoadResult;
import echoladder.client.Verdict;
import echoladder.harness.RunSchema;
import echoladder.harness.TestCheckout;
import echoladder.harness.host.ClockOffset;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.metric.MemoryMetrics;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungHost;
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
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
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
  /** Whatever a busy host does to times spoils nothing; what is lost does. */
  private static final String STUDY =
      """
      name: hosts
      question: What does a climb over several hosts show?
      servers: [fake, {name: other, settings: {server: {backlog: 77}}}]
      rungs: [60]
      repeats: 2
      load: {rate: {total: 300/s}}
      phases: {connect_rate: 1000/s, connect_timeout: 20s, warm_up_min: 0s, warm_up_max: 30s, steady: STEADY, drain: 5s}
      bounds: {response_time_p99: 1h}
      """
          + BusyHost.thresholds(0.5);

  /** From the loss of a host to the end of its rung the bound is 30 s; a busy machine may take longer to end the rest. */
  private static final Duration LOST_MOST = Duration.ofSeconds(90);

  @TempDir private Path dir;
  private Path home;
  private FakeHosts hosts;

  @BeforeEach
  void hosts() throws IOException {
    home = Files.createDirectories(dir.resolve("home"));
    new TestCheckout(home).server("other", "contender").server("http", "contender", "http");
    hosts = new FakeHosts(Files.createDirectories(dir.resolve("hosts")), home);
  }

  @AfterEach
  void nothingIsLeft() {
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> hosts.left().isEmpty());
  }

  private LadderProcess climb(String steady, Path inventory, String... more) throws IOException {
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY.replace("STEADY", steady));
    List<String> arguments =
        new ArrayList<>(List.of("run", study.toString(), "--results", dir.resolve("results").toString(), "--hosts", inventory.toString()));
    arguments.addAll(List.of(more));
    return LadderProcess.start(home, dir, hosts.environment(), arguments.toArray(String[]::new));
  }

  private Path folder() throws IOException {
    try (Stream<Path> folders = Files.list(dir.resolve("results/hosts"))) {
      return folders.findFirst().orElseThrow();
    }
  }

  private RunRecord run() throws IOException {
    String json = Files.readString(folder().resolve("run.json"));
    assertThat(RunSchema.complaints(json)).isEmpty();
    return RunFolder.parse(json);
  }

  private static LoadResult load(RungRecord rung) {
    return Objects.requireNonNull(rung.load());
  }

  private static List<RungHost> of(RungRecord rung) {
    return Objects.requireNonNull(rung.hosts());
  }

  /** Where other tests keep the processors busy, hosts that share them answer at different times. */
  private static void isWell(RungRecord rung) {
    assertThat(load(rung).verdictReasons()).as(rung.server()).allMatch(doubt -> doubt.reason() == Invalidity.HOSTS_DIFFER);
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
    try (LadderProcess ladder = climb("2s", hosts.inventory("c1", "c2", "c3"))) {
      assertThat(ladder.status()).as(ladder.err()).isLessThan(2);
      assertThat(ladder.err()).contains("start server").doesNotContain("\tat ");
    }
    RunRecord run = run();
    assertThat(run.reproduce()).contains(" --hosts ");
    assertThat(((Map<?, ?>) Objects.requireNonNull(run.environment().get("hosts"))).keySet().stream().map(String::valueOf))
        .containsExactly("s1", "c1", "c2", "c3");
    assertThat(((List<?>) Objects.requireNonNull(run.environment().get("doctor"))).stream().map(said -> String.valueOf(((Map<?, ?>) said).get("host"))))
        .containsExactly("null", "null", "c1", "c2", "c3");
    assertThat(Files.readString(folder().resolve("REPORT.md")))
        .contains("## Hosts", "| fake | 60 | s1 | – |", "| fake | 60 | c1 | 20 |", "| other | 60 | c3 | 20 |");
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
  void aClockThatIsFarAheadChangesNothing() throws Exception {
    try (LadderProcess ladder = climb("2s", hosts.inventory("c1", "c2=ahead"), "--servers", "fake")) {
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
  @Tag("faults")
  void aClockThatDriftsMakesItsRungInvalidByItsName() throws Exception {
    try (LadderProcess ladder = climb("2s", hosts.inventory("c1", "c2=c2=drifting"), "--servers", "fake")) {
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(1);
    }
    RunRecord run = run();
    assertThat(run.status()).isEqualTo(RunRecord.Status.COMPLETE);
    assertThat(run.rungs()).hasSize(2);
    for (RungRecord rung : run.rungs()) {
      assertThat(load(rung).verdict()).isEqualTo(Verdict.INVALID);
      assertThat(load(rung).verdictReasons())
          .anyMatch(doubt -> doubt.reason() == Invalidity.CLOCKS_APART && doubt.detail().matches("the clock of c2 gained .* during the rung .*"))
          .noneMatch(doubt -> doubt.detail().matches("the clock of (s1|c1) (gained|lost) .*"));
      // Its part of the load was carried: the clock is the only fault.
      assertThat(load(rung).connections().established()).isEqualTo(60);
      assertThat(of(rung).getLast().clockDriftNs()).isGreaterThan(ClockOffset.MOST_NS);
    }
  }

  /** A control process by the name of its host: it alone has been told of it, so its clients' order is that of the inventory. */
  private ProcessHandle control(LadderProcess ladder, String host) {
    return ladder.descendants().stream()
        .filter(process -> FakeHosts.commandLine(process).contains("mark=" + hosts.mark()) && FakeHosts.commandLine(process).endsWith("Ladder host "))
        .filter(process -> host.equals("s1") == process.descendants().anyMatch(child -> FakeHosts.commandLine(child).contains("FakeServer")))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aHostThatIsKilledEndsItsRungByItsName() throws Exception {
    lost("KILL", "c");
  }

  @ParameterizedTest
  @Tag("faults")
  @CsvSource({"STOP, c", "KILL, s1", "STOP, s1"})
  void aHostThatIsLostEndsItsRungByItsName(String signal, String host) throws Exception {
    lost(signal, host);
  }

  private void lost(String signal, String host) throws Exception {
    Path inventory = hosts.inventory("c1", "c2", "c3");
    long lostNs;
    try (LadderProcess ladder = climb("60s", inventory, "--servers", "fake")) {
      Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> ladder.err().contains("  steady"));
      ProcessHandle control = control(ladder, host);
      new ProcessBuilder("kill", "-" + signal, Long.toString(control.pid())).inheritIO().start().waitFor();
      lostNs = System.nanoTime();
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(1);
      Duration took = Duration.ofNanos(System.nanoTime() - lostNs);
      System.out.printf("HostsIT: SIG%s of a control process of %s: the run ended %.1f s later%n", signal, host, took.toMillis() / 1e3);
      assertThat(took).isLessThan(LOST_MOST);
      assertThat(ladder.err()).contains("--resume").doesNotContain("\tat ");
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> hosts.left().isEmpty());
    }
    RunRecord run = run();
    assertThat(run.status()).isEqualTo(RunRecord.Status.INTERRUPTED);
    Doubt reason = load(run.rungs().getFirst()).verdictReasons().getFirst();
    assertThat(reason.reason()).isEqualTo(Invalidity.HOST_LOST);
    assertThat(reason.detail()).contains("host " + host);
    assertThat(run.rungs().getLast().status()).isEqualTo(RungRecord.Status.NOT_ATTEMPTED);
  }

  @Test
  void aRunThatLostAHostIsGoneOnWith() throws Exception {
    Path inventory = hosts.inventory("c1", "c2");
    try (LadderProcess ladder = climb("5s", inventory, "--servers", "fake")) {
      Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> ladder.err().contains("  steady"));
      control(ladder, "c").destroyForcibly();
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(1);
    }
    String folder = folder().toString();
    try (LadderProcess without = LadderProcess.start(home, dir, hosts.environment(), "run", "--resume", folder)) {
      assertThat(without.status()).isEqualTo(2);
      assertThat(without.err()).contains("the run was begun on the hosts [s1, c1, c2]: name their inventory with --hosts");
    }
    try (LadderProcess again = LadderProcess.start(home, dir, hosts.environment(), "run", "--resume", folder, "--hosts", inventory.toString())) {
      assertThat(again.status()).as(again.err()).isLessThan(2);
    }
    assertThat(run().rungs()).hasSize(2).allSatisfy(HostsIT::isWell);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "c1=shut|3|host c1 cannot be reached by ssh as shut: ssh: connect to host shut port 22: Connection refused",
        "c1=locked|3|host c1 cannot be reached by ssh as locked: load@locked: Permission denied (publickey).",
        "c1=c1=empty|3|host c1 has no ladder at ",
        "c1=c1=other|3|host c1 has another version of the ladder at ",
        "c1=c1=older|3|host c1 has another version of the ladder at ",
        "c1=chatty|3|host c1 said something else than an answer, as a login shell does that prints on stdout: Welcome to chatty",
        "s1=s1|2|--hosts INVENTORY: a host twice: s1 is in both groups: each host has one part",
        "c1=s1|2|--hosts INVENTORY: a host twice: s1 port 22 is reached under two names"
      })
  void whatCannotBeBegunIsRefusedInALineBeforeAnythingStarts(String client, int status, String said) throws Exception {
    Path inventory = hosts.inventory(client);
    try (LadderProcess ladder = climb("2s", inventory)) {
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(status);
      assertThat(ladder.err()).startsWith("ladder: " + said.replace("INVENTORY", inventory.toString()));
      assertThat(ladder.err().lines()).as(ladder.err()).hasSize(1);
    }
    assertThat(dir.resolve("results/hosts")).doesNotExist();
  }

  /** What is done on the host of the ladder alone is refused in one line, which says what to do instead. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "load.storm=rush|3|fake: load.storm kills the server and starts it again, which is done on the host of the ladder alone: leave --hosts out",
        "load.cpus=server=0 client=0|3|fake: load.cpus names processors of one host: with --hosts leave it out",
        "servers=[{name: fake, settings: {sysctl: {net.core.somaxconn: '100'}}}]|3|(net.core.somaxconn = 100) are made on the host of the ladder alone",
        "servers=[{name: fake, settings: {client: {source_addresses: [127.0.0.9]}}}]|3|(echo_ladder_source_addresses)",
        "servers=[{name: fake, client: tcpkali}]|3|fake: tcpkali runs on one host alone: with --hosts take the open-loop client",
      })
  void whatOneHostAloneDoesIsRefusedBeforeAnythingStarts(String setting, int status, String said) throws Exception {
    try (LadderProcess ladder = climb("2s", hosts.inventory("c1"), "--set", setting)) {
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(status);
      assertThat(ladder.err()).startsWith("ladder: ").contains(said);
      assertThat(ladder.err().lines().filter(line -> line.contains("fake"))).as(ladder.err()).hasSize(1);
    }
    assertThat(dir.resolve("results/hosts")).doesNotExist();
  }

  @Test
  void usersInStagesAndALabAreRefused() throws Exception {
    Path inventory = hosts.inventory("c1");
    String staged =
        """
        name: users
        question: What do users in stages see?
        servers: [http]
        load:
          stages: [{users: 2, over: 2s}]
          requests: [{name: light, path: /api/light, answer: light}]
          pause: 50ms
          answer_within: 5s
        """;
    refused(inventory, "staged.yaml", staged, 3, "http: users in stages (load.stages) are driven by one client process, on the host of the ladder");
    String lab = STUDY.replace("STEADY", "2s") + "lab: {memory: 1G, timeout: 10m}\n";
    refused(inventory, "lab.yaml", lab, 2, "--hosts cannot be given with a study of a lab, as '");
  }

  private void refused(Path inventory, String file, String study, int status, String said) throws Exception {
    String path = Files.writeString(dir.resolve(file), study).toString();
    try (LadderProcess ladder = LadderProcess.start(home, dir, hosts.environment(), "run", path, "--hosts", inventory.toString())) {
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(status);
      // Lines before it are of what killed runs have left on this machine.
      assertThat(ladder.err().lines().toList().getLast()).as(ladder.err()).startsWith("ladder: " + said);
      assertThat(ladder.err()).doesNotContain("\tat ");
    }
  }

  /** Two loads that one host had alone before: connections that come and go; and a wait that no host ends, for none is noisy. */
  @Test
  void connectionsThatComeAndGoAreCarriedAndQuietHostsAreWaitedFor() throws Exception {
    try (LadderProcess ladder =
        climb("3s", hosts.inventory("c1", "c2"), "--servers", "fake", "--set", "repeats=1", "--set", "load.churn=20/s", "--wait-quiet", "1s")) {
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

  @Test
  void whatDoesNotGoWithHostsIsRefused() throws Exception {
    Path inventory = hosts.inventory("c1");
    try (LadderProcess ladder =
        climb("2s", inventory, "--attach", "127.0.0.1:9", "--server-metrics", "http://127.0.0.1:9/metrics", "--servers", "fake")) {
      assertThat(ladder.status()).isEqualTo(2);
      assertThat(ladder.err()).contains("--hosts cannot be given with --attach: a run on hosts starts its servers itself");
    }
    try (LadderProcess ladder = climb("2s", dir.resolve("none.yml"))) {
      assertThat(ladder.status()).isEqualTo(2);
      assertThat(ladder.err()).contains("none.yml: there is no such file");
    }
    Map<String, String> without = hosts.withoutAnsible();
    try (LadderProcess ladder =
        LadderProcess.start(home, dir, without, "run", dir.resolve("study.yaml").toString(), "--hosts", inventory.toString())) {
      assertThat(ladder.status()).isEqualTo(3);
      assertThat(ladder.err()).contains("ansible-inventory is not on PATH; it comes with ansible-core");
    }
  }
}
