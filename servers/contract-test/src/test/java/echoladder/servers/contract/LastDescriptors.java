package echoladder.servers.contract;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.jvm.SharedArchive;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A running process whose descriptors nearly all are taken, by a limit put just above them. */
public final class LastDescriptors {
  private LastDescriptors() {}

  /** A server's command whose classes come from their jars: from an archive they would come without these being open. */
  public static List<String> plain(List<String> argv) {
    return argv.stream().filter(option -> !option.startsWith(SharedArchive.OPTION)).toList();
  }

  /**
   * Lowers the process's soft limit to as many above the highest one in use.
   *
   * @param spare how many, not counting the gaps below the highest
   */
  public static void leave(long pid, int spare) throws IOException, InterruptedException {
    // One that is opened between the look and the limit would lie above it, where a JVM can no longer end a read on it.
    for (int limit = 0; limit < highest(pid) + 1 + spare; ) {
      limit = highest(pid) + 1 + spare;
      Process prlimit =
          new ProcessBuilder("prlimit", "--pid", Long.toString(pid), "--nofile=" + limit + ":").redirectErrorStream(true).start();
      String said = new String(prlimit.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(prlimit.waitFor()).as("prlimit: %s", said).isZero();
    }
  }

  private static int highest(long pid) throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/" + pid + "/fd"))) {
      return open.mapToInt(descriptor -> Integer.parseInt(descriptor.getFileName().toString())).max().orElseThrow();
    }
  }
}
