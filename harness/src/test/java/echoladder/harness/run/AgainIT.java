package echoladder.harness.run;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.harness.Results;
import echoladder.harness.RunSchema;
import echoladder.harness.TestCheckout;
import echoladder.harness.engine.Climb;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.plan.Plan;
import echoladder.harness.probe.HostLook;
import echoladder.harness.probe.WorkMeter;
import echoladder.harness.report.ReportFiles;
import echoladder.harness.report.page.MarkdownReport;
import echoladder.harness.report.text.TerminalTable;
import echoladder.harness.results.Attempt;
import echoladder.harness.results.ClimbRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.SamplesFile;
import echoladder.harness.resume.Resumption;
import echoladder.harness.study.StudyReader;
import echoladder.linux.cpu.CpuList;
import echoladder.loadmetrics.LoadExporter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rungs that others disturbed are measured again, and no other. Real servers, a client that only pretends. */
class AgainIT {
  private static final boolean SLOW = true;

  /** What a client says of one load after the other: good, or what is wrong; beyond them all are good. */
  private final Deque<List<ReasonCode>> loads = new ArrayDeque<>();

  /** Whether the host is slow in one measurement after the other; beyond them it never is. */
  private final Deque<Boolean> slow = new ArrayDeque<>();


  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private StopSignal stop = new StopSignal();
  private int stopAt = Integer.MAX_VALUE;
  private int measured;
  private final List<FakeClient> clients = new ArrayList<>();
  private String phases = "{steady: 1s}";
  private Budget budget = new Budget(null, 0);
  private @Nullable QuietWait quiet;
  @TempDir private Path dir;
  private RunFolder folder = new RunFolder(Path.of("never-used"));

  private void say(ReasonCode... reasons) {
    loads.add(Arrays.asList(reasons));
  }

  /** The first try of each rung. */
  private void goodFirsts() {
    for (int i = 0; i < 4; i++) {
      say();
    }
  }

  /** In which measurements the host is a quarter slower than in the others. */
  private void host(Boolean... all) {
    slow.addAll(Arrays.asList(all));
  }

  /** Before and after each load. */
  private WorkMeter work(CpuList cpus) {
    long ns = Objects.requireNonNullElse(slow.poll(), false) ? 5_000_000 : 4_000_000;
    return new WorkMeter() {
      @Override
      public void begin() {}

      @Override
      public OptionalLong endNs() {
        return OptionalLong.of(ns);
      }

      @Override
      public void close() {}
    };
  }

  private LoadResult load(LoadResult good) {
    if (++measured == stopAt) {
      stop.request();
    }
    List<Reason> doubts =
        Objects.requireNonNullElse(loads.poll(), List.<ReasonCode>of()).stream().map(reason -> new Reason(reason, "seen")).toList();
    return Results.of(good.connections().requested(), 50_000, 50_000, 0, Results.TIMES, 40.0, doubts);
  }

  private FakeClient client() {
    FakeClient client = new FakeClient(this::load, false, null, 0);
    clients.add(client);
    return client;
  }

  private RunRecord climb(boolean resumed) throws IOException {
    TestCheckout test =
        new TestCheckout(dir)
            .server("floor", "reference")
            .study(
                "s",
                """
                name: s
                question: Is what others disturbed measured again?
                servers: [fake, floor]
                rungs: [2, 4]
                repeats: 1
                load: {rate: {total: 5000/s}}
                phases: %s
                bounds: {server_start: 15s}
                thresholds: {hiccup_most: 1h, host_idle_share_least: 0, steal_share_most: 0.99, foreign_cpu_share_most: 0.999}
                """
                    .formatted(phases));
    RunSetup setup =
        new RunSetup(
            test.checkout(), new StudyReader(test.checkout(), test.servers()).read("s"), test.servers(),
            (tool, log, _) -> client(), null, List.of());
    Preparation prepared = Preparation.of(setup);
    RunHead head = resumed ? again(prepared.plan()) : begin(prepared);
    Path file = folder.file(SamplesFile.NAME);
    try (SamplesFile samples = resumed ? SamplesFile.append(file, 0) : SamplesFile.create(file, 0)) {
      Display display = new Display(new PrintStream(err, true, StandardCharsets.UTF_8), false);
      RunContext context = new RunContext(setup, folder, samples, display, stop, new LoadExporter(), quiet, budget, this::work);
      return new Climb(prepared.plan(), head, context, _ -> {}).run();
    }
  }

