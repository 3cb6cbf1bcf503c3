package echoladder.openloop.shard;

import echoladder.linux.output.BoundedLines;
import echoladder.linux.process.ChildProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A shard in a child process of this one, which ends with its stdin. One that stands still is killed when it has left a question
 * unanswered for too long, and by the guard when this process has ended.
 */
public final class ShardProcess implements ShardLine {
  /** Its longest reply has the histograms of an interval, some hundred kilobytes. */
  static final int REPLY_MOST_BYTES = 32 << 20;

  private final ChildProcess process;
  private final BoundedLines in;
  // Written by the thread that asks: odd while a question is open.
  private long words;
  private volatile long talk;
  private volatile @Nullable Duration silentFor;

  private ShardProcess(ChildProcess process, Silence silence) {
    this.process = process;
    this.in = new BoundedLines(process.stdout(), REPLY_MOST_BYTES);
    Thread.ofVirtual().name("silence-of-" + process.pid()).start(() -> watch(silence));
  }

  /** Starts one by this JVM's own java, flags and class path; what it says on stderr is said here. */
  public static ShardProcess start() throws IOException {
    return started(ClientJvm.command(ShardMain.class), Silence.BOUNDS);
  }

  /**
   * Starts a shard by another command.
   *
   * @param javaCommand java, its flags and class path, up to where the main class follows
   */
  public static ShardProcess start(List<String> javaCommand) throws IOException {
    return start(javaCommand, Silence.BOUNDS);
  }

  public static ShardProcess start(List<String> javaCommand, Silence silence) throws IOException {
    List<String> command = new ArrayList<>(javaCommand);
    command.add(ShardMain.class.getName());
    return started(command, silence);
  }

  private static ShardProcess started(List<String> command, Silence silence) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    return new ShardProcess(ChildProcess.guarded(builder, null, null), silence);
  }

  private void watch(Silence silence) {
    long heard = talk;
    int ticks = 0;
    try {
      while (process.alive()) {
        Thread.sleep(Silence.TICK);
        long now = talk;
        ticks = now == heard && now % 2 == 1 ? ticks + 1 : 0;
        heard = now;
        Duration bound = now == 1 ? silence.begin() : silence.most();
        if (Silence.over(ticks, bound)) {
          silentFor = bound;
          process.kill();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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
    talk = ++words;
    try {
      OutputStream out = process.stdin();
      out.write((request + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
      line = in.next();
    } catch (IOException e) {
      Duration silent = silentFor;
      throw new IOException(name() + ", " + (silent != null ? Silence.told(silent) : "is gone: " + e.getMessage()), e);
    } finally {
      talk = ++words;
    }
    Duration silent = silentFor;
    if (silent != null) {
      throw new IOException(name() + ", " + Silence.told(silent));
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
