package echoladder.servers.contract;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A server's command whose stdout, stderr and exit status are the subject. */
public final class CommandRun {
  private static final Duration LONG = RunningServer.LONG;

  private final Variant variant;
  private final List<String> argv;
  private final Process process;
  private final Path stdout;
  private final Path stderr;

  private CommandRun(Variant variant, List<String> argv, Process process, Path stdout, Path stderr) {
    this.variant = variant;
    this.argv = argv;
    this.process = process;
    this.stdout = stdout;
    this.stderr = stderr;
  }

  /** Starts it; nothing is waited for. */
  public static CommandRun start(Variant variant, List<String> argv) throws IOException {
    Path stdout = Files.createTempFile("contract-" + variant.name(), ".out");
    Path stderr = Files.createTempFile("contract-" + variant.name(), ".err");
    // A shell that starts a build in the background lets it ignore SIGINT, and so would all below it.
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.addAll(argv);
    Process process =
        new ProcessBuilder(command).redirectOutput(stdout.toFile()).redirectError(stderr.toFile()).start();
    return new CommandRun(variant, argv, process, stdout, stderr);
  }

  /**
   * What became of it.
   *
   * @param command for messages
   */
  public record Outcome(String command, int status, String stdout, String stderr) {}

  long pid() {
    return process.pid();
  }

  /** Waits for a whole line on stdout, and gives it. */
  String awaitLine() {
    Awaitility.await(variant + ": a line on stdout")
        .atMost(LONG)
        .until(() -> !process.isAlive() || Files.readString(stdout).contains("\n"));
    try {
      return Files.readString(stdout).lines().findFirst().orElse("");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  void closeStdin() throws IOException {
    process.outputWriter().close();
  }

  /** Waits for its end; one that does not end is killed and fails. */
  public Outcome end() throws IOException, InterruptedException {
    boolean ended = process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly().waitFor();
    }
    String shown = variant + " " + argv.subList(Math.max(0, argv.size() - 4), argv.size());
    Outcome outcome =
        new Outcome(shown, process.exitValue(), Files.readString(stdout), Files.readString(stderr));
    Files.delete(stdout);
    Files.delete(stderr);
    if (!ended) {
      throw new AssertionError("did not end within " + LONG + ": " + outcome);
    }
    return outcome;
  }
}