  private RunHead begin(Preparation prepared) {
    folder = RunFolder.create(dir.resolve("results"), "s", Instant.now(), new Random());
    return RunHead.begin("./ladder run s", prepared, Map.of(), null);
  }

  private RunHead again(Plan plan) throws IOException {
    return new Resumption(folder, folder.read(), List.of()).begin(plan).head();
  }

  private static RungRecord rung(RunRecord run, String server, int connections) {
    return run.rungs().stream().filter(r -> r.server().equals(server) && r.connections() == connections).findFirst().orElseThrow();
  }

  /** Server, connections and try of the rows of samples.csv. */
  private Set<String> samples() throws IOException {
    Set<String> keys = new HashSet<>();
    int tries = List.of(SamplesFile.HEADER.split(",", -1)).indexOf("try");
    for (String line : Files.readAllLines(folder.file(SamplesFile.NAME)).stream().skip(1).toList()) {
      List<String> cells = Arrays.asList(line.split(",", -1));
      keys.add(cells.get(0) + " " + cells.get(1) + " " + cells.get(tries));
    }
    return keys;
  }

  @Test
  void aRungThatLostItsCpuToOthersIsMeasuredAgainWhenTheHostsSpeedIsKnown() throws Exception {
    host(SLOW, false, false, false, SLOW);
    RunRecord run = climb(false);
    assertThat(run.rungs()).as("a rung stays one").hasSize(4).allMatch(RungRecord::valid);
    assertThat(run.asExpected()).isTrue();
    RungRecord fake = rung(run, "fake", 2);
    assertThat(fake.number()).isEqualTo(3);
    assertThat(HostMetrics.HOST_SPEED.value(fake)).isEqualTo(1.0);
    assertThat(fake.histograms()).isEqualTo("0000002-fake+3.hlog");
    assertThat(fake.excluded()).extracting(RungRecord::number).containsExactly(1, 2);
    assertThat(fake.excluded()).extracting(RungRecord::histograms).containsExactly("0000002-fake.hlog", "0000002-fake+2.hlog");
    assertThat(fake.excluded()).allMatch(one -> one.excluded().isEmpty() && one.valid());
    assertThat(fake.excluded()).allMatch(one -> LoadMetrics.SERVER_CPU.of(one) == null && LoadMetrics.SERVER_RSS.of(one) != null);
    assertThat(run.logs()).containsKeys("0000002-fake.hlog", "0000002-fake+2.hlog", "0000002-fake+3.hlog");
    assertThat(folder.file("0000002-fake+2.server.log")).exists();
    assertThat(samples()).contains("fake 2 1", "fake 2 2", "fake 2 3", "floor 2 1").doesNotContain("floor 2 2");
    assertThat(err.toString(StandardCharsets.UTF_8).lines().filter(line -> line.contains("start server")))
        .containsExactly(
            "ladder: 1/4  fake  2  start server", "ladder: 2/4  floor  2  start server", "ladder: 3/4  fake  4  start server",
            "ladder: 4/4  floor  4  start server", "ladder: 1/4  fake  2  start server", "ladder: 1/4  fake  2  start server");
    assertThat(RunSchema.complaints(RunFolder.json(run))).isEmpty();
    assertThat(RunFolder.json(folder.read())).as("what is read is what was written").isEqualTo(RunFolder.json(run));

    assertThat(MarkdownReport.of(run))
        .contains("## Tries that were excluded", "By server: fake 2 (host-too-noisy).", "the host's speed was 0.80× of the run's median")
        .doesNotContain("Rungs that may not be quoted");
    assertThat(TerminalTable.of(run, false)).contains("measured again, as the host was disturbed: fake 2 (host-too-noisy)");
    ReportFiles.write(folder, run);
    assertThat(Files.readString(folder.file("report.html"))).contains("Tries that were excluded", "fake 2 (host-too-noisy)");
  }

