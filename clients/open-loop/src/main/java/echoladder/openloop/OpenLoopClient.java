package echoladder.openloop;

import echoladder.client.LoadClient;
import echoladder.client.LoadListener;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.LoadTool;
import echoladder.client.PageCredentials;
import echoladder.client.Phase;
import echoladder.client.Protocol;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.linux.output.BoundedLines;
import echoladder.linux.output.HeadAndTail;
import echoladder.linux.process.ChildProcess;
import echoladder.openloop.command.LoadEventLine;
import echoladder.openloop.run.LoadOutcome;
import echoladder.openloop.shard.Silence;
import echoladder.openloop.tls.TlsSessions;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The open-loop client as a process of its own, so that its memory, CPU and end are its own too. */
public final class OpenLoopClient implements LoadClient {
  /** As used in study.yaml and results. */
  public static final String NAME = LoadOutcome.OPEN_LOOP;

  /** The embedded client: sends by a schedule, or drives users in stages who do not wait. */
  public static final class Tool implements LoadTool {
    @Override
    public String id() {
      return NAME;
    }

    @Override
    public String use() {
      return "the default";
    }

    @Override
    public String timeKinds() {
      return "response from the intended send; service from the actual one";
    }

    @Override
    public Set<Protocol> protocols() {
      return Set.of(Protocol.TCP, Protocol.HTTP, Protocol.WEBSOCKET);
    }

    @Override
    public boolean stages() {
      return true;
    }

    @Override
    public LoadClient client(Start start) {
      return new OpenLoopClient(start.java(), start.log());
    }
  }

  private final List<String> javaCommand;
  private final Path errorLog;
  private final Silence silence;
  private volatile @Nullable ChildProcess process;
  private volatile boolean stopping;

  /**
   * @param javaCommand java, its flags and class path, up to where the main class follows
   * @param errorLog file that the beginning and the end of the process's stderr are appended to; it works in that folder, where a
   *     JVM that crashes
   *     leaves its hs_err_pid*.log
   */
  public OpenLoopClient(List<String> javaCommand, Path errorLog) {
    this(javaCommand, errorLog, Silence.BOUNDS);
  }

  /** With other bounds on how long it may say nothing. */
  OpenLoopClient(List<String> javaCommand, Path errorLog, Silence silence) {
    this.javaCommand = List.copyOf(javaCommand);
    this.errorLog = errorLog;
    this.silence = silence;
  }

  @Override
  public String name() {
    return NAME;
  }

  /** The client process while a load runs, else null. */
  public @Nullable ChildProcess process() {
    return process;
  }

  @Override
  public void check(LoadPlan plan) throws IOException {
    String complaint = plan.tls() == null ? null : TlsSessions.complaint(plan.tls());
    if (complaint != null) {
      throw new IOException(complaint);
    }
  }

  @Override
  public void stop() {
    stopping = true;
    ChildProcess running = process;
    if (running != null) {
      running.terminate();
    }
  }

  @Override
  public LoadResult run(LoadPlan plan, Path histograms, LoadListener listener) throws IOException {
    List<String> command = new ArrayList<>(javaCommand);
    command.add(LoadMain.class.getName());
    command.addAll(LoadMain.planned(histograms.toAbsolutePath().toString()));
    Lines lines = new Lines();
    stopping = false;
    ChildProcess started = start(command, lines);
    process = started;
    try (BufferedWriter out = new BufferedWriter(new OutputStreamWriter(started.stdin(), StandardCharsets.UTF_8))) {
      out.write(json(plan));
      out.newLine();
      out.flush();
      LoadResult result = follow(lines, out, listener);
      return result != null ? result : died(plan, started);
    } catch (LoadNotPossibleException e) {
      throw e;
    } catch (SilentException e) {
      started.kill();
      return nothing(plan, new Reason(ReasonCode.CLIENT_DIED, "the client process " + e.getMessage()));
    } catch (IOException e) {
      // A pipe breaks when the process is killed; that is a result, and told apart from never having started.
      return died(plan, started);
    } finally {
      lines.over();
      end(started);
      process = null;
    }
  }

