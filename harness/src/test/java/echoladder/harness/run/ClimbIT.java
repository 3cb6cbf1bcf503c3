package echoladder.harness.run;

import static echoladder.harness.run.PretendedClimb.ends;
import static echoladder.harness.run.PretendedClimb.first;
import static echoladder.harness.run.PretendedClimb.rung;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadResult;
import echoladder.client.ReasonCode;
import echoladder.client.figures.Percentiles;
import echoladder.harness.Results;
import echoladder.harness.RunSchema;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.metric.MemoryMetrics;
import echoladder.harness.metric.RuntimeMetrics;
import echoladder.harness.report.ReportFiles;
import echoladder.harness.report.page.MarkdownReport;
import echoladder.harness.report.text.TerminalTable;
import echoladder.harness.results.ClimbRecord.End;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord.Status;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.RungRepeats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a run climbs, and what is recorded of it. Real server processes, a client that only pretends. */
class ClimbIT {
  @TempDir private Path dir;
  private final PretendedClimb climbing = new PretendedClimb();

  private RunRecord climb(String servers, String rungs, boolean untilStopped, UnaryOperator<LoadResult> change) throws IOException {
    return climbing.of(dir, servers, rungs, 1, untilStopped, change);
  }

  @Test
  void measuresEachServerAsOftenAsToldAndComparesThemInPairs() throws IOException {
    RunRecord run =
        climbing.of(
            dir,
            "[{name: fake, label: one, options: {behaviour: good}}, {name: fake, label: other, options: {behaviour: good}},"
                + " floor]",
            "[10]", 6, false, load -> load);
    assertThat(run.study().repeats()).isEqualTo(6);
    assertThat(run.rungs()).hasSize(18).allMatch(RungRecord::valid);
    for (int i = 0; i < 18; i++) {
      assertThat(run.rungs().get(i).repeat()).isEqualTo(i / 3 + 1);
    }
    assertThat(RungRepeats.of(run.rungs())).hasSize(3).allMatch(rung -> rung.rungs().size() == 6);
    assertThat(climbing.folder.file("0000010-one-r6.server.log")).exists();
    assertThat(RunSchema.complaints(Files.readString(climbing.folder.file("run.json")))).isEmpty();
    // Every figure that the client makes up is the same in each repeat.
    assertThat(MarkdownReport.of(run))
        .contains("| response p99 | one | other | 10 | 6 | 1.00 (HL) | 1.00–1.00 | 1.00–1.00 (96.9 %) | 0.0 % | no difference shown |")
        .contains("Of several repeats the median stands");
    assertThat(TerminalTable.of(run, false)).contains("medians of up to 6 repeats");
    assertThat(climbing.said()).contains("one  10 (6 of 6): valid");
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
    assertThat(RunFolder.json(climbing.folder.read())).isEqualTo(RunFolder.json(run)).isEqualTo(Files.readString(climbing.folder.file("run.json")));
    assertThat(RunSchema.complaints(Files.readString(climbing.folder.file("run.json")))).isEmpty();
    RungRecord rung = rung(run, "fake", 4);
    assertThat(MemoryMetrics.LIVE_HEAP.value(rung)).isEqualTo(1_000_000);
    assertThat(HostMetrics.CPU_MULTIPLE_OF_FLOOR.value(rung)).isEqualTo(1.0);
    assertThat(HostMetrics.CONNECTIONS_OPEN.value(rung)).isBetween(1.0, 5.0);
    assertThat(RuntimeMetrics.GC_COUNT.value(rung)).isZero();
    assertThat(Objects.requireNonNull(rung.process()).command()).contains("{java}", "{classpath}", "--behaviour", "good");
    assertThat(climbing.folder.file("environment.json")).isNotEmptyFile();
    assertThat(climbing.folder.file("0000004-fake.hlog")).exists();
    assertThat(Files.readAllLines(climbing.folder.file("samples.csv")).stream().map(line -> line.split(",", 4)[2]))
        .contains("ready", "steady", "drain");
    assertThat(climbing.said())
        .contains("ladder: 1/4  fake  2  start server", "ladder: 4/4  floor  4  steady", "ladder: fake  2: valid, response p99");
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
    assertThat(climbing.said())
        .contains("ladder: out of reach on this host: fake from 5,000,000 connections on: " + reason);
    JsonNode doctor = JsonMapper.shared().readTree(Files.readString(climbing.folder.file("environment.json"))).path("doctor");
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
    ReportFiles.write(climbing.folder, run);
    List<String> csv = Files.readAllLines(climbing.folder.file("results.csv"));
    assertThat(csv.getFirst()).endsWith(",unit,axis_server,axis_level,axis_active_share,axis_jdk");
    assertThat(csv).anyMatch(l -> l.contains("," + label + ",") && l.endsWith(",fake,2,0.5," + java));
    assertThat(csv).anyMatch(l -> l.contains(",floor-active-share-1-" + jdk + ",") && l.endsWith(",floor,,1," + java));
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
  void aStopKeepsWhatWasMeasuredAndLeavesNoServer() throws Exception {
    Thread stopper =
        Thread.ofPlatform()
            .start(
                () -> {
                  Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> climbing.said().contains("steady"));
                  climbing.stop.request();
                });
    RunRecord run = climb("[fake, floor]", "[2, 4]", true, r -> r);
    stopper.join();
    assertThat(run.status()).isEqualTo(RunRecord.Status.INTERRUPTED);
    assertThat(first(rung(run, "fake", 2)).reason()).isEqualTo(ReasonCode.INTERRUPTED);
    assertThat(run.rungs()).hasSize(4);
    assertThat(run.rungs().subList(1, 4)).allMatch(r -> r.status() == Status.NOT_ATTEMPTED);
    assertThat(ends(run)).containsValues(End.INTERRUPTED, End.INTERRUPTED);
    assertThat(climbing.clients).hasSize(1);
    long pid = Objects.requireNonNull(rung(run, "fake", 2).process()).pid();
    assertThat(ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false)).isFalse();
    assertThat(RunSchema.complaints(RunFolder.json(run))).isEmpty();
    assertThat(MarkdownReport.of(run)).contains("did not come to its end");
  }
}
