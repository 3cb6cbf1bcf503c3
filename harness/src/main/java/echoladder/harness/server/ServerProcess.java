package echoladder.harness.server;

import echoladder.linux.output.BoundedLines;
import echoladder.linux.output.HeadAndTail;
import echoladder.linux.process.ChildProcess;
import echoladder.linux.process.ListenerMismatch;
import echoladder.linux.sockets.SocketAddress;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A server started here: its ready line, its end, and its stop. Its stdin stays open as long as this process lives; of
 * its stderr a file keeps the beginning and the end. Any thread may call.
 */
public final class ServerProcess implements AutoCloseable {
  private static final int TAIL_LINES = 5;
  private static final int TAIL_CHARACTERS = 1_000;
  private static final int LINE_MOST_BYTES = 64 << 10;

  private static final Duration STOP_LEAST = Duration.ofSeconds(10);

  /** Closing a million sockets takes the kernel of a lab a minute, and what is left would count as the next server's. */
  private static final int CLOSED_PER_SECOND = 10_000;

  /** For a process whose sockets are gone and that the kernel has still to take down. */
  static final Duration END_BOUND = Duration.ofSeconds(2);

  private final ChildProcess process;
  private final Path log;
  private final HeadAndTail kept;
  private final CompletableFuture<BoundedLines.@Nullable Line> firstLine;

  private ServerProcess(
      ChildProcess process, Path log, HeadAndTail kept, CompletableFuture<BoundedLines.@Nullable Line> firstLine) {
    this.process = process;
    this.log = log;
    this.kept = kept;
    this.firstLine = firstLine;
  }

  /**
   * Starts a server. It works in the log's folder, where a runtime that crashes leaves its files, as the JVM its
   * hs_err_pid*.log.
   *
   * @param argv its command, see {@link ServerManifest#argv}; may be wrapped, e.g. by prlimit, in what execs it
   * @param log file that its stderr is appended to
   * @throws IOException where the log cannot be written or the program cannot be started at all
   */
  public static ServerProcess start(List<String> argv, Path log) throws IOException {
    HeadAndTail kept = HeadAndTail.appendedTo(log);
    CompletableFuture<BoundedLines.@Nullable Line> firstLine = new CompletableFuture<>();
    try {
      ChildProcess process =
          ChildProcess.start(
              new ProcessBuilder(argv).directory(log.toAbsolutePath().toFile().getParentFile()),
              from -> readStdout(from, firstLine),
              kept);
      return new ServerProcess(process, log, kept, firstLine);
    } catch (IOException e) {
      kept.close();
      throw e;
    }
  }

  /**
   * Starts a process that need not say a line: all that it prints goes to the log.
   *
   * @param builder its command, folder and environment
   * @throws IOException as above
   */
  static ServerProcess logged(ProcessBuilder builder, Path log) throws IOException {
    HeadAndTail kept = HeadAndTail.appendedTo(log);
    CompletableFuture<BoundedLines.@Nullable Line> noLine = new CompletableFuture<>();
    noLine.complete(null);
    try {
      return new ServerProcess(ChildProcess.start(builder.redirectErrorStream(true), kept, null), log, kept, noLine);
    } catch (IOException e) {
      kept.close();
      throw e;
    }
  }

