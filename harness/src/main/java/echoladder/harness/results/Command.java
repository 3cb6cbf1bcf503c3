package echoladder.harness.results;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Another program's answer to a short question, for the record. */
final class Command {
  private static final int BOUND_SECONDS = 10;

  private Command() {}

  /** What it prints on stdout, trimmed; null where there is no such program, it fails or takes over 10 s. */
  static @Nullable String output(Path dir, String... argv) {
    try {
      Process process =
          new ProcessBuilder(argv)
              .directory(dir.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .start();
      // Killing it ends the read below too.
      var _ = process.onExit().orTimeout(BOUND_SECONDS, TimeUnit.SECONDS).exceptionally(
          late -> {
            process.destroyForcibly();
            return process;
          });
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
      return process.waitFor() == 0 ? text : null;
    } catch (IOException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
