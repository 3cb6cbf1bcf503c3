package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.needs.BusyHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import org.awaitility.Awaitility;

/** A run of two rungs whose disk ends it in the second: what is kept, what is refused, and that it goes on when the disk is well. */
record StoppedByDisk(Path dir, Path disk, Function<String[], LadderProcess> ladder) {
  private static final String STUDY =
      """
      name: stopped
      question: What does a disk cost?
      servers: [floor]
      rungs: [20]
      repeats: 2
      load: {rate: {total: 400/s}}
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 2m, steady: 3s, drain: 5s}
      bounds: {response_time_p99: 1h, server_start: 2m}
      """
          + BusyHost.THRESHOLDS;

  /** Something that the disk does or that is done to it. */
  @FunctionalInterface
  interface Trouble {
    void happens() throws Exception;
  }

  /** Starts the run. */
  LadderProcess begin() throws IOException {
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY);
    return ladder("run", study.toString(), "--results", disk.resolve("results").toString());
  }

  private LadderProcess ladder(String... arguments) {
    return ladder.apply(arguments);
  }

  /**
   * Runs until the trouble ends it, and on when it is over.
   *
   * @param said what the system says of it
   * @return what the run said until its end
   */
  String endsAndGoesOn(Trouble trouble, String said, Trouble over) throws Exception {
    String err;
    try (LadderProcess run = begin()) {
      Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> run.err().lines().anyMatch(line -> line.matches("ladder: 2/2 .* steady")));
      trouble.happens();
      assertThat(run.status()).as(run.err()).isEqualTo(3);
      err = run.err();
      assertThat(err)
          .contains("the run stopped: ", said, "The 1 rungs that were measured before are kept in", "go on with: ./ladder run --resume ")
          .doesNotContain("\tat ", "failed unexpectedly");
      assertThat(run.out()).contains("floor", "valid");
    }
    RunFolder folder = folder();
    assertThat(folder.read().rungs()).singleElement().matches(RungRecord::valid);
    assertThat(Files.readAllLines(folder.file("samples.csv")).stream().map(row -> row.split(",", -1).length).distinct()).hasSize(1);
    String before = Files.readString(folder.file("run.json"));
    try (LadderProcess report = ladder("report", folder.dir().toString())) {
      assertThat(report.status()).isEqualTo(3);
      assertThat(report.err()).contains("cannot write the report into", said).doesNotContain("\tat ");
    }
    assertThat(folder.file("run.json")).hasContent(before);
    over.happens();
    try (LadderProcess run = ladder("run", "--resume", folder.dir().toString())) {
      assertThat(run.status()).as(run.err()).isZero();
    }
    assertThat(folder.read().status()).isEqualTo(RunRecord.Status.COMPLETE);
    assertThat(folder.read().rungs()).hasSize(2).allMatch(RungRecord::valid);
    assertThat(folder.file("report.html")).content().doesNotContain("could not be read of this run");
    return err;
  }

  private RunFolder folder() throws IOException {
    return new RunFolder(RunBelow.folder(disk.resolve("results"), "stopped"));
  }
}
