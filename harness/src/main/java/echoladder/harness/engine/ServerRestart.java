package echoladder.harness.engine;

import echoladder.client.Phase;
import echoladder.harness.metric.StormReading;
import echoladder.harness.run.Stand;
import echoladder.harness.run.StartedServer;
import echoladder.harness.server.ServerNotReadyException;
import echoladder.linux.process.ProcessMemory;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The restart of a server while its clients wait to come back: it is ended by SIGKILL, as a crash ends it, and started again
 * at the same port, by the stand that it belongs to. Called by the thread that follows the client; {@link #endedServer} by any.
 */
final class ServerRestart implements RungObserver {
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

  /** Where the study asks for a storm, and the server was started here. */
  static @Nullable ServerRestart asked(Subject subject) {
    Stand stand = subject.stand();
    boolean asked = subject.context().setup().study().load(stand.contender().entry()).storm() != null;
    return asked && subject.server() instanceof StartedServer first
        ? new ServerRestart(first, subject.borders(), port -> stand.again(subject.rung(), port))
        : null;
  }

  ServerRestart(StartedServer first, BorderReadings borders, Start start) {
    this.first = first;
    this.borders = borders;
    this.start = start;
  }

  @Override
  public boolean endedServer() {
    return expected;
  }

  @Override
  public void entered(Phase now, long monotonicNs) {
    if (now == Phase.STORM) {
      restart(monotonicNs);
    } else if (now == Phase.ROLL_CALL) {
      over();
    }
  }

  /** Kills it and starts it again; what fails is told by {@link #ending}. */
  private void restart(long beganNs) {
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
  private void over() {
    StormReading seen = borders.storm;
    if (seen != null && second != null) {
      borders.storm = seen.withPeak(ProcessMemory.peakRssBytes(second.ready().pid()));
    }
  }

  @Override
  public @Nullable String ending(boolean doubted) {
    return second == null || failure != null ? failure : second.ending(doubted);
  }
}
