package echoladder.harness.run;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Doubt;
import echoladder.client.Invalidity;
import echoladder.client.LoadResult;
import echoladder.client.Percentiles;
import echoladder.external.MissingToolException;
import echoladder.external.UnfitPlanException;
import echoladder.harness.Results;
import echoladder.harness.RunSchema;
import echoladder.harness.TestCheckout;
import echoladder.harness.client.Clients;
import echoladder.harness.client.LoadTool;
import echoladder.harness.limits.KnownLimit;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.metric.MemoryMetrics;
import echoladder.harness.metric.RuntimeMetrics;
import echoladder.harness.report.MarkdownReport;
import echoladder.harness.report.ReportFiles;
import echoladder.harness.report.TerminalTable;
import echoladder.harness.results.ClimbRecord;
import echoladder.harness.results.ClimbRecord.End;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.RungRecord.Status;
import echoladder.harness.results.RungRepeats;
import echoladder.harness.results.SamplesFile;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyReader;
import echoladder.loadmetrics.LoadMetrics;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Real server processes, a client that only pretends. */
class ClimbIT {
  @TempDir private Path dir;
  private final StopSignal stop = new StopSignal();
  private final List<FakeClient> clients = new CopyOnWriteArrayList<>();
  private final Map<LoadTool, IOException> refusals = new EnumMap<>(LoadTool.class);
  private long lateNs;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private RunFolder folder = new RunFolder(Path.of("never-used"));

  private RunRecord climb(String servers, String rungs, boolean untilStopped, UnaryOperator<LoadResult> change)
      throws IOException {
    return climb(servers, rungs, 1, untilStopped, change);
  }

  private RunRecord climb(
      String servers, String rungs, int repeats, boolean untilStopped, UnaryOperator<LoadResult> change) throws IOException {
    TestCheckout test =
        new TestCheckout(dir)
            .server("floor", "reference")
            .unmanaged("plain")
            .study(
                "s",
                """
                name: s
                question: Does the climb go on where it should?
                servers: %s
                rungs: %s
                repeats: %d
                load: {rate: {total: 5000/s}}
                phases: {steady: 1s}
                bounds: {server_start: 15s}
                thresholds: {hiccup_most: %s, host_idle_share_least: 0, steal_share_most: 0.99, foreign_cpu_share_most: 0.999}
                """
                    .formatted(servers, rungs, repeats, lateNs == 0 ? "1h" : "100ms"));
    Study study = new StudyReader(test.checkout(), test.servers()).read("s");
    folder = RunFolder.create(dir.resolve("results"), "s", Instant.now(), new Random());
    try (SamplesFile samples = SamplesFile.create(folder.file("samples.csv"), System.nanoTime())) {
      Clients fakes =
          (tool, log, _) -> {
            FakeClient client = new FakeClient(change, untilStopped, refusals.get(tool), lateNs);
            if (!log.startsWith("/dev")) {
              clients.add(client);
            }
            return client;
          };
      RunSetup setup = new RunSetup(test.checkout(), study, test.servers(), fakes, null, List.of());
      Preparation prepared = Preparation.of(setup);
      Display display = new Display(new PrintStream(err, true, StandardCharsets.UTF_8), false);
      RunContext context = new RunContext(setup, folder, samples, display, stop, new LoadMetrics(), null);
      return new Climb(prepared.plan(), RunHead.begin("./ladder run s", prepared, Map.of(), null), context, _ -> {})
          .run();
    }
  }

  private static String fake(String behaviour) {
    return "[{name: fake, label: %s, options: {behaviour: %s}}, floor]".formatted(behaviour, behaviour);
  }

  private static RungRecord rung(RunRecord run, String server, int connections) {
    return run.rungs().stream()
        .filter(r -> r.server().equals(server) && r.connections() == connections)
        .findFirst()
        .orElseThrow();
  }

  private static Doubt first(RungRecord rung) {
    return Objects.requireNonNull(rung.load()).verdictReasons().getFirst();
  }

  private static Map<String, End> ends(RunRecord run) {
    return run.climbs().stream()
        .collect(Collectors.toMap(ClimbRecord::server, ClimbRecord::end));
  }

