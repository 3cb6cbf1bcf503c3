package echoladder.linux.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import echoladder.linux.output.BoundedLines;
import echoladder.processes.CommandLines;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes, some of which do not want to end. */
class ChildProcessTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir private Path dir;

  private static ChildProcess shell(String script, ChildProcess.@Nullable Drain stdout) throws IOException {
    // A shell that starts a build in the background lets it ignore SIGINT, and so would all below it.
    return ChildProcess.start(new ProcessBuilder("env", "--default-signal=INT", "sh", "-c", script), stdout, null);
  }

  private static boolean runs(long pid) {
    try {
      // One that nobody has waited for yet has ended all the same.
      return !Files.readString(Path.of("/proc/" + pid + "/stat")).replaceFirst(".*\\)", "").startsWith(" Z");
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void whatItPrintsIsReadAndItsEndIsTold() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ChildProcess child = shell("echo said; exit 7", from -> from.transferTo(out))) {
      assertThat(child.endsWithin(LONG)).isTrue();
      assertThat(child.drained()).isTrue();
      assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("said\n");
      assertThat(child.status()).isEqualTo(7);
      assertThat(child.ending()).isEqualTo("ended with exit status 7");
    }
  }

  @Test
  void anInterruptIsCtrlC() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ChildProcess child =
        shell("trap 'echo caught; exit 0' INT; echo up; while true; do sleep 0.05; done", from -> from.transferTo(out))) {
      await().atMost(LONG).until(() -> out.size() > 0);
      child.interrupt();
      assertThat(child.endsWithin(LONG)).isTrue();
      assertThat(child.drained()).isTrue();
      assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("up\ncaught\n");
    }
  }

  @Test
  void killingTakesWhatItStartedToo() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ChildProcess child = shell("trap '' TERM; sleep 1000 & echo $!; wait", from -> from.transferTo(out))) {
      await().atMost(LONG).until(() -> out.toString(StandardCharsets.UTF_8).endsWith("\n"));
      long grandchild = Long.parseLong(out.toString(StandardCharsets.UTF_8).strip());
      assertThat(child.has(grandchild)).isTrue();
      assertThat(child.has(child.pid())).isTrue();
      assertThat(child.has(ProcessHandle.current().pid())).isFalse();
      assertThat(child.stop(Duration.ofMillis(300))).contains("did not end within").contains("was killed");
      assertThat(child.ending()).isEqualTo("was killed by signal 9");
      await().atMost(LONG).until(() -> !runs(grandchild));
    }
  }

  /** As it is when a ladder is killed: nothing of what it has started is left, whoever of them heeds what. */
  @Test
  void whatWasStartedEndsWhenItsStarterIsKilled() throws Exception {
    Path late = dir.resolve("late");
    Process parent =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Parent.class.getName(),
                late.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<Long> started;
    try (var lines = new BufferedReader(new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8))) {
      started = lines.lines().limit(2).map(Long::parseLong).toList();
      assertThat(started).hasSize(2).allMatch(ChildProcessTest::runs);
      parent.destroyForcibly().waitFor();
    }
    await().atMost(LONG).until(() -> started.stream().noneMatch(ChildProcessTest::runs));
    assertThat(late).as("it was asked first, and had time").hasContent("asked\n");
  }

  /** Starts two processes and waits to be killed. */
  static final class Parent {
    private Parent() {}

    public static void main(String[] args) throws Exception {
      // Without stderr, where its shell would say to a pipe that is gone that what it waited for was killed.
      String heeds = "exec 2>/dev/null; trap 'echo asked >" + args[0] + "; exit 0' TERM; echo $$; while true; do sleep 0.05; done";
      // Its own child is not known to anybody but by what it inherits. Java closes the pipe at the shell's end, so the shell
      // says the pid, and not its child.
      String grandchild = "sleep 1000 & echo $!; exit 0";
      ChildProcess.start(new ProcessBuilder("sh", "-c", heeds), Parent::print, null);
      ChildProcess.start(new ProcessBuilder("sh", "-c", grandchild), Parent::print, null);
      Thread.sleep(Duration.ofMinutes(10));
    }

    private static void print(InputStream from) throws IOException {
      BoundedLines lines = new BoundedLines(from, 100);
      BoundedLines.Line line;
      while ((line = lines.next()) != null) {
        System.out.println(line.text());
      }
    }
  }

  @Test
  void theGuardIsNobodysChild() throws Exception {
    try (ChildProcess child = shell("exec sleep 1000", null)) {
      await().atMost(LONG).until(() -> ProcessHandle.current().descendants().filter(p -> p.pid() != child.pid())
          .noneMatch(p -> CommandLines.of(p).contains("ECHOLADDER_GUARDED_BY")));
      assertThat(child.alive()).isTrue();
    }
  }
}
