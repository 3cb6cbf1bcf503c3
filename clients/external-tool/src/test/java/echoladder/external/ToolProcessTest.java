package echoladder.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import echoladder.linux.process.DescriptorLimit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes. */
class ToolProcessTest {
  private static final Duration MOST = Duration.ofSeconds(60);

  @TempDir Path folder;

  private static List<String> shell(String script) {
    return List.of("/bin/sh", "-c", script);
  }

  @Test
  void theSoftLimitIsSetAndTheProcessIsTheToolItself() throws Exception {
    try (ToolProcess tool = ToolProcess.start(shell("ulimit -S -n; echo $$; echo said >&2; exit 7"), 200, l -> {})) {
      ToolProcess.Ended ended = tool.await(MOST);
      assertThat(ended.stdout()).isEqualTo("200\n" + tool.pid() + "\n");
      assertThat(ended.stderr()).isEqualTo("said\n");
      assertThat(ended.exit()).isEqualTo(7);
      assertThat(ended.killed()).isFalse();
    }
  }

  @Test
  void linesOfStderrAreHeardWhileItRuns() throws Exception {
    Queue<String> heard = new ConcurrentLinkedQueue<>();
    try (ToolProcess tool = ToolProcess.start(shell("echo ready >&2; exec sleep 100"), 200, heard::add)) {
      await().untilAsserted(() -> assertThat(heard).containsExactly("ready"));
      assertThat(tool.onExit()).isNotDone();
    }
  }

  @Test
  void linesOfStdoutAreHeardWhileItRuns() throws Exception {
    Queue<String> heard = new ConcurrentLinkedQueue<>();
    try (ToolProcess tool = ToolProcess.start(shell("echo begun; exec sleep 100"), 200, heard::add, l -> {})) {
      await().untilAsserted(() -> assertThat(heard).containsExactly("begun"));
      assertThat(tool.onExit()).isNotDone();
    }
  }

  @Test
  void aToolThatOutlivesItsBoundIsKilled() throws Exception {
    try (ToolProcess tool = ToolProcess.start(shell("exec sleep 100"), 200, l -> {})) {
      ToolProcess.Ended ended = tool.await(Duration.ofMillis(50));
      assertThat(ended.killed()).isTrue();
      assertThat(ended.exit()).isEqualTo(137);
    }
  }

  @Test
  void ofAToolThatPrintsWithoutEndTheBeginningAndTheEndAreKept() throws Exception {
    String endless = "head -c 3000000 /dev/zero | tr '\\0' x; echo; seq 1 700000";
    try (ToolProcess tool = ToolProcess.start(shell(endless), 200, l -> {})) {
      String out = tool.await(MOST).stdout();
      assertThat(out).startsWith("xxx").contains("x [cut here: ").contains(" bytes are left out here: ").endsWith("\n700000\n");
      assertThat(out.length()).isBetween(2 << 20, (2 << 20) + 200);
    }
  }

  @Test
  void closingLeavesNoProcess() throws Exception {
    ToolProcess tool = ToolProcess.start(shell("exec sleep 100"), 200, l -> {});
    tool.close();
    await().until(() -> ProcessHandle.of(tool.pid()).map(p -> !p.isAlive()).orElse(true));
  }

  @Test
  void anInterruptOfTheThreadEndsItAndIsKept() throws Exception {
    try (ToolProcess tool = ToolProcess.start(shell("exec sleep 100"), 200, l -> {})) {
      Thread.currentThread().interrupt();
      ToolProcess.Ended ended = tool.await(MOST);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(ended.killed()).isTrue();
    }
  }

  @Test
  void itsCommandAndOutputAreLogged() throws Exception {
    Path log = folder.resolve("log");
    ToolProcess.log(log, List.of("tool", "-x"), new ToolProcess.Ended(3, "out\n", "err\n", true));
    ToolProcess.log(log, List.of("tool"), new ToolProcess.Ended(0, "", "", false));
    assertThat(Files.readString(log))
        .isEqualTo("$ tool -x\nerr\nout\n[exit status 3, killed]\n$ tool\n[exit status 0]\n");
  }

  @Test
  void programsAreFoundInTheOrderOfThePath() throws Exception {
    Path first = Files.createDirectory(folder.resolve("first"));
    Path second = Files.createDirectory(folder.resolve("second"));
    SearchPath path = new SearchPath(first + ":" + second);
    assertThat(path.find("tool")).isEmpty();
    Path later = Files.createFile(second.resolve("tool"));
    assertThat(path.find("tool")).as("not executable").isEmpty();
    Files.setPosixFilePermissions(later, PosixFilePermissions.fromString("rwx------"));
    assertThat(path.find("tool")).contains(later);
    Files.createDirectory(first.resolve("tool"));
    assertThat(path.find("tool")).as("a folder is no program").contains(later);
  }

  @Test
  void descriptorsAreWhatIsNeededAndWhatIsAllowed() throws Exception {
    assertThat(Descriptors.soft("tool", new DescriptorLimit(1_024, 4_096), 1_000, 3_000)).isEqualTo(3_000);
    assertThat(Descriptors.soft("tool", new DescriptorLimit(1_024, 2_000), 1_000, 3_000)).isEqualTo(2_000);
    assertThat(Descriptors.soft("tool", new DescriptorLimit(1_024, -1), 1_000, 3_000)).as("unlimited").isEqualTo(3_000);
    assertThatThrownBy(() -> Descriptors.soft("tool", new DescriptorLimit(1_024, 20_000), 30_010, 60_000))
        .isInstanceOf(UnfitPlanException.class)
        .hasMessageContaining("tool needs 30,010 descriptors and the hard limit is 20,000")
        .hasMessageContaining("runbooks/symptoms/descriptor-limit.md");
  }
}