  /** The plan for the client's process, which asks the server's page for itself. */
  private static String json(LoadPlan plan) {
    ObjectNode tree = JsonMapper.shared().valueToTree(plan);
    if (plan.serverMetrics() != null) {
      tree.put("serverMetrics", PageCredentials.asGiven(plan.serverMetrics()).toString());
    }
    return JsonMapper.shared().writeValueAsString(tree);
  }

  private ChildProcess start(List<String> command, Lines lines) throws IOException {
    HeadAndTail log = HeadAndTail.appendedTo(errorLog);
    try {
      return ChildProcess.start(
          new ProcessBuilder(command).directory(errorLog.toAbsolutePath().toFile().getParentFile()),
          lines,
          log);
    } catch (IOException e) {
      log.close();
      throw e;
    }
  }

  /** What the process says, line by line, then an empty one; read aside, as a read from a pipe hears no interrupt. */
  private static final class Lines implements ChildProcess.Drain {
    /** A client says a line a second, and waits where nobody takes so many. */
    private static final int QUEUED_MOST = 10_000;

    /** The result of a load with many stages is some hundred kilobytes. */
    private static final int LINE_MOST_BYTES = 32 << 20;

    private final BlockingQueue<Optional<String>> queue = new ArrayBlockingQueue<>(QUEUED_MOST);
    private volatile boolean over;

    @Override
    public void drain(InputStream from) throws IOException {
      try {
        BoundedLines lines = new BoundedLines(from, LINE_MOST_BYTES);
        BoundedLines.Line line;
        while ((line = lines.next()) != null && line.whole()) {
          put(Optional.of(line.text()));
        }
      } finally {
        // The process has ended, was killed, or says what no client says: that it gave no result tells.
        put(Optional.empty());
        from.transferTo(OutputStream.nullOutputStream());
      }
    }

    private void put(Optional<String> line) {
      try {
        while (!over && !queue.offer(line, 100, TimeUnit.MILLISECONDS)) {
          // until somebody takes one
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    /** The next; null where there is none within a tick. */
    @SuppressWarnings("NullableOptional") // Empty is the end of the lines, null is silence.
    @Nullable Optional<String> within(Duration tick) throws InterruptedException {
      return queue.poll(tick.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Nobody takes any more. */
    void over() {
      over = true;
    }
  }

  /** It said nothing for too long. */
  private static final class SilentException extends IOException {
    private static final long serialVersionUID = 1;

    SilentException(Duration bound) {
      super(Silence.told(bound));
    }
  }

  /**
   * The next line, or null at the end. An interrupt closes the process's stdin, which makes it finish early.
   *
   * @throws SilentException where there is none within the bound
   */
  private @Nullable String next(Lines lines, BufferedWriter out, boolean first) throws IOException {
    boolean interrupted = false;
    int ticks = 0;
    try {
      while (true) {
        Duration bound = stopping || interrupted ? silence.ending() : first ? silence.begin() : silence.most();
        if (Silence.over(ticks, bound)) {
          throw new SilentException(bound);
        }
        try {
          Optional<String> line = lines.within(Silence.TICK);
          if (line != null) {
            return line.orElse(null);
          }
          ticks++;
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

  private @Nullable LoadResult follow(Lines lines, BufferedWriter out, LoadListener listener) throws IOException {
    boolean first = true;
    String line;
    while ((line = next(lines, out, first)) != null) {
      first = false;
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
  private static void end(ChildProcess started) {
    boolean interrupted = Thread.interrupted();
    try {
      started.endsWithin(Duration.ofSeconds(30));
    } catch (InterruptedException e) {
      interrupted = true;
    }
    started.close();
    try {
      started.drained();
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static LoadResult died(LoadPlan plan, ChildProcess started) {
    String how;
    try {
      how =
          started.endsWithin(Duration.ofSeconds(10))
              ? started.ending()
              : "ended its pipe, and still ran 10 s later,";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      how = "ended while it was awaited,";
    }
    return nothing(plan, new Reason(ReasonCode.CLIENT_DIED, "the client process " + how + " before its result"));
  }

  /** A result that measured nothing, for that reason. */
  static LoadResult nothing(LoadPlan plan, Reason why) {
    return LoadResult.nothing(LoadOutcome.client(plan), plan.connections(), plan.ratePerSecond(), plan.sourceAddresses(), why);
  }
}
