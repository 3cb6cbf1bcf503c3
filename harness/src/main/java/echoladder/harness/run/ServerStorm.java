package echoladder.harness.run;

import echoladder.harness.metric.StormReading;
import echoladder.harness.server.ServerNotReadyException;
import echoladder.linux.process.ProcessMemory;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The restart of a server while its clients wait to come back: it is ended by SIGKILL, as a crash ends it, and started again
 * at the same port, by the stand that it belongs to. Called by the thread that follows the client; {@link #expected} by any.
 */
final class ServerStorm {
  private final StartedServer first;
  private final Start start;
  private final BorderReadings borders;
  private volatile boolean expected;
  private @Nullable StartedServer second;
  private @Nullable String failure;

  /** Starts the server again. */
  interface Start {
    StartedServer at(int port) throws IOException, InterruptedException, ServerNotReadyException;
  }

  ServerStorm(StartedServer first, BorderReadings borders, Start start) {
    this.first = first;
    this.borders = borders;
    this.start = start;
  }

  /** Whether the end of the first server is our doing. */
  boolean expected() {
    return expected;
  }

  /** Kills it and starts it again; what fails is told by {@link #ending}. */
  void restart(long beganNs) {
    expected = true;
    long killedNs = System.nanoTime();
    first.process().close();
    try {
      StartedServer again = start.at(first.ready().port());
      second = again;
      borders.storm = new StormReading(beganNs, killedNs, System.nanoTime(), null);
      if (again.ready().port() != first.ready().port()) {
        failure = "came up at port %d in place of %d".formatted(again.ready().port(), first.ready().port());
      }
    } catch (ServerNotReadyException | IOException e) {
      failure = "was not ready again: " + e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure = "was not ready again: interrupted";
    }
  }

  /** All connections are back, or their time is over. */
  void over() {
    StormReading seen = borders.storm;
    if (seen != null && second != null) {
      borders.storm = seen.withPeak(ProcessMemory.peakRssBytes(second.ready().pid()));
    }
  }

  /** How the server in the first one's place failed or ended by itself; null where it did not. */
  @Nullable String ending(boolean doubted) {
    return second == null || failure != null ? failure : second.ending(doubted);
  }
}
