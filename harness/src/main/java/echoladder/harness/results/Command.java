package echoladder.harness.results;

import echoladder.linux.ChildProcess;
import echoladder.linux.HeadAndTail;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Another program's answer to a short question, for the record. */
final class Command {
  private static final Duration BOUND = Duration.ofSeconds(10);

  private Command() {}

  /** What it prints on stdout, trimmed; null where there is no such program, it fails or takes over 10 s. */
  static @Nullable String output(Path dir, String... argv) {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    ProcessBuilder builder =
        new ProcessBuilder(argv)
            .directory(dir.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    try (HeadAndTail out = HeadAndTail.log(said);
        ChildProcess process = ChildProcess.unguarded(builder, out, null)) {
      return process.endsWithin(BOUND) && process.drained() && Objects.equals(process.status(), 0)
          ? said.toString(StandardCharsets.UTF_8).trim()
          : null;
    } catch (IOException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
