package echoladder.external;

import echoladder.linux.Starter;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A load tool as a child process. Its soft limit of descriptors is set before it starts, as tcpkali and wrk2 take what
 * they find. Any thread may call.
 */
public final class ToolProcess implements AutoCloseable {
  /** Characters kept of each stream; the tools print some kilobytes. */
  private static final int OUTPUT_MOST = 1 << 20;

  // ulimit of the shell, as prlimit(1) is not everywhere; exec keeps the process id.
  private static final String WITH_DESCRIPTORS = "ulimit -S -n \"$0\" || exit 126; exec \"$@\"";

  /**
   * How a tool ended.
   *
   * @param exit its exit status; 128 + N after signal N
   * @param killed whether it was ended by force, as it outlived its bound
   */
  public record Ended(int exit, String stdout, String stderr, boolean killed) {}

  private final Process process;
  private final Kept stdout;
  private final Kept stderr;
  private volatile boolean killed;

  private ToolProcess(Process process, Consumer<String> errorLine) {
    this.process = process;
    this.stdout = new Kept(process.getInputStream(), line -> {});
    this.stderr = new Kept(process.getErrorStream(), errorLine);
  }

  /**
   * Starts a tool.
   *
   * @param argv the tool's path and arguments
   * @param descriptors soft RLIMIT_NOFILE that it gets, at most the hard one
   * @param errorLine told of each line on its stderr when it comes, from a thread of its own
   */
  public static ToolProcess start(List<String> argv, long descriptors, Consumer<String> errorLine)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", WITH_DESCRIPTORS, Long.toString(descriptors)));
    command.addAll(argv);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    // The decimal point must be one, and UTF-8 arrows are read.
    builder.environment().put("LC_ALL", "C.UTF-8");
    Starter.own().mark(builder.environment());
    return new ToolProcess(builder.start(), errorLine);
  }

  public long pid() {
    return process.pid();
  }

  /** Completed when the process is gone. */
  public CompletableFuture<Process> onExit() {
    return process.onExit();
  }

  /** Asks the tool to end and to report, as Ctrl-C does: both tools answer SIGINT with their summary. */
  public void interrupt() {
    if (!process.isAlive()) {
      return;
    }
    try {
      new ProcessBuilder("sh", "-c", "kill -INT \"$0\" 2>/dev/null", Long.toString(process.pid()))
          .start()
          .waitFor(5, TimeUnit.SECONDS);
    } catch (IOException e) {
      process.destroy();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroy();
    }
  }

  /** Waits for its end; by force beyond the bound. An interrupt of the thread ends it by force too, and is kept. */
  public Ended await(Duration most) {
    boolean interrupted = false;
    try {
      if (!process.waitFor(most.toMillis(), TimeUnit.MILLISECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      interrupted = true;
      kill();
    }
    try {
      process.waitFor(10, TimeUnit.SECONDS);
      stdout.reader.join(TimeUnit.SECONDS.toMillis(10));
      stderr.reader.join(TimeUnit.SECONDS.toMillis(10));
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    int exit = process.isAlive() ? -1 : process.exitValue();
    return new Ended(exit, stdout.text(), stderr.text(), killed);
  }

  private void kill() {
    killed = true;
    process.destroyForcibly();
  }

  /** Leaves no process behind. */
  @Override
  public void close() {
    if (process.isAlive()) {
      kill();
    }
  }

  /** Appends a command and all it printed to a log file. */
  public static void log(Path file, List<String> argv, Ended ended) throws IOException {
    String text =
        "$ %s%n%s%s[exit status %d%s]%n"
            .formatted(
                String.join(" ", argv), ended.stderr(), ended.stdout(), ended.exit(), ended.killed() ? ", killed" : "");
    Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** One stream, read to its end by a thread of its own. */
  private static final class Kept {
    private final StringBuilder text = new StringBuilder();
    private final Thread reader;

    Kept(InputStream stream, Consumer<String> listener) {
      reader = Thread.ofPlatform().daemon().name("tool-output").start(() -> read(stream, listener));
    }

    private void read(InputStream stream, Consumer<String> listener) {
      try (var in = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
        String line;
        while ((line = in.readLine()) != null) {
          keep(line);
          listener.accept(line);
        }
      } catch (IOException e) {
        keep("[its output broke off: " + e.getMessage() + "]");
      }
    }

    private synchronized void keep(String line) {
      if (text.length() + line.length() < OUTPUT_MOST) {
        text.append(line).append('\n');
      }
    }

    synchronized String text() {
      return text.toString();
    }
  }
}
