package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.results.ResumedRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.linux.process.ProcessTree;
import echoladder.needs.BusyHost;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Real harness processes get a SIGKILL at one moment after the other; the run that is resumed each time is whole. */
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
@Tag("long")
class ResumeIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  /** So much text in the record that run.json does not fit into a pipe. */
  private static final String LONG = "repeats=" + " ".repeat(100_000) + "2";

  /** Slow ramps, to be met in one. */
  private static final String STUDY =
      """
      name: long
      question: Is anything lost?
      servers: [virtual-threads, floor]
      rungs: [20]
      repeats: 3
      load: {rate: {total: 400/s}}
      phases: {connect_rate: 10/s, warm_up_min: 0s, warm_up_max: 2m, steady: STEADY, drain: 5s}
      bounds: {response_time_p99: 1h, server_start: 2m}
      """
          + BusyHost.THRESHOLDS;

  @TempDir private Path dir;

  /** Rungs that the last of the killed harnesses had written. */
  private int kept;

  private LadderProcess begin(String steady) throws IOException {
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY.replace("STEADY", steady));
    return LadderProcess.start(HOME, dir, "run", study.toString(), "--set", LONG, "--results", results().toString());
  }

  private LadderProcess resume() throws IOException {
    return LadderProcess.start(HOME, dir, "run", "--resume", folder().dir().toString());
  }

  private Path results() {
    return dir.resolve("results");
  }

  /** The folder of the latest run. */
  private RunFolder folder() throws IOException {
    try (Stream<Path> folders = Files.list(results().resolve("long"))) {
      return new RunFolder(folders.max(Path::compareTo).orElseThrow());
    }
  }

  private static void await(LadderProcess ladder, BooleanSupplier condition) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(5))
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              assertThat(ladder.alive()).as(ladder.err()).isTrue();
              return condition.getAsBoolean();
            });
  }

  private static void awaitSaid(LadderProcess ladder, String words) {
    await(ladder, () -> ladder.err().contains(words));
  }

  private static void kill(LadderProcess ladder) throws IOException, InterruptedException {
    ladder.signal("KILL");
    assertThat(ladder.status()).isEqualTo(137);
  }

  private static String command(String... argv) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(argv).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }

  private int rungs() throws IOException {
    return folder().read().rungs().size();
  }

  @Test
  void aRunThatIsKilledAtOneMomentAfterTheOtherIsWhole() throws Exception {
    RunRecord whole;
    try (LadderProcess ladder = begin("1s")) {
      assertThat(ladder.status()).as(ladder.err()).isZero();
      whole = folder().read();
    }
    assertThat(whole.resumed()).isEmpty();
    Path first = folder().dir();
    try (LadderProcess ladder = begin("1s")) {
      await(ladder, () -> begun(first));
      kill(ladder);
    }
    assertThat(rungs()).as("killed before the first rung").isZero();
    List<ProcessHandle> orphans;
    try (LadderProcess ladder = resume()) {
      awaitSaid(ladder, "ramp");
      orphans = ladder.descendants();
      assertThat(orphans).hasSizeGreaterThanOrEqualTo(2);
      kill(ladder);
    }
    try (LadderProcess ladder = resume()) {
      awaitSaid(ladder, "is resumed");
      Awaitility.await("what the killed harness had started is gone")
          .atMost(Duration.ofSeconds(10))
          .until(() -> orphans.stream().noneMatch(ProcessTree::runs));
      awaitSaid(ladder, "steady");
      kill(ladder);
    }
    betweenHistogramAndRecord();
    betweenRungs();
    whileTheRecordIsWritten();
    aLogIsCutShort();
    Files.writeString(folder().file("samples.csv"), "floor,20,steady,1", StandardOpenOption.APPEND);
    Files.writeString(folder().file(".report.html.0123456789abcdef.next"), "half");
    try (LadderProcess ladder = resume()) {
      assertThat(ladder.status()).as(ladder.err()).isZero();
      assertThat(ladder.out()).contains("resumed 6 times", "report: ");
      assertThat(ladder.err())
          .contains("a rung is measured again, as its log is not whole: ", " bytes that it was recorded with")
          .doesNotContain("\tat ");
    }
    WholeRun resumed = new WholeRun(folder());
    resumed.hasTheShapeOf(whole, kept);
    resumed.hasWholeFiles();
    completeIsComplete();
  }

  /** As by a power cut: what was measured is recorded, and its histograms are half there. */
  private void aLogIsCutShort() throws IOException {
    Path log = folder().file(Objects.requireNonNull(folder().read().rungs().getFirst().histograms()));
    byte[] whole = Files.readAllBytes(log);
    Files.write(log, Arrays.copyOf(whole, whole.length / 2));
  }

  private boolean begun(Path other) {
    try {
      return !folder().dir().equals(other) && Files.exists(folder().file("run.json"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void refusedMeanwhile() throws Exception {
    try (LadderProcess second = resume()) {
      assertThat(second.status()).isEqualTo(3);
      assertThat(second.err()).contains("is being climbed, or its report written, by process ").doesNotContain("\tat ");
    }
  }

  /** The server is held still, so that the harness waits for its end: its client's log is whole, and no record is written. */
  private void betweenHistogramAndRecord() throws Exception {
    ProcessHandle server;
    try (LadderProcess ladder = resume()) {
      awaitSaid(ladder, "steady");
      server = ladder.descendant("--metrics-port");
      command("sh", "-c", "kill -STOP " + server.pid());
      // Its client has ended, and it waits for the server, which cannot.
      await(ladder, () -> ladder.descendants().stream().allMatch(server::equals));
      refusedMeanwhile(); // The ladder waits, so it is there.
      kill(ladder);
    }
    server.destroyForcibly();
    assertThat(rungs()).isZero();
    try (Stream<Path> files = Files.list(folder().dir())) {
      assertThat(files).anyMatch(file -> file.toString().endsWith(".hlog"));
    }
  }

  private void betweenRungs() throws Exception {
    try (LadderProcess ladder = resume()) {
      await(
          ladder,
          () -> {
            try {
              return rungs() == 1;
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          });
      kill(ladder);
    }
    assertThat(rungs()).isEqualTo(1);
  }

  /** It is killed as soon as what is to replace run.json is there: before that has its place, or just after. */
  private void whileTheRecordIsWritten() throws Exception {
    try (WatchService watch = FileSystems.getDefault().newWatchService();
        LadderProcess ladder = resume()) {
      awaitSaid(ladder, "2/4");
      folder().dir().register(watch, StandardWatchEventKinds.ENTRY_CREATE);
      ProcessHandle harness = ProcessHandle.of(ladder.pid()).orElseThrow();
      boolean killed = false;
      while (!killed) {
        WatchKey key = watch.poll(5, TimeUnit.MINUTES);
        assertThat(key).as(ladder.err()).isNotNull();
        killed = key.pollEvents().stream().anyMatch(event -> String.valueOf(event.context()).startsWith(".run.json."));
        key.reset();
      }
      harness.destroyForcibly();
      assertThat(ladder.status()).isEqualTo(137);
    }
    kept = rungs();
    assertThat(kept).isBetween(1, 2);
    // What a moment earlier would have left.
    Files.writeString(folder().file(".run.json.0123456789abcdef.next"), "{\"schema_version\"");
  }

  private void completeIsComplete() throws Exception {
    Files.delete(folder().file("report.html"));
    try (LadderProcess ladder = resume()) {
      assertThat(ladder.status()).isZero();
      assertThat(ladder.err()).contains("is complete: there is nothing to resume");
      assertThat(ladder.out()).contains("report: ");
    }
    assertThat(folder().file("report.html")).exists();
  }

  @Test
  void anInterruptedRunIsResumedAndOneOfOtherSurroundingsIsRefused() throws Exception {
    try (LadderProcess ladder = begin("3s")) {
      await(ladder, () -> ladder.err().lines().anyMatch(line -> line.matches("ladder: 2/4 .* steady")));
      ladder.signal("INT");
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(1);
      assertThat(ladder.err()).contains("to go on: ./ladder run --resume");
    }
    RunFolder folder = folder();
    String json = Files.readString(folder.file("run.json"));
    Files.writeString(folder.file("run.json"), json.replaceFirst("\"jvm\" : \"[^\"]*\"", "\"jvm\" : \"another\""));
    try (LadderProcess ladder = resume()) {
      assertThat(ladder.status()).isEqualTo(2);
      assertThat(ladder.err())
          .contains("cannot be resumed", "runtimes.jvm was 'another' and is '", "begin anew: ./ladder run");
    }
    Files.writeString(
        folder.file("run.json"), json.replaceFirst("\"distribution\" : \"[^\"]*\"", "\"distribution\" : \"before\""));
    try (LadderProcess ladder = resume()) {
      assertThat(ladder.status()).as(ladder.err()).isZero();
      assertThat(ladder.err()).contains("1 of 4 rungs are kept", "distribution has become '");
    }
    RunRecord run = folder.read();
    assertThat(run.status()).isEqualTo(RunRecord.Status.COMPLETE);
    assertThat(run.rungs()).hasSize(4).allMatch(RungRecord::valid);
    assertThat(run.resumed()).singleElement().satisfies(
        part -> {
          assertThat(part.rungsKept()).isEqualTo(1);
          assertThat(part.discarded()).hasSize(1);
          assertThat(part.differences()).extracting(ResumedRecord.Difference::name).contains("distribution");
        });
    assertThat(folder.file("report.html")).content().contains("<code>distribution</code> was");
  }
}