  /** The warm-up may take what is spare, and a further try has to end within the budget all the same. */
  @Test
  void aFurtherTryEndsWithinTheBudget() throws IOException {
    phases = "{warm_up_max: 1h, steady: 10m}";
    budget = new Budget(Duration.ofHours(1).toNanos(), System.nanoTime());
    host(SLOW);
    RunRecord run = climb(false);
    assertThat(rung(run, "fake", 2).number()).isEqualTo(2);
    List<LoadPlan> asked = clients.stream().map(client -> client.asked).filter(Objects::nonNull).toList();
    assertThat(asked).hasSize(5);
    LoadPlan last = asked.getLast();
    assertThat(last.warmUpMax().plus(last.steady())).isLessThanOrEqualTo(Duration.ofHours(1));
  }

  @Test
  void noiseByItselfMakesNoRungInvalidAndMeasuresNoneAgain() throws IOException {
    say(ReasonCode.HOST_TOO_NOISY, ReasonCode.CLIENT_HICCUP);
    RunRecord run = climb(false);
    assertThat(run.asExpected()).isTrue();
    RungRecord fake = rung(run, "fake", 2);
    assertThat(fake.valid()).isTrue();
    assertThat(fake.number()).isEqualTo(1);
    assertThat(fake.aside()).extracting(Reason::reason).contains(ReasonCode.HOST_TOO_NOISY);
    assertThat(LoadMetrics.SERVER_CPU.of(fake)).isNotNull();
  }

  @Test
  void itsOwnOutcomeIsNeverMeasuredAgain() throws IOException {
    host(SLOW);
    say(ReasonCode.HOST_TOO_NOISY, ReasonCode.UNANSWERED);
    say(ReasonCode.SETTING_CHANGED);
    RunRecord run = climb(false);
    assertThat(measured).as("the climb of neither goes on or ends by it").isLessThanOrEqualTo(4);
    assertThat(run.rungs()).allMatch(rung -> rung.number() == 1 && rung.excluded().isEmpty());
    assertThat(rung(run, "fake", 2).has(ReasonCode.UNANSWERED)).isTrue();
    assertThat(MarkdownReport.of(run)).doesNotContain("Tries that were excluded");
    assertThat(TerminalTable.of(run, false)).doesNotContain("measured again");
  }

  @Test
  void afterTheMostTriesTheCpuIsNotGivenAndTheRungIsValid() throws IOException {
    host(SLOW, false, false, false, SLOW, SLOW, SLOW);
    RunRecord run = climb(false);
    assertThat(measured).isEqualTo(4 + Attempt.MOST - 1);
    assertThat(run.asExpected()).isTrue();
    RungRecord fake = rung(run, "fake", 2);
    assertThat(fake.number()).isEqualTo(Attempt.MOST);
    assertThat(fake.valid()).isTrue();
    assertThat(LoadMetrics.SERVER_CPU.of(fake)).isNull();
    assertThat(LoadMetrics.SERVER_RSS.of(fake)).isNotNull();
    assertThat(RunSchema.complaints(RunFolder.json(run))).isEmpty();
    assertThat(MarkdownReport.of(run)).contains("By server: fake 3 (host-too-noisy).");
  }