  /** Takes the first line; what follows is dropped, so that a talkative server never blocks on a full pipe. */
  private static void readStdout(InputStream from, CompletableFuture<BoundedLines.@Nullable Line> firstLine)
      throws IOException {
    try {
      firstLine.complete(new BoundedLines(from, LINE_MOST_BYTES).next());
      from.transferTo(OutputStream.nullOutputStream());
    } finally {
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
    BoundedLines.Line line;
    try {
      line = firstLine.get(bound.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new ServerNotReadyException(
          "no ready line within %.0f s (bound server_start)%s".formatted(bound.toMillis() / 1e3, tail()));
    } catch (ExecutionException e) {
      throw new IllegalStateException("the first line is only ever completed", e);
    }
    if (line == null) {
      process.endsWithin(Duration.ofSeconds(1));
      throw new ServerNotReadyException("the server " + ending() + " before its ready line" + tail());
    }
    try {
      if (!line.whole()) {
        throw new IllegalArgumentException(
            "its first line on stdout has no end within %,d bytes, the bound of a ready line: %s"
                .formatted(LINE_MOST_BYTES, ReadyLine.shorten(line.text())));
      }
      ReadyLine ready = ReadyLine.parse(line.text());
      refuseForeign(ready);
      return ready;
    } catch (IllegalArgumentException e) {
      throw new ServerNotReadyException(e.getMessage() + tail());
    }
  }

  /**
   * Waits for the ready line, and for the process that it names to be the one that accepts where it says.
   *
   * @throws ServerNotReadyException also where another process accepts there, or another one too
   */
  public ReadyLine awaitServing(Duration bound) throws ServerNotReadyException, InterruptedException {
    ReadyLine ready = awaitReady(bound);
    try {
      ListenerMismatch wrong =
          ListenerMismatch.of(List.of(ready.pid()), SocketAddress.of(ready.reachableHost(), ready.port())).orElse(null);
      if (wrong != null) {
        throw new ServerNotReadyException(
            "its ready line is wrong: %s; CPU and memory are read from that process alone, see servers/README.md%s"
                .formatted(wrong.seen(), tail()));
      }
      return ready;
    } catch (UnknownHostException e) {
      throw new ServerNotReadyException("its ready line is wrong: " + e.getMessage() + tail());
    }
  }

  /** Figures are of that process: another's would be somebody else's, and stopping the server would not end it. */
  private void refuseForeign(ReadyLine ready) {
    if (!process.has(ready.pid())) {
      throw new IllegalArgumentException(
          "its ready line names pid %d, which is neither the process that was started (pid %d) nor one that this has started: "
                  .formatted(ready.pid(), process.pid())
              + "CPU and memory of that process are not this server's; a server in a pid namespace of its own is attached "
              + "to instead, with --attach and --server-metrics");
    }
  }

  /** Its process id; a wrapper's where that does not exec. */
  public long pid() {
    return process.pid();
  }

  /** Whether the process runs. */
  public boolean alive() {
    return process.alive();
  }

  /** Whether the process has ended, or does within the bound. */
  public boolean endsWithin(Duration bound) {
    boolean interrupted = Thread.interrupted();
    try {
      return process.endsWithin(bound);
    } catch (InterruptedException e) {
      interrupted = true;
      return !process.alive();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Completed when the process has ended, with its exit status. */
  public CompletableFuture<Integer> ended() {
    return process.ended();
  }

  /** How it ended, e.g. {@code ended with exit status 3} or {@code was killed by signal 9}. */
  public String ending() {
    return process.ending();
  }

  /**
   * How it ended by itself, with the end of its log; null while it runs.
   *
   * @param doubted whether its sockets are gone, so that it is given a moment to end
   */
  public @Nullable String endedByItself(boolean doubted) {
    boolean runs = doubted ? !endsWithin(END_BOUND) : alive();
    return runs ? null : ending() + tail();
  }

  /** The last lines that it said on stderr, as the end of a sentence; that its log is empty where there are none. */
  public String tail() {
    if (!process.alive()) {
      awaitDrained();
    }
    List<String> lines = kept.tail().lines().toList();
    String text = String.join(" | ", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    return text.isBlank()
        ? "; its log " + log.getFileName() + " is empty"
        : "; its log ends: " + (text.length() <= TAIL_CHARACTERS ? text : text.substring(0, TAIL_CHARACTERS) + "...");
  }

  private void awaitDrained() {
    try {
      process.drained();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Asks it to stop (SIGTERM) without waiting. Its stdin stays open: a server has to heed the signal alone. */
  public void terminate() {
    process.terminate();
  }

  /**
   * Stops it: SIGTERM, and SIGKILL where it has not ended within the bound. Its log is whole then.
   *
   * @return null where it ended by itself, else what had to be done
   */
  public @Nullable String stop(Duration bound) {
    String done = process.stop(bound);
    awaitDrained();
    return done;
  }

  /** Stops a server that may hold so many connections, each of which takes the kernel a moment to close. */
  public @Nullable String stopHolding(int connections) {
    return stop(stopBound(connections));
  }

  /** How long a server that holds so many connections may take to stop. */
  static Duration stopBound(int connections) {
    return STOP_LEAST.plusSeconds(connections / CLOSED_PER_SECOND);
  }

  /** Kills it where it still runs, with what it started. */
  @Override
  public void close() {
    process.close();
    awaitDrained();
    kept.close();
  }
}
