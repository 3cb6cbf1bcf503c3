package echoladder.harness.common;

import echoladder.linux.output.HeadAndTail;
import echoladder.linux.process.ChildProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Another program's answer to a short question. */
public final class Command {
  private static final Duration BOUND = Duration.ofSeconds(10);

  private Command() {}

  /** What it prints on stdout, trimmed; null where there is no such program, it fails or takes over 10 s. */
  public static @Nullable String output(Path dir, String... argv) {
    try {
      return answer(dir, argv);
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * What it prints on stdout, trimmed.
   *
   * @throws IOException where there is no such program, it fails or takes over 10 s; with what it said on stderr
   */
  public static String answer(Path dir, String... argv) throws IOException {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    ByteArrayOutputStream complained = new ByteArrayOutputStream();
    ProcessBuilder builder =
        new ProcessBuilder(argv)
            .directory(dir.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    try (HeadAndTail out = HeadAndTail.log(said);
        HeadAndTail err = HeadAndTail.log(complained);
        ChildProcess process = ChildProcess.unguarded(builder, out, err)) {
      if (!process.endsWithin(BOUND)) {
        throw new IOException("'%s' did not end within %d s".formatted(String.join(" ", argv), BOUND.toSeconds()));
      }
      if (!process.drained()) {
        throw new IOException("'%s' ended, and what it started holds its output".formatted(String.join(" ", argv)));
      }
      if (!Objects.equals(process.status(), 0)) {
        throw new IOException(
            "'%s' %s: %s".formatted(String.join(" ", argv), process.ending(), complained.toString(StandardCharsets.UTF_8).strip()));
      }
      return said.toString(StandardCharsets.UTF_8).trim();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
