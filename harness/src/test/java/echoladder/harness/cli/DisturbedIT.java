package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.results.RungRecord;
import echoladder.harness.study.Study;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * One small run with a hog on every processor and without. A host that others keep busy spoils the second one too: then it has
 * to say so, by the figures that it was judged by, and nothing is said of the difference.
 */
@Tag("alone")
@Isolated("it compares a run that is disturbed with one that is not")
@Tag("long")
class DisturbedIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final Study.Thresholds BOUNDS = Study.Thresholds.DEFAULT;

  /** The bounds of the host are the defaults; the client may be as late as it likes, which is not what is asked here. */
  private static final String STUDY =
      """
      name: disturbed
      question: Does a run notice that somebody else works on its host?
      servers: [floor]
      rungs: [20]
      repeats: 1
      load: {rate: {total: 400/s}}
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 60s, steady: 3s, drain: 10s}
      bounds: {response_time_p99: 1h}
      thresholds: {achieved_share_least: 0.01, hiccup_most: 1h, late_share_most: 0.99}
      """;

  @TempDir private Path dir;

  private RungRecord run(String name) throws Exception {
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY);
    Path results = dir.resolve(name);
    try (LadderProcess ladder = LadderProcess.start(HOME, dir, "run", study.toString(), "--results", results.toString())) {
      assertThat(ladder.status()).as(ladder.err()).isBetween(0, 1);
    }
    return RunBelow.record(results, "disturbed").rungs().getFirst();
  }

  private static List<Process> hogs() throws IOException {
    List<Process> hogs = new ArrayList<>();
    for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
      // Ends by itself, should this test be killed.
      hogs.add(new ProcessBuilder("timeout", "600", "sh", "-c", "while :; do :; done").start());
    }
    return hogs;
  }

  private static List<Reason> reasons(RungRecord rung) {
    return Objects.requireNonNull(rung.load()).verdictReasons();
  }

  @Test
  void aHogBesideItIsSaidAndSpoilsNoRung() throws Exception {
    RungRecord quiet = run("quiet");
    List<Process> hogs = hogs();
    RungRecord disturbed;
    try {
      disturbed = run("hogs");
    } finally {
      hogs.forEach(hog -> hog.destroy());
    }
    assertThat(disturbed.valid()).as("noise is no verdict: %s", reasons(disturbed)).isTrue();
    assertThat(disturbed.aside()).as("what is set aside of the disturbed run").extracting(Reason::reason).contains(ReasonCode.HOST_TOO_NOISY);
    assertThat(disturbed.aside()).extracting(Reason::detail).anyMatch(detail -> detail.contains("went to neither server nor client"));

    boolean noisy =
        Objects.requireNonNull(HostMetrics.FOREIGN_SHARE.value(quiet)) > BOUNDS.foreignCpuShareMost()
            || Objects.requireNonNull(HostMetrics.STEAL_SHARE.value(quiet)) > BOUNDS.stealShareMost();
    assertThat(quiet.aside().stream().anyMatch(doubt -> doubt.reason() == ReasonCode.HOST_TOO_NOISY))
        .as("foreign CPU or steal on %s", quiet.figures())
        .isEqualTo(noisy);
    assertThat(quiet.valid()).as("the undisturbed run, %s", reasons(quiet)).isTrue();
  }
}
