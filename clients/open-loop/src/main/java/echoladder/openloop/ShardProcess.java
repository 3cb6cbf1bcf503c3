package echoladder.openloop;

import echoladder.linux.BoundedLines;
import echoladder.linux.ChildProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A shard in a child process of this one, which ends with its stdin. */
public final class ShardProcess implements ShardLine {
  /** Its longest reply has the histograms of an interval, some hundred kilobytes. */
  static final int REPLY_MOST_BYTES = 32 << 20;

  private final ChildProcess process;
  private final BoundedLines in;

  private ShardProcess(ChildProcess process) {
    this.process = process;
    this.in = new BoundedLines(process.stdout(), REPLY_MOST_BYTES);
  }

  /** Starts one by this JVM's own java, flags and class path; what it says on stderr is said here. */
  static ShardProcess start() throws IOException {
    return started(ClientJvm.command(ShardMain.class));
  }

  /**
   * The same by another command.
   *
   * @param javaCommand java, its flags and class path, up to where the main class follows
   */
  public static ShardProcess start(List<String> javaCommand) throws IOException {
    List<String> command = new ArrayList<>(javaCommand);
    command.add(ShardMain.class.getName());
    return started(command);
  }

  private static ShardProcess started(List<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    return new ShardProcess(ChildProcess.unguarded(builder, null, null));
  }

  /** Its process id. */
  public long pid() {
    return process.pid();
  }

  @Override
  public String name() {
    return "client shard, pid " + process.pid();
  }

  @Override
  public String ask(String request) throws IOException {
    BoundedLines.Line line;
    try {
      OutputStream out = process.stdin();
      out.write((request + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
      line = in.next();
    } catch (IOException e) {
      throw new IOException(name() + ", is gone: " + e.getMessage(), e);
    }
    if (line == null) {
      throw new IOException(name() + ", ended instead of answering");
    }
    if (!line.whole()) {
      throw new IOException(name() + ", gave a reply of over %,d bytes, the bound".formatted(REPLY_MOST_BYTES));
    }
    return line.text();
  }

  /** Ends it by force. */
  public void kill() {
    process.close();
  }

  @Override
  public void close() {
    try {
      process.endsWithin(Duration.ofMinutes(1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.close();
    }
  }
}
