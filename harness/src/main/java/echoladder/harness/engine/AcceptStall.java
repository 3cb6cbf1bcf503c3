package echoladder.harness.engine;

import echoladder.client.Phase;
import echoladder.harness.run.StartedServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A server that does not accept for a while: SIGSTOP before the first connect, and SIGCONT a bounded time after the ramp has begun. The
 * kernel goes on to complete handshakes for it, until its queues are full. A process of its own sends both signals, so a harness
 * that is killed leaves no stopped server behind. Called by the thread of the rung, {@link #ramp} by the one that follows the client.
 */
final class AcceptStall implements RungObserver {
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

  /** Where the study asks for it, and the server was started here. */
  static @Nullable AcceptStall asked(Subject subject) throws IOException {
    long ns = subject.context().setup().study().phases().acceptStallNs();
    return ns > 0 && subject.server() instanceof StartedServer started ? of(started.ready().pid(), Duration.ofNanos(ns)) : null;
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

  @Override
  public void entered(Phase now, long monotonicNs) {
    if (now == Phase.RAMP) {
      ramp();
    }
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
