package echoladder.harness.profile;

import echoladder.linux.output.HeadAndTail;
import echoladder.linux.process.ChildProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * perf(1) while it watches a process. perf counts from the moment at which it starts a command of its own until that command ends.
 * So the command here says on stdout that it was started, and ends with its stdin: both ends of the window are known.
 * Any thread may call.
 */
final class PerfWindow implements AutoCloseable {
  /** What perf runs meanwhile. It is told nothing, and ends with its stdin. */
  private static final List<String> MEANWHILE = List.of("--", "sh", "-c", "echo on; exec cat >/dev/null");

  /** For perf to add up, or to write out, what it has seen. */
  private static final Duration END_BOUND = Duration.ofSeconds(60);

  private final ChildProcess process;
  private final ByteArrayOutputStream said;
  private final HeadAndTail err;
  private final CompletableFuture<Long> begunNs;
  private volatile @Nullable Long endedNs;

  private PerfWindow(ChildProcess process, ByteArrayOutputStream said, HeadAndTail err, CompletableFuture<Long> begunNs) {
    this.process = process;
    this.said = said;
    this.err = err;
    this.begunNs = begunNs;
  }

  /**
   * Starts perf.
   *
   * @param perf its command with whom it watches, without what it runs meanwhile
   * @throws IOException where it cannot be started
   */
  static PerfWindow open(List<String> perf) throws IOException {
    List<String> command = new ArrayList<>(perf);
    command.addAll(MEANWHILE);
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    HeadAndTail err = HeadAndTail.log(said);
    CompletableFuture<Long> begunNs = new CompletableFuture<>();
    ChildProcess process = ChildProcess.start(new ProcessBuilder(command), out -> awaitFirst(out, begunNs), err);
    return new PerfWindow(process, said, err, begunNs);
  }

  private static void awaitFirst(InputStream out, CompletableFuture<Long> begunNs) throws IOException {
    while (out.read() >= 0) {
      begunNs.complete(System.nanoTime());
    }
  }

  /** Whether {@link #end} was called. */
  boolean ended() {
    return endedNs != null;
  }

  /** Ends the window, without waiting for what perf says of it. */
  void end() {
    endedNs = System.nanoTime();
    try {
      process.stdin().close();
    } catch (IOException e) {
      // It has ended by itself: what it says of that is asked for below.
    }
  }

  /**
   * The length of the window that has ended, in seconds, once perf has said what it saw.
   *
   * @throws IOException with what perf said, where it failed, had not begun by the end, or lost a part of what it saw
   */
  double seconds() throws IOException, InterruptedException {
    Long ended = endedNs;
    Long begun = begunNs.getNow(null);
    if (!process.endsWithin(END_BOUND)) {
      process.kill();
      throw new IOException("perf did not end within %d s of the end of its window and was killed".formatted(END_BOUND.toSeconds()));
    }
    process.drained();
    err.close();
    String words = said.toString(StandardCharsets.UTF_8).strip();
    Integer status = process.status();
    if (status == null || status != 0) {
      throw new IOException("perf %s: %s".formatted(process.ending(), words));
    }
    if (begun == null || ended == null || ended <= begun) {
      throw new IOException("perf had not begun to count by the end of the steady state; a longer one is needed (phases.steady)");
    }
    if (words.contains("LOST ") || words.contains("lost ")) {
      throw new IOException("perf lost a part of what it was to count: " + words);
    }
    return (ended - begun) / 1e9;
  }

  /** Ends perf where it still runs. */
  @Override
  public void close() {
    process.close();
    err.close();
  }
}
