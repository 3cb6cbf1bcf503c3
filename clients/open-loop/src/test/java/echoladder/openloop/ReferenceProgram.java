package echoladder.openloop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A C program of src/bench/c, compiled where there is a compiler. */
final class ReferenceProgram {
  private ReferenceProgram() {}

  /** Compiles {@code src/bench/c/NAME.c} to {@code target/bench/NAME}; without cc the calling benchmark is skipped. */
  static Path compile(String name) throws IOException, InterruptedException {
    Path program = Path.of("target", "bench", name).toAbsolutePath();
    Files.createDirectories(program.getParent());
    Process cc;
    try {
      cc =
          new ProcessBuilder(
                  "cc", "-O2", "-Wall", "-Wextra", "-pthread", "-o", program.toString(), "src/bench/c/" + name + ".c")
              .inheritIO()
              .start();
    } catch (IOException e) {
      return abort("SKIPPED: there is no C compiler (cc) on the PATH, so nothing to compare with: " + e.getMessage());
    }
    if (cc.waitFor() != 0) {
      throw new IOException("cc could not compile " + name + ".c; its messages are above");
    }
    return program;
  }

  /** The number that a started server prints first. */
  static int port(Process server) throws IOException {
    return Integer.parseInt(server.inputReader().readLine());
  }

  static Process start(List<String> command) throws IOException {
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** Ends the standard input of a program and waits for its end; what it printed. */
  static String end(Process process) throws IOException, InterruptedException {
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("the program ended with " + process.exitValue() + ": " + out);
    }
    return out;
  }
}
