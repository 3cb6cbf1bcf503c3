package echoladder.harness.server;

import echoladder.linux.process.ListeningSockets;
import echoladder.linux.process.ProcessTree;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A server of the user's own that was started here, with all that it has started itself: ready when its port accepts, stopped by
 * signals to all of its processes. What it prints goes to its log. Any thread may call.
 */
public final class OwnProcess implements AutoCloseable {
  private static final Duration LOOK = Duration.ofMillis(50);

  /** A program that goes into the background may accept a moment before the process that was started ends. */
  private static final Duration SETTLES = Duration.ofMillis(200);

  private static final Duration KILL_BOUND = Duration.ofSeconds(10);

  private final ServerProcess process;
  private final String mark;
  private final ProcessTree tree;

  private OwnProcess(ServerProcess process, String mark) {
    this.process = process;
    this.mark = mark;
    this.tree = new ProcessTree(process.pid());
  }

  /**
   * Starts it in the folder that the ladder was called in.
   *
   * @param argv of {@link OwnServer#argv}; may be wrapped in what execs it
   * @param log file that what it prints is appended to
   * @throws IOException where the log cannot be written or the program cannot be started at all
   */
  public static OwnProcess start(List<String> argv, Path log) throws IOException {
    String mark = UUID.randomUUID().toString();
    ProcessBuilder builder = new ProcessBuilder(argv);
    builder.environment().put(ProcessTree.MARK, mark);
    return new OwnProcess(ServerProcess.logged(builder, log), ProcessTree.MARK + "=" + mark);
  }

  /**
   * Waits until its port accepts.
   *
   * @throws ServerNotReadyException where it ended, went into the background, or nothing accepts within the bound
   */
  public void awaitAccepting(OwnServer own, Duration bound) throws ServerNotReadyException, InterruptedException {
    long end = System.nanoTime() + bound.toNanos();
    while (!own.accepts()) {
      if (process.endsWithin(LOOK)) {
        throw gone("before anything accepted at " + own.target());
      }
      if (Thread.interrupted()) {
        throw new InterruptedException("while a server was awaited");
      }
      if (System.nanoTime() > end) {
        throw new ServerNotReadyException(
            "nothing accepted at %s within %.0f s (bound server_start)%s; %s"
                .formatted(own.target(), bound.toMillis() / 1e3, process.tail(), instead(own)));
      }
    }
    if (process.endsWithin(SETTLES)) {
      throw gone("as soon as something accepted at " + own.target());
    }
  }

  /** Where its processes listen in place of there, and what to do. */
  private String instead(OwnServer own) {
    List<String> listening = ListeningSockets.of(tree.pids());
    return (listening.isEmpty()
            ? "its processes listen at no TCP port: have it listen there, or give it longer with --set bounds.server_start=2m"
            : "its processes listen at %s: have it listen at %s, or give another --port"
                .formatted(String.join(" and ", listening), own.target()))
        + "; see " + OwnServer.PAGE;
  }

  private ServerNotReadyException gone(String when) {
    List<ProcessHandle> left = all();
    // Before its log is read to the end: what is left holds that open.
    kill();
    return new ServerNotReadyException(
        left.isEmpty()
            ? "the command " + process.ending() + " " + when + process.tail()
            : ("the command %s %s and left process %d running, which was ended too: a server has to stay in the foreground; give it the"
                + " option"
                    + " for that, or start it yourself and climb it with --own-pid PID%s")
                .formatted(process.ending(), when, left.getFirst().pid(), process.tail()));
  }

  /** The process that was started: a shell's, or that of the command where the shell became it. */
  public long pid() {
    return process.pid();
  }

  /** Completed when that process has ended. */
  public CompletableFuture<Integer> ended() {
    return process.ended();
  }

  /** As {@link ServerProcess#endedByItself}. */
  public @Nullable String endedByItself(boolean doubted) {
    if (!process.endsWithin(doubted ? ServerProcess.END_BOUND : Duration.ZERO)) {
      return null;
    }
    List<ProcessHandle> left = all();
    kill();
    return process.ending()
        + (left.isEmpty() ? "" : " and left process %d running, which was ended too".formatted(left.getFirst().pid()))
        + process.tail();
  }

  /** Asks all of it to stop (SIGTERM) without waiting. */
  public void terminate() {
    all().forEach(ProcessHandle::destroy);
  }

  /**
   * Stops all of it: SIGTERM, and SIGKILL for what has not ended within the bound.
   *
   * @return null where all ended by itself, else what had to be done
   */
  public @Nullable String stop(Duration bound) {
    List<ProcessHandle> asked = all();
    asked.forEach(ProcessHandle::destroy);
    boolean ended = awaitEnd(asked, bound);
    kill();
    process.close();
    return ended ? null : "it did not end within %.0f s of SIGTERM and was killed".formatted(bound.toMillis() / 1e3);
  }

  /** As {@link ServerProcess#stopHolding}. */
  public @Nullable String stopHolding(int connections) {
    return stop(ServerProcess.stopBound(connections));
  }

  /** Kills whatever of it still runs. */
  @Override
  public void close() {
    kill();
    process.close();
  }

  private void kill() {
    List<ProcessHandle> left = all();
    left.forEach(ProcessHandle::destroyForcibly);
    awaitEnd(left, KILL_BOUND);
  }

  /** All of its processes that run now, also where the first of them has ended. */
  private List<ProcessHandle> all() {
    Set<ProcessHandle> all = new LinkedHashSet<>(tree.handles().toList());
    all.addAll(ProcessTree.withVariable(mark));
    return new ArrayList<>(all);
  }

  /** Whether all of them end within the bound; an interrupt ends the waiting, and is kept. */
  private static boolean awaitEnd(List<ProcessHandle> processes, Duration bound) {
    long end = System.nanoTime() + bound.toNanos();
    while (processes.stream().anyMatch(ProcessTree::runs)) {
      if (System.nanoTime() > end || Thread.currentThread().isInterrupted()) {
        return false;
      }
      try {
        TimeUnit.MILLISECONDS.sleep(10);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return true;
  }
}
