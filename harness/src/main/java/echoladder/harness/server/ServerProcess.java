package echoladder.harness.server;

import echoladder.linux.Starter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A server started here: its ready line, its end, and its stop. Its stdin stays open as long as this process lives;
 * stderr goes to a file. Any thread may call.
 */
public final class ServerProcess implements AutoCloseable {
  private static final int TAIL_LINES = 5;
  private static final int TAIL_CHARACTERS = 1_000;

  private final Process process;
  private final Path log;
  private final CompletableFuture<@Nullable String> firstLine = new CompletableFuture<>();

  private ServerProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
    Thread.ofPlatform().daemon().name("stdout-of-" + process.pid()).start(this::readStdout);
  }

  /**
   * Starts a server. It works in the log's folder, where a runtime that crashes leaves its files, as the JVM its
   * hs_err_pid*.log.
   *
   * @param argv its command, see {@link ServerManifest#argv}; may be wrapped, e.g. by prlimit, in what execs it
   * @param log file that its stderr is appended to
   * @throws IOException where the program cannot be started at all
   */
  public static ServerProcess start(List<String> argv, Path log) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(argv).directory(log.toAbsolutePath().toFile().getParentFile());
    builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    Starter.own().mark(builder.environment());
    return new ServerProcess(builder.start(), log);
  }

  /** Takes the first line; what follows is dropped, so that a talkative server never blocks on a full pipe. */
  private void readStdout() {
    try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
      firstLine.complete(in.readLine());
      while (in.readLine() != null) {
        // dropped
      }
    } catch (IOException | UncheckedIOException e) {
      // The pipe breaks when the process is killed: no line came and none will.
      firstLine.complete(null);
    }
  }

  /**
   * Waits for the ready line.
   *
   * @throws ServerNotReadyException where the process ended, said something else, or nothing within the bound
   */
  public ReadyLine awaitReady(Duration bound) throws ServerNotReadyException, InterruptedException {
    String line;
    try {
      line = firstLine.get(bound.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new ServerNotReadyException(
          "no ready line within %.0f s (bound server_start)%s".formatted(bound.toMillis() / 1e3, tail()));
    } catch (ExecutionException e) {
      throw new IllegalStateException("the first line is only ever completed", e);
    }
    if (line == null) {
      process.waitFor(1, TimeUnit.SECONDS);
      throw new ServerNotReadyException("the server " + ending() + " before its ready line" + tail());
    }
    try {
      return ReadyLine.parse(line);
    } catch (IllegalArgumentException e) {
      throw new ServerNotReadyException(e.getMessage() + tail());
    }
  }

  /** Its process id; a wrapper's where that does not exec. */
  public long pid() {
    return process.pid();
  }

  /** Whether the process runs. */
  public boolean alive() {
    return process.isAlive();
  }

  /** Whether the process has ended, or does within the bound. */
  public boolean endsWithin(Duration bound) {
    boolean interrupted = Thread.interrupted();
    try {
      return process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      interrupted = true;
      return !process.isAlive();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Completed when the process has ended, with its exit status. */
  public CompletableFuture<Integer> ended() {
    return process.onExit().thenApply(Process::exitValue);
  }

  /** How it ended, e.g. {@code ended with exit status 3} or {@code was killed by signal 9}. */
  public String ending() {
    if (process.isAlive()) {
      return "still runs";
    }
    int status = process.exitValue();
    return status > 128 ? "was killed by signal " + (status - 128) : "ended with exit status " + status;
  }

  /** The last lines of its log, as the end of a sentence; empty where there are none. */
  public String tail() {
    try {
      List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
      List<String> last = lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size());
      String text = String.join(" | ", last);
      return text.isBlank()
          ? "; its log " + log.getFileName() + " is empty"
          : "; its log ends: " + (text.length() <= TAIL_CHARACTERS ? text : text.substring(0, TAIL_CHARACTERS) + "...");
    } catch (IOException e) {
      return "; its log cannot be read: " + e.getMessage();
    }
  }

  /** Asks it to stop (SIGTERM) without waiting. */
  public void terminate() {
    // By the handle: Process.destroy() would close its stdin too, and a server has to heed the signal alone.
    process.toHandle().destroy();
  }

  /**
   * Stops it: SIGTERM, and SIGKILL where it has not ended within the bound.
   *
   * @return null where it ended by itself, else what had to be done
   */
  public @Nullable String stop(Duration bound) {
    terminate();
    boolean interrupted = Thread.interrupted();
    try {
      if (process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS)) {
        return null;
      }
      process.destroyForcibly().waitFor(bound.toMillis(), TimeUnit.MILLISECONDS);
      return "it did not end within %.0f s of SIGTERM and was killed".formatted(bound.toMillis() / 1e3);
    } catch (InterruptedException e) {
      interrupted = true;
      process.destroyForcibly();
      return "it was killed, as stopping it was interrupted";
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Kills it where it still runs. */
  @Override
  public void close() {
    process.destroyForcibly();
  }
}