  @Test
  void measuresEachServerAsOftenAsToldAndComparesThemInPairs() throws IOException {
    RunRecord run =
        climb(
            "[{name: fake, label: one, options: {behaviour: good}}, {name: fake, label: other, options: {behaviour: good}},"
                + " floor]",
            "[10]", 6, false, load -> load);
    assertThat(run.study().repeats()).isEqualTo(6);
    assertThat(run.rungs()).hasSize(18).allMatch(RungRecord::valid);
    for (int i = 0; i < 18; i++) {
      assertThat(run.rungs().get(i).repeat()).isEqualTo(i / 3 + 1);
    }
    assertThat(RungRepeats.of(run.rungs())).hasSize(3).allMatch(rung -> rung.rungs().size() == 6);
    assertThat(folder.file("0000010-one-r6.server.log")).exists();
    assertThat(RunSchema.complaints(Files.readString(folder.file("run.json")))).isEmpty();
    // Every figure that the client makes up is the same in each repeat.
    assertThat(MarkdownReport.of(run))
        .contains("| server CPU per echo | one | other | 10 | 6 | 1.00 (HL) | 1.00–1.00 | 1.00–1.00 (96.9 %) | 0.0 % | no difference shown |")
        .contains("Of several repeats the median stands");
    assertThat(TerminalTable.of(run, false)).contains("medians of up to 6 repeats");
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("one  10 (6 of 6): valid");
  }

  @Test
  void aRungWhoseBorderWasReadTooLateIsDoubted() throws IOException {
    lateNs = 10_000_000_000L;
    RunRecord run = climb("[fake, floor]", "[2, 4]", false, r -> r);
    assertThat(first(rung(run, "fake", 2)).reason()).isEqualTo(Invalidity.BORDER_LATE);
    assertThat(ends(run)).as("no fault of the server").containsValues(End.TOP_OF_STUDY, End.TOP_OF_STUDY);
  }

