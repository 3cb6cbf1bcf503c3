package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.ReasonCode;
import echoladder.harness.RunSchema;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.metric.MemoryMetrics;
import echoladder.harness.metric.RuntimeMetrics;
import echoladder.harness.results.ClimbRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.needs.BusyHost;
import echoladder.processes.CommandLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.HistogramLogReader;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole runs: real servers, the real client, by the same main that users start. */
@Order(1)
class RunIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  /** Two rungs of one server, the first of which is long enough to disturb it. */
  private static final String LONG =
      """
      name: long
      question: What happens to a run that is disturbed?
      servers: [virtual-threads, floor]
      rungs: [20, 40]
      repeats: 1
      load: {rate: {total: 400/s}}
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 2m, steady: STEADY, drain: 5s}
      bounds: {response_time_p99: 1h}
      """
          + BusyHost.THRESHOLDS;

  @TempDir private Path dir;

  private LadderProcess run(String study) {
    return LadderProcess.start(HOME, dir, "run", study, "--results", dir.resolve("results").toString());
  }

  private LadderProcess runLong(String steady) throws IOException {
    Path study = Files.writeString(dir.resolve("study.yaml"), LONG.replace("STEADY", steady));
    return run(study.toString());
  }

  private List<Path> folders(String study) throws IOException {
    try (Stream<Path> folders = Files.list(dir.resolve("results").resolve(study))) {
      return folders.toList();
    }
  }

  private static void awaitSteady(LadderProcess ladder) {
    Awaitility.await().atMost(Duration.ofMinutes(5)).until(() -> ladder.err().contains("steady"));
  }

  private static RungRecord rung(RunRecord run, String server, int connections) {
    return run.rungs().stream()
        .filter(r -> r.server().equals(server) && r.connections() == connections)
        .findFirst()
        .orElseThrow();
  }

  private static void awaitGone(List<ProcessHandle> processes) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(processes).noneMatch(ProcessHandle::isAlive));
  }

  @Test
  void theSmokeStudyRunsFromStudyToReport() throws Exception {
    try (LadderProcess ladder = run("smoke")) {
      assertThat(ladder.status()).as(ladder.err()).isZero();
      assertThat(ladder.out()).contains("virtual-threads", "valid", "report: ").doesNotContain("\033", "INVALID");
      assertThat(ladder.err()).contains("ladder: 1/6  floor  25  start server").doesNotContain("\033", "\tat ", "SLF4J");
    }
    assertThat(folders("smoke")).hasSize(1);
    wholeFolder(folders("smoke").getFirst());
  }

  @Test
  @Tag("long")
  void theSmokeStudyRunsTwiceAtOnce() throws Exception {
    try (LadderProcess one = run("smoke");
        LadderProcess two = run("smoke")) {
      assertThat(one.status()).as(one.err()).isZero();
      assertThat(two.status()).as(two.err()).isZero();
    }
    assertThat(folders("smoke")).hasSize(2);
    for (Path folder : folders("smoke")) {
      wholeFolder(folder);
    }
  }

  private void wholeFolder(Path folder) throws Exception {
    String json = Files.readString(folder.resolve("run.json"));
    assertThat(RunSchema.complaints(json)).isEmpty();
    RunRecord run = RunFolder.parse(json);
    assertThat(run.asExpected()).isTrue();
    assertThat(run.rungs()).noneMatch(RungRecord::saturated);
    assertThat(run.climbs()).extracting(ClimbRecord::end).containsOnly(ClimbRecord.End.TOP_OF_STUDY);
    RungRecord rung = rung(run, "virtual-threads", 50);
    var load = Objects.requireNonNull(rung.load());
    assertThat(load.connections().established()).isEqualTo(50);
    assertThat(load.cost().serverCpuUsPerEcho()).isPositive();
    assertThat(HostMetrics.CPU_MULTIPLE_OF_FLOOR.value(rung)).isPositive();
    assertThat(MemoryMetrics.LIVE_HEAP.value(rung)).isPositive();
    assertThat(HostMetrics.CONNECTIONS_OPEN.value(rung)).isEqualTo(50);
    assertThat(HostMetrics.CPU_PER_ECHO.value(rung)).isPositive();
    assertThat(RuntimeMetrics.THREADS.value(rung)).isPositive();
    assertThat(RuntimeMetrics.GC_PAUSE.value(rung)).isNotNull();
    assertThat(RuntimeMetrics.GC_PAUSE.value(rung(run, "go-echo", 50))).isNotNull();
    for (RungRecord each : run.rungs()) {
      assertThat(RuntimeMetrics.HICCUP_MAX.value(each)).as(each.server()).isPositive();
    }
    assertThat(tags(folder.resolve(Objects.requireNonNull(rung.histograms())))).contains("response", "service");
    assertThat(Files.readAllLines(folder.resolve("samples.csv")).stream().map(l -> l.split(",", 4)[2]))
        .contains("ready", "steady", "drain");

    Path copy = Files.createDirectories(dir.resolve("copy-of-" + run.runId()));
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(f -> f.toString().matches(".*(run.json|samples.csv|hlog)")).toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    try (LadderProcess again = LadderProcess.start(HOME, dir, "report", copy.toString())) {
      assertThat(again.status()).isZero();
      assertThat(again.out()).contains("virtual-threads");
    }
    assertThat(copy.resolve("REPORT.md")).hasSameTextualContentAs(folder.resolve("REPORT.md"));
  }

  /** The kinds of time that HdrHistogram's own reader finds. */
  private static Set<String> tags(Path log) throws IOException {
    Set<String> tags = new HashSet<>();
    try (HistogramLogReader reader = new HistogramLogReader(log.toString())) {
      while (reader.hasNext()) {
        EncodableHistogram next = reader.nextIntervalHistogram();
        tags.add(next.getTag());
      }
    }
    return tags;
  }

  @ParameterizedTest
  @ValueSource(strings = {"INT", "TERM"})
  void aSignalKeepsWhatWasMeasuredAndLeavesNoProcess(String signal) throws Exception {
    try (LadderProcess ladder = runLong("10m")) {
      awaitSteady(ladder);
      List<ProcessHandle> started = ladder.descendants();
      assertThat(started).hasSizeGreaterThanOrEqualTo(2);
      ladder.signal(signal);
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(1);
      assertThat(started).noneMatch(ProcessHandle::isAlive);
      assertThat(ladder.out()).contains("INVALID: interrupted", "report: ");
      assertThat(ladder.err()).doesNotContain("\tat ");
    }
    Path folder = folders("long").getFirst();
    RunRecord run = new RunFolder(folder).read();
    assertThat(RunSchema.complaints(RunFolder.json(run))).isEmpty();
    assertThat(run.status()).isEqualTo(RunRecord.Status.INTERRUPTED);
    RungRecord rung = rung(run, "virtual-threads", 20);
    assertThat(rung.has(ReasonCode.INTERRUPTED)).isTrue();
    assertThat(Objects.requireNonNull(rung.load()).connections().established()).isEqualTo(20);
    assertThat(folder.resolve("REPORT.md")).content().contains("did not come to its end");
  }

  /** Clients of a stand's warm-up come before the one that is measured; each of them has to heed a stop that came before it. */
  @Test
  void aSignalInTheWarmUpOfAStandEndsTheRungThatFollows() throws Exception {
    String study =
        LONG.replace("STEADY", "10m").replace("{total: 400/s}", "{totals: [200/s, 400/s]}").replace("{connect_rate", "{stand_warm_up: 20s, connect_rate");
    try (LadderProcess ladder = run(Files.writeString(dir.resolve("study.yaml"), study).toString())) {
      Awaitility.await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> ladder.descendants().stream().anyMatch(process -> CommandLines.of(process).contains("openloop.LoadMain")));
      ladder.signal("TERM");
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(1);
      assertThat(ladder.err()).contains("stopping; what was measured is kept").doesNotContain("could not stop", "\tat ");
    }
  }

  @Test
  void aSignalBeforeTheFirstRungSaysThatNothingWasMeasured() throws Exception {
    String results = dir.resolve("results").toString();
    try (LadderProcess ladder = LadderProcess.startLooking(60_000, HOME, dir, "run", "smoke", "--results", results)) {
      Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> ladder.err().contains("looking for"));
      List<ProcessHandle> started = ladder.descendants();
      ladder.signal("INT");
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(130);
      awaitGone(started);
      assertThat(ladder.err()).contains("stopped before the first rung; nothing was measured").doesNotContain("\tat ");
    }
    assertThat(dir.resolve("results").resolve("smoke")).doesNotExist();
  }

  @Test
  @Tag("long")
  void whatAKilledHarnessHasStartedEndsByItself() throws Exception {
    try (LadderProcess ladder = runLong("10m")) {
      awaitSteady(ladder);
      List<ProcessHandle> started = ladder.descendants();
      ladder.signal("KILL");
      assertThat(ladder.status()).isEqualTo(137);
      awaitGone(started);
    }
    assertThat(new RunFolder(folders("long").getFirst()).read().status()).isEqualTo(RunRecord.Status.RUNNING);
  }

  @Test
  @Tag("long")
  void aKilledClientSpoilsItsRungAndTheNextStillRuns() throws Exception {
    try (LadderProcess ladder = runLong("4s")) {
      awaitSteady(ladder);
      assertThat(ladder.descendant("echoladder.openloop").destroyForcibly()).isTrue();
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(1);
    }
    RunRecord run = new RunFolder(folders("long").getFirst()).read();
    assertThat(RunSchema.complaints(RunFolder.json(run))).isEmpty();
    assertThat(rung(run, "virtual-threads", 20).has(ReasonCode.CLIENT_DIED)).isTrue();
    assertThat(rung(run, "floor", 20).valid()).isTrue();
    assertThat(rung(run, "virtual-threads", 40).valid()).isTrue();
    assertThat(run.climbs()).extracting(ClimbRecord::end).containsOnly(ClimbRecord.End.TOP_OF_STUDY);
  }

  @Test
  @Tag("long")
  void aServerThatWasStoppedForAWhileShowsItAsAHiccup() throws Exception {
    try (LadderProcess ladder = runLong("4s")) {
      awaitSteady(ladder);
      String server = Long.toString(ladder.descendant("VirtualThreadsEcho").pid());
      new ProcessBuilder("sh", "-c", "kill -STOP " + server).inheritIO().start().waitFor();
      Thread.sleep(300);
      new ProcessBuilder("sh", "-c", "kill -CONT " + server).inheritIO().start().waitFor();
      ladder.status();
    }
    Path folder = folders("long").getFirst();
    RungRecord stopped = rung(new RunFolder(folder).read(), "virtual-threads", 20);
    double hiccupMaxNs = Objects.requireNonNull(RuntimeMetrics.HICCUP_MAX.value(stopped));
    assertThat(hiccupMaxNs).isGreaterThanOrEqualTo(300_000_000);
    assertThat(RuntimeMetrics.HICCUP_P99.value(stopped)).isBetween(1.0, hiccupMaxNs);
    assertThat(RuntimeMetrics.HICCUP_METER_CPU.value(stopped)).isPositive();
    assertThat(Objects.requireNonNull(stopped.load()).cost().serverCpuUsPerEcho()).isPositive();
    List<String> samples = Files.readAllLines(folder.resolve("samples.csv"));
    int column = List.of(samples.getFirst().split(",", -1)).indexOf("server_hiccup_max_ns");
    assertThat(samples.stream().skip(1).map(row -> row.split(",", -1)[column]).filter(ns -> !ns.isEmpty()).map(Long::valueOf))
        .as("by second").anyMatch(ns -> ns >= 300_000_000);
    assertThat(folder.resolve("report.html")).content().contains("Longest hiccup of the server, in each second");
    assertThat(folder.resolve("results.csv")).content().contains(",server_hiccup_max_ns,=,");
  }

  @Test
  @Tag("long")
  void aKilledServerEndsItsClimbAlone() throws Exception {
    try (LadderProcess ladder = runLong("4s")) {
      awaitSteady(ladder);
      assertThat(ladder.descendant("VirtualThreadsEcho").destroyForcibly()).isTrue();
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(1);
    }
    RunRecord run = new RunFolder(folders("long").getFirst()).read();
    RungRecord died = rung(run, "virtual-threads", 20);
    assertThat(died.has(ReasonCode.SERVER_DIED)).isTrue();
    assertThat(died.has(ReasonCode.INTERRUPTED)).isFalse();
    assertThat(Objects.requireNonNull(died.load()).verdictReasons().getFirst().detail()).contains("was killed by signal 9");
    assertThat(rung(run, "virtual-threads", 40).status()).isEqualTo(RungRecord.Status.NOT_ATTEMPTED);
    assertThat(rung(run, "floor", 40).valid()).isTrue();
  }
}
