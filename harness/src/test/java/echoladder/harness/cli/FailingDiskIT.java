package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.soak.SoakFiles;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written onto a disk that begins to fail: each ends with what the disk said, and keeps what was on the disk before. */
@Needs(Need.CC)
class FailingDiskIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final int EIO = 5;

  @TempDir private Path dir;
  private FailingDisk disk = new FailingDisk(Path.of(""), Path.of(""), Path.of(""));

  @BeforeEach
  void build() throws Exception {
    disk = FailingDisk.in(dir);
  }

  private LadderProcess ladder(String... arguments) {
    return LadderProcess.start(HOME, dir, disk.environment(), arguments);
  }

  private static void says(LadderProcess ladder, String line) {
    Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> ladder.err().lines().anyMatch(said -> said.matches(line)));
  }

  private Path folder(String kind) throws IOException {
    return RunBelow.folder(disk.folder().resolve("results"), kind);
  }

  @Test
  @Tag("long")
  void aRunEndsAndGoesOnLaterWhereTheDiskFailsLate() throws Exception {
    aRunEndsAndGoesOnLater(EIO, "fsync", "Input/output error");
  }

  /** What the disk says | by which calls: a device that fails, a file system that has turned read-only. */
  @ParameterizedTest
  @Tag("long")
  @CsvSource({"5, write fsync, Input/output error", "30, write, Read-only file system"})
  void aRunEndsAndGoesOnLater(int errno, String calls, String said) throws Exception {
    StoppedByDisk run = new StoppedByDisk(dir, disk.folder(), this::ladder);
    assertThat(run.endsAndGoesOn(() -> disk.fail(errno, calls), said, disk::mend)).doesNotContain("disk full");
  }

  @Test
  @Tag("long")
  void aLedgerEndsAndKeepsTheClaimsBefore() throws Exception {
    Map<String, String> steps = new TreeMap<>(Map.of("first", ClaimsStudy.sleepers(100, "10ms"), "second", ClaimsStudy.sleepers(1, "4s")));
    Path study = ClaimsStudy.in(dir.resolve("some"), "512M", steps);
    try (LadderProcess ladder = ladder("run", study.toString(), "--results", disk.folder().resolve("results").toString())) {
      says(ladder, "ladder: claim 2 of 2, second");
      disk.fail(EIO, "write fsync");
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(3);
      assertThat(ladder.err()).contains("Input/output error").doesNotContain("\tat ", "failed unexpectedly");
    }
    assertThat(folder("claims").resolve("ledger.json")).content().contains("\"first\"");
  }

  @Test
  @Tag("long")
  void aSoakEndsAndGoesOnLater() throws Exception {
    try (LadderProcess ladder =
        ladder("soak", "--for", "10s", "--server", "floor", "--connections", "100", "--results", disk.folder().resolve("results").toString())) {
      says(ladder, "ladder: soak 1 of 1, floor, 10s");
      disk.fail(EIO, "write fsync");
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(3);
      assertThat(ladder.err()).contains("cannot go on: ", "Input/output error").doesNotContain("\tat ", "failed unexpectedly");
    }
    disk.mend();
    try (LadderProcess ladder = ladder("soak", "--resume", folder("soak").toString())) {
      // On a busy host ten seconds may have too few samples.
      assertThat(ladder.status()).as(ladder.err()).isLessThan(2);
    }
    assertThat(SoakFiles.read(RunFolder.open(folder("soak"))).status()).isEqualTo(RunRecord.Status.COMPLETE);
  }

  /** A prescription is files of settings for other programs: half a file would be worse than none. */
  @Test
  void aPrescriptionIsNotClaimedToBeWritten() throws Exception {
    disk.fail(EIO, "write fsync");
    try (LadderProcess ladder = ladder("doctor", "--connections", "1000", "--write", disk.folder().resolve("prescribed").toString())) {
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(3);
      assertThat(ladder.err()).contains("Input/output error").doesNotContain("\tat ", "failed unexpectedly");
    }
  }

  private LadderProcess tune(String... arguments) {
    return ladder(
        Stream.of(
                List.of("tune"),
                List.of(arguments),
                List.of("--state", disk.folder().resolve("state").toString(), "--proc-sys", dir.resolve("sys").toString()))
            .flatMap(List::stream)
            .toArray(String[]::new));
  }

  private Path settings() throws IOException {
    Files.createDirectories(dir.resolve("sys/kernel/random"));
    Files.createDirectories(dir.resolve("sys/vm"));
    Files.writeString(dir.resolve("sys/kernel/random/boot_id"), "b001\n");
    Files.writeString(dir.resolve("p.conf"), "vm.max_map_count = 70000\n");
    return Files.writeString(dir.resolve("sys/vm/max_map_count"), "65530\n");
  }

  /** A setting changes only after its journal says what it was. */
  @ParameterizedTest
  @ValueSource(strings = {"write", "fsync"})
  void settingsStayAsTheyAreWhereTheirJournalCannotBeWritten(String calls) throws Exception {
    Path maps = settings();
    disk.fail(EIO, calls);
    try (LadderProcess apply = tune("apply", dir.resolve("p.conf").toString())) {
      assertThat(apply.status()).as(apply.err()).isEqualTo(3);
      assertThat(apply.err())
          .contains("the journal " + disk.folder().resolve("state"), "Input/output error")
          .doesNotContain("\tat ", "CAP_SYS_ADMIN", "failed unexpectedly");
    }
    assertThat(maps).hasContent("65530\n");
    disk.mend();
    try (LadderProcess apply = tune("apply", dir.resolve("p.conf").toString())) {
      assertThat(apply.status()).as(apply.err()).isZero();
    }
    disk.fail(EIO, calls);
    try (LadderProcess restore = tune("restore")) {
      assertThat(restore.status()).as(restore.err()).isZero();
      assertThat(restore.err()).doesNotContain("\tat ", "failed unexpectedly");
    }
    assertThat(maps).hasContent("65530\n");
  }
}
