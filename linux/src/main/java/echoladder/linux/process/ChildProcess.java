package echoladder.linux.process;

import echoladder.linux.sockets.SystemCalls;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process started here: marked with its {@link Starter}, ended by the {@link Guard} when this process is killed, its
 * streams read by threads of their own, its end awaited with a bound. Any thread may call.
 */
public final class ChildProcess implements AutoCloseable {
  /** For what a process has printed before its end and nobody has read yet. */
  private static final Duration DRAIN_BOUND = Duration.ofSeconds(10);

  private static final String OOM_SCORE = "oom_score_adj";

  /** In thousandths of the memory. A process that starts others itself is below them, and above this one. */
  private static final int OOM_SCORE_MORE = 250;

  private static final int OOM_SCORE_MOST = 1000;

  /** Reads a stream to its end, keeping a bounded part of it. */
  @FunctionalInterface
  public interface Drain {
    /** Called once, by a thread of its own; an exception ends the reading, as the pipe of a killed process does. */
    void drain(InputStream from) throws IOException;
  }

  private final Process process;
  private final List<Thread> drains = new ArrayList<>();

  private ChildProcess(Process process) {
    this.process = process;
  }

  /**
   * Starts a process.
   *
   * @param builder what and where; its environment gets the mark
   * @param stdout reads its stdout; null = as the builder redirects it
   * @param stderr reads its stderr; null = as the builder redirects it
   * @throws IOException where the program cannot be started
   */
  public static ChildProcess start(ProcessBuilder builder, @Nullable Drain stdout, @Nullable Drain stderr)
      throws IOException {
    Starter.own().mark(builder.environment());
    return guarded(builder, stdout, stderr);
  }

  /** Starts a process that others look for by the mark of the {@link Starter} that this process has itself. */
  public static ChildProcess guarded(ProcessBuilder builder, @Nullable Drain stdout, @Nullable Drain stderr) throws IOException {
    Guard.mark(builder.environment());
    return unguarded(builder, stdout, stderr);
  }

  /** Starts a process that ends by itself soon, and so needs no guard. */
  public static ChildProcess unguarded(ProcessBuilder builder, @Nullable Drain stdout, @Nullable Drain stderr)
      throws IOException {
    ChildProcess child = new ChildProcess(builder.start());
    child.killedBeforeThis();
    child.drain("stdout", child.process.getInputStream(), stdout);
    child.drain("stderr", child.process.getErrorStream(), stderr);
    return child;
  }

  /** The kernel that runs out of memory ends what was started, and not this process, which lives to say so. */
  private void killedBeforeThis() {
    try {
      int own = Integer.parseInt(Files.readString(Path.of("/proc/self/" + OOM_SCORE)).strip());
      Files.writeString(Path.of("/proc/" + process.pid() + "/" + OOM_SCORE),
          String.valueOf(Math.min(OOM_SCORE_MOST, own + OOM_SCORE_MORE)));
    } catch (IOException | NumberFormatException e) {
      // It has ended already, or this system has no such file: the kernel then takes what is largest.
    }
  }

  private void drain(String name, InputStream from, @Nullable Drain drain) {
    if (drain == null) {
      return;
    }
    Runnable reading =
        () -> {
          try (from) {
            drain.drain(from);
          } catch (IOException e) {
            // The pipe of a process that is killed breaks: nothing more will come.
          }
        };
    drains.add(Thread.ofPlatform().daemon().name(name + "-of-" + process.pid()).start(reading));
  }

  /** Its process id; a wrapper's where that does not exec. */
  public long pid() {
    return process.pid();
  }

  /** Whether that process is this one or was started by it, by whatever many others. */
  public boolean has(long pid) {
    return pid == process.pid() || process.descendants().anyMatch(other -> other.pid() == pid);
  }

  /** Its stdin; what is not redirected is open until this is closed. */
  public OutputStream stdin() {
    return process.getOutputStream();
  }

  /** Its stdout, where nothing drains it. */
  public InputStream stdout() {
    return process.getInputStream();
  }

  /** Whether it runs. */
  public boolean alive() {
    return process.isAlive();
  }

  /** Completed when it has ended, with its exit status: 128 + N after signal N. */
  public CompletableFuture<Integer> ended() {
    return process.onExit().thenApply(Process::exitValue);
  }

  /** Its exit status, 128 + N after signal N; null while it runs. */
  public @Nullable Integer status() {
    return process.isAlive() ? null : (Integer) process.exitValue();
  }

  /** How it ended, e.g. {@code ended with exit status 3} or {@code was killed by signal 9}. */
  public String ending() {
    Integer status = status();
    if (status == null) {
      return "still runs";
    }
    return status > 128 ? "was killed by signal " + (status - 128) : "ended with exit status " + status;
  }

  /** Whether it has ended, or does within the bound. */
  public boolean endsWithin(Duration bound) throws InterruptedException {
    return process.waitFor(bound.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Whether all that it printed has been read, or is within a bound of 10 s; a process of its own may hold its stdout. */
  public boolean drained() throws InterruptedException {
    long end = System.nanoTime() + DRAIN_BOUND.toNanos();
    for (Thread drain : drains) {
      drain.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
    }
    return drains.stream().noneMatch(Thread::isAlive);
  }

  /** Asks it to stop (SIGTERM) without waiting. */
  public void terminate() {
    // By the handle: Process.destroy() would close its streams too, and what it says at its end is wanted.
    process.toHandle().destroy();
  }

  /** Asks it to end and to report (SIGINT), as Ctrl-C does. */
  public void interrupt() {
    if (process.isAlive()) {
      new SystemCalls().kill((int) process.pid(), SystemCalls.SIGINT);
    }
  }

  /**
   * Stops it: SIGTERM, and {@link #kill} where it has not ended within the bound, or where the waiting is interrupted.
   *
   * @return null where it ended by itself, else what had to be done
   */
  public @Nullable String stop(Duration bound) {
    terminate();
    boolean interrupted = Thread.interrupted();
    try {
      if (endsWithin(bound)) {
        return null;
      }
      kill();
      return "it did not end within %.0f s of SIGTERM and was killed".formatted(bound.toMillis() / 1e3);
    } catch (InterruptedException e) {
      interrupted = true;
      kill();
      return "it was killed, as stopping it was interrupted";
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Kills it and what it started, and waits for its end; what is killed leaves within the bound or not at all. */
  public void kill() {
    // Looked up first: what a killed process had started is nobody's any more.
    List<ProcessHandle> started = process.descendants().toList();
    process.toHandle().destroyForcibly();
    started.forEach(ProcessHandle::destroyForcibly);
    boolean interrupted = Thread.interrupted();
    try {
      process.waitFor(DRAIN_BOUND.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Kills it where it still runs, and closes its stdin. */
  @Override
  public void close() {
    if (process.isAlive()) {
      kill();
    }
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It is gone, and what was still to be written to it with it.
    }
  }
}
