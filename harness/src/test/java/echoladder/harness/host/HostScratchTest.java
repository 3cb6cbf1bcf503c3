package echoladder.harness.host;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders of control processes: whose owner is dead goes, all else stays. */
class HostScratchTest {
  private static final FileTime LONG_AGO = FileTime.from(Instant.EPOCH);

  @TempDir private Path parent;

  /** As a control process leaves it that was killed: with a file whose lock the kernel has let go. */
  private Path left(String name) throws IOException {
    Path dir = Files.createDirectory(parent.resolve(name));
    Files.writeString(dir.resolve("server.log"), "ready");
    Files.setLastModifiedTime(Files.createFile(dir.resolve(".owned")), LONG_AGO);
    return dir;
  }

  private List<Path> there() throws IOException {
    try (Stream<Path> all = Files.list(parent)) {
      return all.toList();
    }
  }

  @Test
  void whatAKilledProcessLeftIsRemovedByTheNext() throws IOException {
    Path dead = left("echo-ladder-host123");
    try (HostScratch scratch = HostScratch.in(parent)) {
      assertThat(dead).doesNotExist();
      assertThat(there()).containsExactly(scratch.dir());
    }
    assertThat(there()).isEmpty();
  }

  /** By another process: locks of one are not seen by itself. */
  @Test
  @Needs(Need.PYTHON)
  void whatALivingProcessOwnsStays() throws Exception {
    Path living = left("echo-ladder-host456");
    String lock = "import fcntl,sys; f = open(sys.argv[1], 'w'); fcntl.lockf(f, fcntl.LOCK_EX); print('locked', flush=True); sys.stdin.read()";
    Process owner = new ProcessBuilder("/usr/bin/python3", "-c", lock, living.resolve(".owned").toString()).start();
    try {
      assertThat(owner.inputReader().readLine()).isEqualTo("locked");
      Files.setLastModifiedTime(living.resolve(".owned"), LONG_AGO);
      HostScratch.in(parent).close();
      assertThat(living.resolve("server.log")).exists();
    } finally {
      owner.destroyForcibly();
    }
    owner.waitFor();
    HostScratch.in(parent).close();
    assertThat(living).doesNotExist();
  }

  @Test
  void whatIsYoungOrSomethingElseStays() throws IOException {
    Path young = left("echo-ladder-host789");
    Files.setLastModifiedTime(young.resolve(".owned"), FileTime.from(Instant.now()));
    Path other = Files.createDirectory(parent.resolve("echo-ladder-hostile"));
    Path link = Files.createSymbolicLink(parent.resolve("echo-ladder-host-link"), left("elsewhere"));
    HostScratch.in(parent).close();
    assertThat(there()).containsExactlyInAnyOrder(young, other, link, parent.resolve("elsewhere"));
    assertThat(parent.resolve("elsewhere/server.log")).exists();
  }
}
