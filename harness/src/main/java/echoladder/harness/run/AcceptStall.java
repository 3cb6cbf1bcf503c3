package echoladder.harness.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * A server that does not accept for a while: SIGSTOP before the first connect, and SIGCONT a bounded time after the ramp has begun. The
 * kernel goes on to complete handshakes for it, until its queues are full. A process of its own sends both signals, so a harness
 * that is killed leaves no stopped server behind. Called by the thread of the rung, {@link #ramp} by the one that follows the client.
 */
final class AcceptStall implements AutoCloseable {
  /** The end of the input, also where the harness is gone, begins the time. Ctrl-C is for the harness. */
  private static final String SIGNALS = "trap '' HUP INT TERM; kill -STOP $0 || exit 1; echo; read -r _; sleep $1; kill -CONT $0";

  /** Beyond the stall, until its process is given up. */
  private static final Duration MORE = Duration.ofSeconds(30);

  private final Process signals;
  private final Duration length;

  private AcceptStall(Process signals, Duration length) {
    this.signals = signals;
    this.length = length;
  }

  /**
   * Stops a process.
   *
   * @param length from {@link #ramp} until it goes on
   * @throws IOException where it could not be stopped
   */
  static AcceptStall of(long pid, Duration length) throws IOException {
    String seconds = String.format(Locale.ROOT, "%.3f", length.toMillis() / 1e3);
    Process signals = new ProcessBuilder(List.of("sh", "-c", SIGNALS, Long.toString(pid), seconds)).redirectErrorStream(true).start();
    int first = signals.getInputStream().read();
    if (first != '\n') {
      String said = first < 0 ? "" : (char) first + new String(signals.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      throw new IOException("the server could not be stopped for a while: " + said.trim());
    }
    return new AcceptStall(signals, length);
  }

  /** The ramp begins, and so does the time. */
  void ramp() {
    try {
      signals.getOutputStream().close();
    } catch (IOException e) {
      // Nothing was written that could be left.
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until the process goes on, or is gone: one that is stopped hears no SIGTERM. */
  @Override
  public void close() {
    ramp();
    try {
      var _ = signals.waitFor(length.plus(MORE).toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
