package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run on a disk that is full, and on one that may not be written: real ones, of a few MiB of memory. */
@Needs({Need.MOUNT, Need.NAMESPACES})
@Tag("long")
class FullDiskIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

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

  private StoppedByDisk run() {
    return new StoppedByDisk(dir, disk, arguments -> LadderProcess.start(HOME, dir, arguments));
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
    run().endsAndGoesOn(() -> fill(filler), "No space left", () -> Files.delete(filler));
  }

  @Test
  void aFolderThatMayNotBeWrittenIsRefusedBeforeAnythingStarts() throws Exception {
    mount("size=64k,ro");
    try (LadderProcess ladder = run().begin()) {
      assertThat(ladder.status()).isEqualTo(3);
      assertThat(ladder.err())
          .contains("cannot create a run folder in", "Read-only file system", "nothing was started", "--results DIR")
          .doesNotContain("\tat ", "start server");
      assertThat(ladder.out()).isEmpty();
    }
  }
}
