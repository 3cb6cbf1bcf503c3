package echoladder.deploy;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Commands and what comes back. */
final class Commands {
  private static final long LONGEST_S = 600;

  private Commands() {}

  /**
   * How one ended.
   *
   * @param out its stdout
   * @param err its stderr
   */
  record Ended(int status, String out, String err) {
    /** All that it said, for the message of an assertion. */
    String said() {
      return "status " + status + "\n" + out + "\n" + err;
    }
  }

  static Ended run(ProcessBuilder builder) throws IOException, InterruptedException {
    Path err = Files.createTempFile("command", ".err");
    try {
      Process process = builder.redirectInput(new File("/dev/null")).redirectError(err.toFile()).start();
      try {
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(LONGEST_S, TimeUnit.SECONDS)) {
          throw new AssertionError(String.join(" ", builder.command()) + " did not end; it said: " + out);
        }
        return new Ended(process.exitValue(), out, Files.readString(err));
      } finally {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    } finally {
      Files.delete(err);
    }
  }

  static Ended run(String... command) throws IOException, InterruptedException {
    return run(new ProcessBuilder(command));
  }
}
