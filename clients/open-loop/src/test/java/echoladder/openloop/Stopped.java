package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import echoladder.linux.sockets.SystemCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Processes that SIGSTOP has stopped. */
public final class Stopped {
  private static final int SIGSTOP = 19;

  private Stopped() {}

  /** Stops a process, and returns once each of its threads stands: the signal is sent at once, and threads take it one by one. */
  public static void process(long pid) {
    assertThat(new SystemCalls().kill((int) pid, SIGSTOP)).isZero();
    await().until(() -> threads(pid).stream().allMatch(Stopped::stands));
  }

  private static List<Path> threads(long pid) throws IOException {
    try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
      return threads.toList();
    }
  }

  private static boolean stands(Path thread) {
    try {
      String stat = Files.readString(thread.resolve("stat"));
      return stat.startsWith(") T", stat.lastIndexOf(')'));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