  @Test
  void climbsAllServersAtARungBeforeTheNext() throws IOException {
    RunRecord run = climb("[fake, floor]", "[2, 4]", false, r -> r);
    assertThat(run.rungs().stream().map(r -> r.server() + r.connections()))
        .containsExactly("fake2", "floor2", "fake4", "floor4");
    assertThat(run.asExpected()).isTrue();
    assertThat(run.rungs()).noneMatch(RungRecord::saturated);
    assertThat(run.status()).isEqualTo(RunRecord.Status.COMPLETE);
    assertThat(ends(run)).containsValues(End.TOP_OF_STUDY, End.TOP_OF_STUDY);
    assertThat(RunFolder.json(folder.read())).isEqualTo(RunFolder.json(run)).isEqualTo(Files.readString(folder.file("run.json")));
    assertThat(RunSchema.complaints(Files.readString(folder.file("run.json")))).isEmpty();
    RungRecord rung = rung(run, "fake", 4);
    assertThat(MemoryMetrics.LIVE_HEAP.value(rung)).isEqualTo(1_000_000);
    assertThat(HostMetrics.CPU_MULTIPLE_OF_FLOOR.value(rung)).isEqualTo(1.0);
    assertThat(HostMetrics.CONNECTIONS_OPEN.value(rung)).isBetween(1.0, 5.0);
    assertThat(RuntimeMetrics.GC_COUNT.value(rung)).isZero();
    assertThat(Objects.requireNonNull(rung.process()).command()).contains("{java}", "{classpath}", "--behaviour", "good");
    assertThat(folder.file("environment.json")).isNotEmptyFile();
    assertThat(folder.file("0000004-fake.hlog")).exists();
    assertThat(Files.readAllLines(folder.file("samples.csv")).stream().map(line -> line.split(",", 4)[2]))
        .contains("ready", "steady", "drain");
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("ladder: 1/4  fake  2  start server", "ladder: 4/4  floor  4  steady", "ladder: fake  2: valid, p99");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "exits|SERVER_NOT_READY|ended with exit status 3 before its ready line; its log ends: fake: port 7 is in use",
        "babbles|SERVER_NOT_READY|no ready line: hello, I am a server",
        "wrong-echo|SERVER_NOT_READY|other ones",
        "dies|SERVER_DIED|the server ",
        "dies-slowly|SERVER_DIED|the server was killed by signal 6",
      })
  void aServerThatFailsEndsItsOwnClimbOnly(String behaviour, Invalidity reason, String detail) throws IOException {
    RunRecord run = climb(fake(behaviour), "[8, 9]", false, r -> {
      awaitDeath(behaviour);
      return r;
    });
    assertThat(first(rung(run, behaviour, 8)).reason()).isEqualTo(reason);
    assertThat(first(rung(run, behaviour, 8)).detail()).contains(detail);
    assertThat(rung(run, behaviour, 9).status()).isEqualTo(Status.NOT_ATTEMPTED);
    assertThat(rung(run, "floor", 9).valid()).isTrue();
    assertThat(ends(run)).containsEntry(behaviour, End.SERVER_FAILED).containsEntry("floor", End.TOP_OF_STUDY);
    assertThat(run.asExpected()).isFalse();
    assertThat(RunSchema.complaints(RunFolder.json(run))).isEmpty();
    assertThat(MarkdownReport.of(run)).contains(reason.id());
  }

  /** A JVM needs more tasks than this before it comes to its ready line; the control group counts what it refused. */
  @Needs(Need.CGROUP_PIDS)
  @Test
  void aServerThatCannotStartUnderALimitNamesIt() throws IOException {
    RunRecord run =
        climb("[{name: fake, settings: {server: {tasks: 3}}}, floor]", "[8]", false, UnaryOperator.identity());
    assertThat(first(rung(run, "fake", 8)).reason()).isEqualTo(Invalidity.SERVER_NOT_READY);
    assertThat(run.climbs().getFirst().limit()).isEqualTo(KnownLimit.CGROUP_PIDS);
    assertThat(run.climbs().getFirst().reason()).startsWith("cgroup pids was met: ");
    assertThat(RunSchema.complaints(RunFolder.json(run))).isEmpty();
  }

  /** The pretended load is over at once; a server that dies of its connections needs a moment longer. */
  private static void awaitDeath(String behaviour) {
    if (behaviour.equals("dies")) {
      Awaitility.await()
          .until(() -> ProcessHandle.current().children().noneMatch(p -> p.info().commandLine().orElse("").contains("dies")));
    }
  }

  @ParameterizedTest
  @CsvSource({"no-metrics, GET", "no-gc, POST"})
  void aSilentMetricsPageSpoilsTheRungButNotTheClimb(String behaviour, String detail) throws IOException {
    RunRecord run = climb(fake(behaviour), "[2, 4]", false, r -> r);
    assertThat(first(rung(run, behaviour, 4)).reason()).isEqualTo(Invalidity.METRICS_UNREACHABLE);
    assertThat(first(rung(run, behaviour, 4)).detail()).startsWith(detail).contains("404");
    assertThat(ends(run)).containsEntry(behaviour, End.TOP_OF_STUDY);
  }

  /** Its page tells of no collector and no hiccups, and there is no /gc: what cannot be known is null. */
  @Test
  void aServerWithoutAManagedRuntimeOwesNeitherHeapNorHiccups() throws IOException {
    RunRecord run = climb("[{name: plain, options: {behaviour: no-gc}}, floor]", "[4]", false, r -> r);
    RungRecord rung = rung(run, "plain", 4);
    assertThat(rung.valid()).as("%s", rung).isTrue();
    JsonNode json = JsonMapper.shared().readTree(RunFolder.json(run));
    assertThat(json.path("servers").path(0).path("runtime").asString()).isEqualTo("native");
    assertThat(json.path("rungs").valueStream().filter(r -> r.path("server").asString().equals("plain")).toList())
        .singleElement()
        .satisfies(r -> assertThat(r.findValue("server_live_heap_bytes").isNull()).isTrue())
        .satisfies(r -> assertThat(r.findValue("server_hiccup_max_ns").isNull()).isTrue());
    assertThat(RunSchema.complaints(RunFolder.json(run))).isEmpty();
  }

  @Test
  void aRungBeyondTheHostIsNotAttempted() throws IOException {
    RunRecord run = climb("[fake]", "[2, 5000000]", false, r -> r);
    assertThat(rung(run, "fake", 5_000_000).status()).isEqualTo(Status.OUT_OF_REACH);
    String reason = String.valueOf(rung(run, "fake", 5_000_000).statusReason());
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("ladder: out of reach on this host: fake from 5,000,000 connections on: " + reason);
    JsonNode doctor = JsonMapper.shared().readTree(Files.readString(folder.file("environment.json"))).path("doctor");
    assertThat(doctor).hasSize(1);
    assertThat(doctor.path(0).path("server").asString()).isEqualTo("fake");
    assertThat(doctor.path(0).path("connections").asLong()).isEqualTo(5_000_000);
    assertThat(doctor.path(0).path("role").asString()).isEqualTo("both");
    assertThat(doctor.path(0).path("reach").asString()).isIn("out-of-reach", "after-lifting");
    assertThat(doctor.path(0).path("connections_now").asLong()).isBetween(2L, 4_999_999L);
    assertThat(reason).startsWith(doctor.path(0).path("answer").path(0).asString());
    assertThat(doctor.path(0).path("rows")).isNotEmpty();
    assertThat(run.climbs().getFirst().end()).isEqualTo(End.OUT_OF_REACH);
    assertThat(run.climbs().getFirst().highestValidConnections()).isEqualTo(2);
    assertThat(run.asExpected()).isTrue();
    assertThat(run.rungs()).noneMatch(RungRecord::saturated);
    assertThat(RunSchema.complaints(RunFolder.json(run))).isEmpty();
  }

  @Test
  void eachCombinationOfAxesIsClimbedAsAServerOfItsOwn() throws IOException {
    String java = System.getProperty("java.home");
    RunRecord run =
        climb(
            """
            [fake, floor]
            axes:
              servers: {fake: {level: [1, 2]}}
              load: {active_share: [1, 0.5]}
              jdk: [%s]
            """
                .formatted(java),
            "[2]", false, load -> load);
    assertThat(run.asExpected()).isTrue();
    assertThat(run.rungs()).noneMatch(RungRecord::saturated);
    assertThat(run.rungs()).hasSize(2 * 2 + 2);
    String jdk = Objects.requireNonNull(Path.of(java).getFileName()).toString().toLowerCase(Locale.ROOT);
    String label = "fake-level-2-active-share-0.5-" + jdk;
    RungRecord rung = rung(run, label, 2);
    assertThat(Objects.requireNonNull(rung.process()).command()).containsSubsequence("--level", "2");
    assertThat(HostMetrics.CPU_MULTIPLE_OF_FLOOR.value(rung)).isEqualTo(1.0);
    assertThat(run.study().entry(label).orElseThrow().point()).isNotNull();
    assertThat(run.climbs()).hasSize(6).allMatch(climb -> climb.end() == End.TOP_OF_STUDY);
    assertThat(RunSchema.complaints(RunFolder.json(run))).isEmpty();
    assertThat(RunFolder.parse(RunFolder.json(run)).study()).isEqualTo(run.study());
    ReportFiles.write(folder, run);
    List<String> csv = Files.readAllLines(folder.file("results.csv"));
    assertThat(csv.getFirst()).endsWith(",unit,axis_server,axis_level,axis_active_share,axis_jdk");
    assertThat(csv).anyMatch(l -> l.contains("," + label + ",") && l.endsWith(",fake,2,0.5," + java));
    assertThat(csv).anyMatch(l -> l.contains(",floor-active-share-1-" + jdk + ",") && l.endsWith(",floor,,1," + java));
  }

  private static final String TWO_CLIENTS = "[{name: fake, client: tcpkali}, floor]";

  @Test
  void theRungsOfAMissingToolSayWhyAndTheRestIsMeasured() throws IOException {
    refusals.put(LoadTool.TCPKALI, new MissingToolException("tcpkali", "it is not on PATH", "https://example.org/it"));
    RunRecord run = climb(TWO_CLIENTS, "[2, 4]", false, r -> r);
    for (int connections : new int[] {2, 4}) {
      assertThat(rung(run, "fake", connections).status()).isEqualTo(Status.CLIENT_MISSING);
      assertThat(rung(run, "fake", connections).statusReason())
          .contains("tcpkali: it is not on PATH", "https://example.org/it", "--client open-loop");
      assertThat(rung(run, "floor", connections).valid()).isTrue();
    }
    assertThat(ends(run)).containsEntry("fake", End.CLIENT_MISSING).containsEntry("floor", End.TOP_OF_STUDY);
    assertThat(run.asExpected()).isFalse();
    assertThat(clients).hasSize(2);
    assertThat(RunSchema.complaints(RunFolder.json(run))).isEmpty();
    assertThat(MarkdownReport.of(run)).contains("| fake | tcpkali | 2 |", "**client missing**", "it is not on PATH");
    assertThat(TerminalTable.of(run, false)).contains("client missing");
  }

  @Test
  void whatAToolCannotDoIsOutOfReach() throws IOException {
    refusals.put(LoadTool.TCPKALI, new UnfitPlanException("tcpkali has no ports left"));
    RunRecord run = climb(TWO_CLIENTS, "[2]", false, r -> r);
    assertThat(rung(run, "fake", 2).status()).isEqualTo(Status.OUT_OF_REACH);
    assertThat(rung(run, "fake", 2).statusReason()).isEqualTo("tcpkali has no ports left");
  }

  @Test
  void aTailBeyondTheBoundEndsTheClimb() throws IOException {
    Percentiles slow = new Percentiles(1L, 1L, 2_000_000_000L, null, null, 2_000_000_000L);
    RunRecord run =
        climb("[fake]", "[2, 4]", false, r -> Results.of(2, 50_000, 50_000, 0, slow, 40.0, List.of()));
    assertThat(run.climbs().getFirst().end()).isEqualTo(End.RESPONSE_TIME_BOUND);
    assertThat(rung(run, "fake", 4).statusReason()).contains("response time p99 was 2.00 s");
  }

  @Test
  void aClientThatDiedSpoilsTheRungButNotTheClimb() throws IOException {
    RunRecord run =
        climb(
            "[fake]", "[2, 4]", false,
            r ->
                r.connections().requested() == 2
                    ? Results.of(2, 0, 0, 0, Percentiles.NONE, null, List.of(new Doubt(Invalidity.CLIENT_DIED, "killed")))
                    : r);
    assertThat(rung(run, "fake", 2).has(Invalidity.CLIENT_DIED)).isTrue();
    assertThat(rung(run, "fake", 4).valid()).isTrue();
  }

  @Test
  void aStopKeepsWhatWasMeasuredAndLeavesNoServer() throws Exception {
    Thread stopper =
        Thread.ofPlatform()
            .start(
                () -> {
                  Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> err.toString(StandardCharsets.UTF_8).contains("steady"));
                  stop.request();
                });
    RunRecord run = climb("[fake, floor]", "[2, 4]", true, r -> r);
    stopper.join();
    assertThat(run.status()).isEqualTo(RunRecord.Status.INTERRUPTED);
    assertThat(first(rung(run, "fake", 2)).reason()).isEqualTo(Invalidity.INTERRUPTED);
    assertThat(run.rungs()).hasSize(4);
    assertThat(run.rungs().subList(1, 4)).allMatch(r -> r.status() == Status.NOT_ATTEMPTED);
    assertThat(ends(run)).containsValues(End.INTERRUPTED, End.INTERRUPTED);
    assertThat(clients).hasSize(1);
    long pid = Objects.requireNonNull(rung(run, "fake", 2).process()).pid();
    assertThat(ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false)).isFalse();
    assertThat(RunSchema.complaints(RunFolder.json(run))).isEmpty();
    assertThat(MarkdownReport.of(run)).contains("did not come to its end");
  }
}
