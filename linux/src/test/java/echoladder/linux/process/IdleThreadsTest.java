package echoladder.linux.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** In a process of its own, as there may be no way back. */
class IdleThreadsTest {
  private static final String SCHED_OTHER = "0";
  private static final String SCHED_IDLE = "5";

  @Test
  void theCompilersAreIdleThreadsAndNobodyElse() throws Exception {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<String> lines = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    assertThat(child.waitFor()).isZero();
    assertThat(lines).anyMatch(line -> line.startsWith("C1 Compiler")).anyMatch(line -> line.startsWith("C2 Compiler"));
    assertThat(lines)
        .as("names and policies")
        .allMatch(line -> line.endsWith(line.matches("C[12] Compiler.*") ? " " + SCHED_IDLE : " " + SCHED_OTHER));
  }

  @Test
  void aThreadMakesItselfIdleAndNoOther() throws Exception {
    AtomicReference<String> policies = new AtomicReference<>();
    Thread.ofPlatform()
        .start(
            () -> {
              try {
                IdleThreads.current();
                policies.set(policy(Path.of("/proc/thread-self")) + " " + policy(Path.of("/proc/self")));
              } catch (IOException e) {
                policies.set(e.toString());
              }
            })
        .join();
    assertThat(policies).hasValue(SCHED_IDLE + " " + SCHED_OTHER);
  }

  private static String policy(Path task) throws IOException {
    String stat = Files.readString(task.resolve("stat"));
    // The name stands in brackets and is field 2; the policy is field 41.
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[41 - 3];
  }

  /** Prints each thread's name and policy. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws IOException {
      IdleThreads.compilers();
      try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
        for (Path task : tasks) {
          System.out.println(Files.readString(task.resolve("comm")).strip() + " " + policy(task));
        }
      }
    }
  }
}
