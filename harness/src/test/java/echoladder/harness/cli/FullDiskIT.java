package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run on a disk that is full, and on one that may not be written: real ones, of a few MiB of memory. */
@Needs({Need.MOUNT, Need.NAMESPACES})
class FullDiskIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  private static final String STUDY =
      """
      name: full
      question: What does a full disk cost?
      servers: [floor, virtual-threads]
      rungs: [20]
      repeats: 1
      load: {rate: {total: 400/s}}
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 30s, steady: 3s, drain: 5s}
      bounds: {response_time_p99: 1h, server_start: 2m}
      thresholds: {achieved_share_least: 0.01, hiccup_most: 1h, late_share_most: 0.99, host_idle_share_least: 0,
                   steal_share_most: 0.99, foreign_cpu_share_most: 0.999}
      """;

  @TempDir private Path dir;
  private Path disk = Path.of("never-used");
  private boolean mounted;

  private static String failure(String... argv) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(argv).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() == 0 ? "" : said + " (exit status " + process.exitValue() + ")";
  }

  private void mount(String options) throws IOException, InterruptedException {
    disk = Files.createDirectory(dir.resolve("disk"));
    String failure = failure("mount", "-t", "tmpfs", "-o", options, "echo-ladder-test", disk.toString());
    assertThat(failure).isEmpty();
    mounted = true;
  }

  @AfterEach
  void unmount() throws IOException, InterruptedException {
    if (mounted) {
      assertThat(failure("umount", disk.toString())).isEmpty();
    }
  }

  private LadderProcess ladder(String... arguments) throws IOException {
    return LadderProcess.start(HOME, dir, arguments);
  }

  private LadderProcess begin() throws IOException {
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY);
    return ladder("run", study.toString(), "--results", disk.resolve("results").toString());
  }

  private RunFolder folder() throws IOException {
    try (Stream<Path> folders = Files.list(disk.resolve("results/full"))) {
      return new RunFolder(folders.findFirst().orElseThrow());
    }
  }

  private static void fill(Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      byte[] page = new byte[4096];
      while (true) {
        out.write(page);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  @Test
  void aFullDiskEndsTheRunWithoutAVerdictAndLosesNothing() throws Exception {
    mount("size=8m");
    Path filler = disk.resolve("filler");
    try (LadderProcess ladder = begin()) {
      Awaitility.await()
          .atMost(Duration.ofMinutes(3))
          .until(() -> ladder.err().lines().anyMatch(line -> line.matches("ladder: 2/2 .* steady")));
      fill(filler);
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(3);
      assertThat(ladder.err())
          .contains("the run stopped: ", "No space left", "The 1 rungs that were measured before are kept in")
          .contains("go on with: ./ladder run --resume ")
          .doesNotContain("\tat ", "failed unexpectedly");
      assertThat(ladder.out()).contains("floor", "valid");
    }
    RunFolder folder = folder();
    assertThat(folder.read().rungs()).singleElement().matches(RungRecord::valid);
    List<String> rows = Files.readAllLines(folder.file("samples.csv"));
    assertThat(rows.stream().map(row -> row.split(",", -1).length).distinct()).hasSize(1);
    try (LadderProcess ladder = ladder("report", folder.dir().toString())) {
      assertThat(ladder.status()).isEqualTo(3);
      assertThat(ladder.err()).contains("cannot write the report into", "No space left").doesNotContain("\tat ");
    }
    Files.delete(filler);
    try (LadderProcess ladder = ladder("run", "--resume", folder.dir().toString())) {
      assertThat(ladder.status()).as(ladder.err()).isZero();
    }
    assertThat(folder.read().status()).isEqualTo(RunRecord.Status.COMPLETE);
    assertThat(folder.read().rungs()).hasSize(2).allMatch(RungRecord::valid);
    assertThat(folder.file("report.html")).content().doesNotContain("could not be read of this run");
  }

  @Test
  void aFolderThatMayNotBeWrittenIsRefusedBeforeAnythingStarts() throws Exception {
    mount("size=64k,ro");
    try (LadderProcess ladder = begin()) {
      assertThat(ladder.status()).isEqualTo(3);
      assertThat(ladder.err())
          .contains("cannot create a run folder in", "Read-only file system", "nothing was started", "--results DIR")
          .doesNotContain("\tat ", "start server");
      assertThat(ladder.out()).isEmpty();
    }
  }
}