  /** Ctrl-C in the second try of a rung: it leaves the first in the record, and the run goes on with the second. */
  @Test
  void aTryThatWasStoppedIsMadeAgainWhenTheRunIsResumed() throws Exception {
    host(SLOW);
    stopAt = 5;
    RunRecord stopped = climb(false);
    assertThat(stopped.status()).isEqualTo(RunRecord.Status.INTERRUPTED);
    assertThat(rung(stopped, "fake", 2).number()).isEqualTo(1);
    assertThat(LoadMetrics.SERVER_CPU.of(rung(stopped, "fake", 2))).isNull();
    assertThat(folder.file("0000002-fake+2.hlog")).as("left by the try that was stopped").exists();
    assertThat(samples()).contains("fake 2 2");

    stop = new StopSignal();
    stopAt = Integer.MAX_VALUE;
    host(SLOW);
    RunRecord run = climb(true);
    assertThat(run.status()).isEqualTo(RunRecord.Status.COMPLETE);
    assertThat(run.resumed().getFirst().discarded()).containsExactly("0000002-fake+2");
    assertThat(run.resumed().getFirst().rungsKept()).isEqualTo(4);
    RungRecord fake = rung(run, "fake", 2);
    assertThat(fake.valid()).isTrue();
    assertThat(fake.number()).isEqualTo(3);
    assertThat(fake.excluded()).hasSize(2);
    assertThat(run.logs()).containsKeys("0000002-fake.hlog", "0000002-fake+2.hlog", "0000002-fake+3.hlog");
    assertThat(samples()).contains("fake 2 1", "fake 2 2", "fake 2 3", "floor 4 1");
    assertThat(RunSchema.complaints(RunFolder.json(run))).isEmpty();
    assertThat(RunFolder.json(folder.read())).isEqualTo(RunFolder.json(run));
  }

  /** A further try is made for a figure, and one that is not valid has none to give. */
  @Test
  void aFurtherTryThatIsSaturatedDoesNotTakeThePlaceOfAValidOne() throws IOException {
    host(SLOW, false, false, false, SLOW);
    goodFirsts();
    say(ReasonCode.UNANSWERED);
    RunRecord run = climb(false);
    assertThat(run.asExpected()).isTrue();
    assertThat(run.climbs()).extracting(ClimbRecord::end).containsOnly(ClimbRecord.End.TOP_OF_STUDY);
    RungRecord fake = rung(run, "fake", 2);
    assertThat(fake.valid()).isTrue();
    assertThat(fake.number()).isEqualTo(3);
    assertThat(fake.excluded()).extracting(RungRecord::number).containsExactly(1, 2);
    assertThat(fake.excluded()).extracting(RungRecord::saturated).containsExactly(false, true);
    assertThat(fake.excluded()).as("the host was slow in both").extracting(HostMetrics.HOST_SPEED::value).containsExactly(0.8, 0.8);
    assertThat(RunSchema.complaints(RunFolder.json(run))).isEmpty();
    assertThat(RunFolder.json(folder.read())).isEqualTo(RunFolder.json(run));
    assertThat(MarkdownReport.of(run))
        .contains("By server: fake 1 (host-too-noisy).", "Not valid after a valid try: fake 1 (saturated).")
        .contains("saturated; a try before was valid: seen")
        .doesNotContain("Rungs that may not be quoted");
    assertThat(TerminalTable.of(run, false)).contains("tries that were not valid after a valid one, which stays: fake 1 (saturated)");
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("saturated: unanswered: seen; the valid try before it stays the rung's record");
  }

  @Test
  void theFirstTryDecidesWhetherARungIsCarried() throws IOException {
    host(SLOW);
    goodFirsts();
    say(ReasonCode.UNANSWERED);
    say(ReasonCode.SETTING_CHANGED);
    say(ReasonCode.UNANSWERED);
    RunRecord run = climb(false);
    assertThat(measured).as("each try counts").isEqualTo(4 + Attempt.MOST - 1);
    assertThat(run.asExpected()).isTrue();
    assertThat(run.climbs()).extracting(ClimbRecord::end).containsOnly(ClimbRecord.End.TOP_OF_STUDY);
    RungRecord fake = rung(run, "fake", 2);
    assertThat(fake.valid()).isTrue();
    assertThat(fake.number()).isEqualTo(1);
    assertThat(fake.histograms()).isEqualTo("0000002-fake.hlog");
    assertThat(LoadMetrics.SERVER_CPU.of(fake)).isNull();
    assertThat(fake.tries()).extracting(RungRecord::number).containsExactly(1, 2, 3, 4);
    assertThat(fake.excluded()).extracting(RungRecord::number).containsExactly(2, 3, 4);
    assertThat(fake.excluded()).allMatch(one -> one.excluded().isEmpty() && !one.valid());
    assertThat(run.logs()).containsKeys("0000002-fake.hlog", "0000002-fake+2.hlog", "0000002-fake+3.hlog", "0000002-fake+4.hlog");
    assertThat(RunSchema.complaints(RunFolder.json(run))).isEmpty();
    assertThat(MarkdownReport.of(run))
        .contains("Not valid after a valid try: fake 3 (saturated, invalid).", "invalid; a try before was valid: seen")
        .doesNotContain("By server: fake");
  }

