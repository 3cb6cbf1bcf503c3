package echoladder.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose owner is dead goes, all else stays. The owners are processes, as locks of one are not seen by itself. */
class OwnedFolderTest {
  private static final FileTime LONG_AGO = FileTime.from(Instant.EPOCH);

  @TempDir private Path parent;

  @TempDir private Path elsewhere;

  private List<Path> there() throws IOException {
    try (Stream<Path> all = Files.list(parent)) {
      return all.toList();
    }
  }

  private Process owner() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"), OwnedFolderProcess.class.getName(),
            parent.toString(), elsewhere.resolve("perf-1.map").toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static void ended(Process process) throws InterruptedException {
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void whatALivingProcessOwnsStaysAndWhatAKilledOneLeftGoes() throws Exception {
    Process owner = owner();
    try {
      Path folder = Path.of(owner.inputReader().readLine());
      OwnedFolder.in(parent, "other").close();
      assertThat(folder.resolve("server.log")).exists();

      owner.destroyForcibly();
      ended(owner);
      assertThat(folder.resolve("server.log")).exists();
      assertThat(elsewhere.resolve("perf-1.map")).exists();
      try (OwnedFolder next = OwnedFolder.in(parent, "other")) {
        assertThat(there()).containsExactly(next.dir());
      }
      assertThat(there()).isEmpty();
      assertThat(elsewhere).isEmptyDirectory();
    } finally {
      owner.destroyForcibly();
    }
  }

  @Test
  void nothingIsLeftOfAProcessThatEnds() throws Exception {
    Process owner = owner();
    owner.inputReader().readLine();
    owner.outputWriter().close();
    ended(owner);
    assertThat(there()).isEmpty();
    assertThat(elsewhere).isEmptyDirectory();
  }

  /** A process may have several, and loses the lock of none when it makes the next. */
  @Test
  void thoseOfThisProcessStay() throws Exception {
    try (OwnedFolder second = OwnedFolder.in(parent, "second")) {
      OwnedFolder first = OwnedFolder.in(parent, "first");
      Process other = owner();
      other.inputReader().readLine();
      assertThat(first.dir()).isDirectory();
      assertThat(second.dir()).isDirectory();
      other.outputWriter().close();
      ended(other);
      first.close();
      assertThat(there()).containsExactly(second.dir());
    }
    assertThat(there()).isEmpty();
  }

  @Test
  void whatIsBeginningOrSomethingElseStays() throws IOException {
    Path beginning = Files.createDirectory(parent.resolve(".echo-ladder-test-1"));
    Path neverBegun = Files.createDirectory(parent.resolve(".echo-ladder-test-2"));
    Files.setLastModifiedTime(neverBegun, LONG_AGO);
    Path other = Files.createDirectory(parent.resolve("echo-ladder-hostile"));
    Files.createFile(elsewhere.resolve(".owned"));
    Path link = Files.createSymbolicLink(parent.resolve("echo-ladder-link"), elsewhere);
    OwnedFolder.in(parent, "test").close();
    assertThat(there()).containsExactlyInAnyOrder(beginning, other, link);
    assertThat(elsewhere.resolve(".owned")).exists();
  }
}
