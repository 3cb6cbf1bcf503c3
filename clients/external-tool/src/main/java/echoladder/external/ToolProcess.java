package echoladder.external;

import echoladder.linux.output.BoundedLines;
import echoladder.linux.output.HeadAndTail;
import echoladder.linux.output.TerminalStream;
import echoladder.linux.process.ChildProcess;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A load tool as a child process. Its soft limit of descriptors is set before it starts, as load tools take what they
 * find. Any thread may call.
 */
public final class ToolProcess implements AutoCloseable {
  /** The longest line of a tool has some hundred. */
  private static final int LINE_MOST_BYTES = 64 << 10;

  /** The most that a program may take for its version: it only prints. */
  private static final Duration ANSWER_MOST = Duration.ofSeconds(10);

  private static final int ANSWER_DESCRIPTORS = 256;

  private static final String CUT = " [cut here: a line of at most 65,536 bytes is kept]";

  // ulimit of the shell, as prlimit(1) is not everywhere; exec keeps the process id.
  private static final String WITH_DESCRIPTORS = "ulimit -S -n \"$0\" || exit 126; exec \"$@\"";

  /**
   * How a tool ended.
   *
   * @param exit its exit status; 128 + N after signal N
   * @param killed whether it was ended by force, as it outlived its bound
   */
  public record Ended(int exit, String stdout, String stderr, boolean killed) {
    /** The words behind "ended". */
    public String how() {
      return killed ? "by force, as it outlived its time," : "with exit status " + exit;
    }
  }

  private final ChildProcess process;
  private final Kept stdout;
  private final Kept stderr;
  private volatile boolean killed;

  private ToolProcess(ChildProcess process, Kept stdout, Kept stderr) {
    this.process = process;
    this.stdout = stdout;
    this.stderr = stderr;
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
    return start(argv, descriptors, line -> {}, errorLine);
  }

  /**
   * Starts a tool that says on its stdout where it stands.
   *
   * @param outputLine told of each line on its stdout when it comes, from a thread of its own
   * @param errorLine told of each line on its stderr, from another one
   */
  public static ToolProcess start(List<String> argv, long descriptors, Consumer<String> outputLine, Consumer<String> errorLine)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", WITH_DESCRIPTORS, Long.toString(descriptors)));
    command.addAll(argv);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    // The decimal point must be one, and UTF-8 arrows are read.
    builder.environment().put("LC_ALL", "C.UTF-8");
    Kept stdout = new Kept(outputLine);
    Kept stderr = new Kept(errorLine);
    return new ToolProcess(ChildProcess.start(builder, stdout, stderr), stdout, stderr);
  }

  /** What a program answers to one option, such as the one for its version: its stdout, then its stderr. */
  public static String answer(Path program, String option) throws IOException {
    try (ToolProcess asked = start(List.of(program.toString(), option), ANSWER_DESCRIPTORS, line -> {})) {
      Ended answer = asked.await(ANSWER_MOST);
      return answer.stdout() + answer.stderr();
    }
  }

  public long pid() {
    return process.pid();
  }

  /** Completed when the process is gone, with its exit status. */
  public CompletableFuture<Integer> onExit() {
    return process.ended();
  }

  /** Asks the tool to end, as Ctrl-C does: tcpkali and wrk2 answer SIGINT with their summary. */
  public void interrupt() {
    process.interrupt();
  }

  /** Waits for its end; by force beyond the bound. An interrupt of the thread ends it by force too, and is kept. */
  public Ended await(Duration most) {
    boolean interrupted = false;
    try {
      if (!process.endsWithin(most)) {
        kill();
      }
    } catch (InterruptedException e) {
      interrupted = true;
      kill();
    }
    try {
      process.drained();
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    Integer exit = process.status();
    return new Ended(exit == null ? -1 : exit, stdout.text(), stderr.text(), killed);
  }

  private void kill() {
    killed = true;
    process.kill();
  }

  /** Leaves no process behind. */
  @Override
  public void close() {
    if (process.alive()) {
      kill();
    }
    process.close();
  }

  /** Appends a command and all it printed to a log file. */
  public static void log(Path file, List<String> argv, Ended ended) throws IOException {
    String text =
        "$ %s%n%s%s[exit status %d%s]%n"
            .formatted(
                String.join(" ", argv), ended.stderr(), ended.stdout(), ended.exit(), ended.killed() ? ", killed" : "");
    try (OutputStream to =
        TerminalStream.ofOthers(Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND))) {
      to.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** One stream, line by line: its beginning and its end are kept, and each line is told, cut where it is too long. */
  private static final class Kept implements ChildProcess.Drain {
    private final ByteArrayOutputStream text = new ByteArrayOutputStream();
    private final HeadAndTail keeper = HeadAndTail.log(text);
    private final Consumer<String> listener;

    Kept(Consumer<String> listener) {
      this.listener = listener;
    }

    @Override
    public void drain(InputStream from) throws IOException {
      BoundedLines lines = new BoundedLines(from, LINE_MOST_BYTES);
      BoundedLines.Line line;
      while ((line = lines.next()) != null) {
        String shown = line.whole() ? line.text() : line.text() + CUT;
        byte[] bytes = (shown + "\n").getBytes(StandardCharsets.UTF_8);
        keeper.write(bytes, bytes.length);
        listener.accept(shown);
        if (!line.whole()) {
          lines.rest();
        }
      }
    }

    /** Ends the keeping. */
    String text() {
      keeper.close();
      return text.toString(StandardCharsets.UTF_8);
    }
  }
}
