package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A real ladder that looks at this host, which is stopped while it does. */
class WaitQuietIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  private static final String STUDY =
      """
      name: waits
      question: Is the host waited for?
      servers: [floor]
      rungs: [20]
      repeats: 1
      load: {rate: {total: 400/s}}
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 2m, steady: 1s, drain: 5s}
      """;

  @TempDir private Path dir;

  private Path results() {
    return dir.resolve("results");
  }

  private String study() throws Exception {
    return Files.writeString(dir.resolve("study.yaml"), STUDY).toString();
  }

  private static void awaitSaid(LadderProcess ladder, String words) {
    Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> ladder.err().contains(words) || !ladder.alive());
    assertThat(ladder.err()).contains(words);
  }

  /** Before a run there is nothing to keep. */
  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143"})
  void aSignalEndsTheLookAtTheHostBeforeARun(String signal, int status) throws Exception {
    try (LadderProcess ladder = LadderProcess.startLooking(3_600_000, HOME, dir, "run", study(), "--results", results().toString())) {
      awaitSaid(ladder, "at what this host takes from a busy thread");
      ladder.signal(signal);
      assertThat(ladder.status()).isEqualTo(status);
      assertThat(ladder.descendants()).isEmpty();
    }
    assertThat(results()).doesNotExist();
  }

  /** Before the first rung, whose figures the gaps would be in. */
  @Test
  void aBusyHostIsOfferedToWait() throws Exception {
    List<Process> hogs = hogs();
    try (LadderProcess ladder = LadderProcess.startLooking(200, HOME, dir, "run", study(), "--results", results().toString())) {
      awaitSaid(ladder, "this host is busy: gaps over 0.1 ms take ");
      assertThat(ladder.err())
          .contains("; to wait before each rung until the host is quiet: --wait-quiet 30m; see runbooks/symptoms/host-too-noisy.md\n");
    } finally {
      hogs.forEach(Process::destroy);
    }
  }

  /** Three for each processor make gaps of milliseconds in any thread beside them. */
  private static List<Process> hogs() throws IOException {
    List<Process> hogs = new ArrayList<>();
    for (int i = 0; i < 3 * Runtime.getRuntime().availableProcessors(); i++) {
      // Ends by itself, should this test be killed.
      hogs.add(new ProcessBuilder("timeout", "300", "sh", "-c", "while :; do :; done").start());
    }
    return hogs;
  }

  @Test
  void itWaitsWhileOthersHaveTheHostAndASignalEndsThat() throws Exception {
    List<Process> hogs = hogs();
    try (LadderProcess ladder = LadderProcess.start(HOME, dir, "run", study(), "--wait-quiet", "1h", "--results", results().toString())) {
      awaitSaid(ladder, "waits for a quiet host");
      assertThat(ladder.err()).contains("gaps over 1 ms took").contains("more at most").doesNotContain("start server");
      ladder.signal("INT");
      assertThat(ladder.status()).isEqualTo(1);
      assertThat(ladder.err()).contains("stopping; what was measured is kept", "to go on: ./ladder run --resume");
    } finally {
      hogs.forEach(Process::destroy);
    }
    RunRecord run = RunBelow.record(results(), "waits");
    assertThat(run.status()).isEqualTo(RunRecord.Status.INTERRUPTED);
    assertThat(run.reproduce()).endsWith(" --wait-quiet 1h");
    assertThat(run.rungs()).singleElement().extracting(RungRecord::status).isEqualTo(RungRecord.Status.NOT_ATTEMPTED);
  }
}
