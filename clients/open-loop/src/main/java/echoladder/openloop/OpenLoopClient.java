package echoladder.openloop;

import echoladder.client.Doubt;
import echoladder.client.Invalidity;
import echoladder.client.LoadClient;
import echoladder.client.LoadListener;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Percentiles;
import echoladder.client.Phase;
import echoladder.client.Verdict;
import echoladder.linux.Starter;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The open-loop client as a process of its own, so that its memory, CPU and end are its own too. */
public final class OpenLoopClient implements LoadClient {
  /** As used in study.yaml and results. */
  public static final String NAME = "open-loop";

  /** What the same process is called in results that it made of users in a closed loop. */
  public static final String CLOSED_LOOP = "closed-loop";

  private final List<String> javaCommand;
  private final Path errorLog;
  private volatile @Nullable Process process;

  /**
   * @param javaCommand java, its flags and class path, up to where the main class follows
   * @param errorLog file that the process's stderr is appended to; it works in that folder, where a JVM that crashes
   *     leaves its hs_err_pid*.log
   */
  public OpenLoopClient(List<String> javaCommand, Path errorLog) {
    this.javaCommand = List.copyOf(javaCommand);
    this.errorLog = errorLog;
  }

  @Override
  public String name() {
    return NAME;
  }

  /** The client process while a load runs, else null. */
  public @Nullable Process process() {
    return process;
  }

  @Override
  public void stop() {
    Process running = process;
    if (running != null) {
      // By the handle: Process.destroy() would close the pipe that the result comes through.
      running.toHandle().destroy();
    }
  }

  @Override
  public LoadResult run(LoadPlan plan, Path histograms, LoadListener listener) throws IOException {
    List<String> command = new ArrayList<>(javaCommand);
    command.addAll(List.of(LoadMain.class.getName(), "--plan", "-", "--histograms", histograms.toAbsolutePath().toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(errorLog.toAbsolutePath().toFile().getParentFile())
            .redirectError(ProcessBuilder.Redirect.appendTo(errorLog.toFile()));
    Starter.own().mark(builder.environment());
    Process started = builder.start();
    process = started;
    try (BufferedWriter out = started.outputWriter()) {
      out.write(JsonMapper.shared().writeValueAsString(plan));
      out.newLine();
      out.flush();
      LoadResult result = follow(lines(started.inputReader()), out, listener);
      return result != null ? result : died(plan, started);
    } catch (LoadNotPossibleException e) {
      throw e;
    } catch (IOException e) {
      // A pipe breaks when the process is killed; that is a result, and told apart from never having started.
      return died(plan, started);
    } finally {
      end(started);
      process = null;
    }
  }

  /** What the process says, line by line, then an empty one; read aside, as a read from a pipe hears no interrupt. */
  private static BlockingQueue<Optional<String>> lines(BufferedReader from) {
    BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();
    Thread.ofPlatform()
        .daemon()
        .name("client-lines")
        .start(
            () -> {
              try (from) {
                from.lines().forEach(line -> lines.add(Optional.of(line)));
              } catch (IOException | UncheckedIOException e) {
                // The process was killed; that it gave no result says so.
              } finally {
                lines.add(Optional.empty());
              }
            });
    return lines;
  }

  /** The next line, or null at the end. An interrupt closes the process's stdin, which makes it finish early. */
  private static @Nullable String next(BlockingQueue<Optional<String>> lines, BufferedWriter out) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return lines.take().orElse(null);
        } catch (InterruptedException e) {
          interrupted = true;
          out.close();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static @Nullable LoadResult follow(
      BlockingQueue<Optional<String>> lines, BufferedWriter out, LoadListener listener) throws IOException {
    String line;
    while ((line = next(lines, out)) != null) {
      LoadEventLine event;
      try {
        event = JsonMapper.shared().readValue(line, LoadEventLine.class);
      } catch (JacksonException e) {
        // The last line of a process that was killed while writing it.
        return null;
      }
      if (event.progress() != null) {
        listener.progress(event.progress());
      } else if (event.staged() != null) {
        listener.staged(event.staged());
      } else if (event.result() != null) {
        return event.result();
      } else if (event.error() != null) {
        throw new LoadNotPossibleException(event.error());
      } else if (event.phase() != null) {
        listener.phase(event.phase(), event.monotonicNs());
        if (event.phase() == Phase.HOLD && !Thread.currentThread().isInterrupted()) {
          out.write(LoadMain.RELEASE);
          out.newLine();
          out.flush();
        }
      }
    }
    return null;
  }

  /** Lets the process end by itself, as it does when its stdin is closed; by force where it does not. */
  private static void end(Process started) {
    boolean interrupted = Thread.interrupted();
    try {
      if (!started.waitFor(30, TimeUnit.SECONDS)) {
        started.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      started.destroyForcibly();
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static LoadResult died(LoadPlan plan, Process started) {
    String how;
    try {
      how =
          started.waitFor(10, TimeUnit.SECONDS)
              ? "with exit status " + started.exitValue()
              : "its pipe, and still ran 10 s later";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      how = "while it was awaited";
    }
    return nothing(plan, new Doubt(Invalidity.CLIENT_DIED, "the client process ended " + how + " before its result"));
  }

  /** What the results of a plan are named by: the same process drives users in a closed loop, and says so. */
  static String name(LoadPlan plan) {
    return plan.closedLoop() ? CLOSED_LOOP : NAME;
  }

  /** A result that measured nothing, for that reason. */
  static LoadResult nothing(LoadPlan plan, Doubt why) {
    Percentiles none = Percentiles.NONE;
    return new LoadResult(
        name(plan), plan.connections(), 0, 0, 0, 0, 0, Map.of(), plan.ratePerSecond(), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        none, none, none, none, none, none, null, 0, null, null, null, null, null, null, null, 0, 0,
        plan.sourceAddresses(), null, null, null, Verdict.INVALID, List.of(why));
  }
}