  @Test
  void aTryThatTookNoPlaceIsKeptWhenTheRunIsResumed() throws Exception {
    host(SLOW);
    goodFirsts();
    say(ReasonCode.UNANSWERED);
    stopAt = 6;
    RungRecord stopped = rung(climb(false), "fake", 2);
    assertThat(stopped.number()).isEqualTo(1);
    assertThat(stopped.excluded()).extracting(RungRecord::number).containsExactly(2);

    stop = new StopSignal();
    stopAt = Integer.MAX_VALUE;
    RunRecord run = climb(true);
    assertThat(run.status()).isEqualTo(RunRecord.Status.COMPLETE);
    assertThat(run.resumed().getFirst().discarded()).containsExactly("0000002-fake+3");
    RungRecord fake = rung(run, "fake", 2);
    assertThat(fake.number()).isEqualTo(3);
    assertThat(fake.excluded()).extracting(RungRecord::histograms).containsExactly("0000002-fake.hlog", "0000002-fake+2.hlog");
    assertThat(run.logs()).containsKeys("0000002-fake.hlog", "0000002-fake+2.hlog", "0000002-fake+3.hlog");
    assertThat(samples()).contains("fake 2 1", "fake 2 2", "fake 2 3");
    assertThat(RunFolder.json(folder.read())).isEqualTo(RunFolder.json(run));
  }

  @Test
  void eachRungSaysHowItWasWaitedForAQuietHost() throws IOException {
    Deque<HostLook> looks = new ArrayDeque<>(List.of(new HostLook(0.2, 0.0), new HostLook(0.0, 0.0)));
    quiet = new QuietWait(Duration.ofHours(1), Duration.ofMillis(10), 0.03, _ -> looks.size() > 1 ? looks.poll() : looks.peek());
    RunRecord run = climb(false);
    List<Attempt.Waited> waited = run.rungs().stream().map(r -> Objects.requireNonNull(Objects.requireNonNull(r.attempt()).waited())).toList();
    assertThat(waited.getFirst().seconds()).isPositive();
    assertThat(waited.subList(1, 4)).containsOnly(new Attempt.Waited(0, true, 0.0, 0.0));
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("ladder: 1/4  fake  2  waits for a quiet host: the hypervisor took 20.0 % of its CPU (at most 3.0 %), gaps over 1 ms")
        .contains("for 60:00 more at most");
    assertThat(MarkdownReport.of(run)).contains("Waited for a quiet host: 0:00 in all (minutes:seconds), before 1 of 4 measurements. Each began on a quiet host.");
    assertThat(TerminalTable.of(run, false)).contains("Waited for a quiet host");
    assertThat(RunSchema.complaints(RunFolder.json(run))).isEmpty();
  }

  @Test
  void aStopWhileItWaitsEndsTheRunBeforeAnythingIsStarted() throws IOException {
    quiet =
        new QuietWait(
            Duration.ofHours(1), Duration.ofHours(1), 0.03,
            _ -> {
              stop.request();
              return new HostLook(0.5, 0.5);
            });
    RunRecord run = climb(false);
    assertThat(run.status()).isEqualTo(RunRecord.Status.INTERRUPTED);
    assertThat(run.rungs()).hasSize(4).allMatch(rung -> rung.status() == RungRecord.Status.NOT_ATTEMPTED);
    assertThat(measured).isZero();
  }
}
