package echoladder.harness.probe;

import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Takes a sample of every probe each second, and one at each border of a phase, which may cost more. A sample is taken by
 * whichever thread asks. The sink gets one sample at a time.
 */
public final class Sampler implements AutoCloseable {
  private final Readings readings;
  private final Consumer<Reading> sink;
  private final ScheduledExecutorService ticker;

  /** Samples this host, see below. */
  public Sampler(Subject subject, Consumer<Reading> sink) {
    this(new LocalReadings(subject), sink);
  }

  /**
   * Starts to sample.
   *
   * @param sink gets every sample; an exception of it ends the sampling each second
   */
  public Sampler(Readings readings, Consumer<Reading> sink) {
    this.readings = readings;
    this.sink = sink;
    this.ticker =
        Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().daemon().name("sampler").unstarted(task));
    var _ = ticker.scheduleAtFixedRate(this::tick, 1, 1, TimeUnit.SECONDS);
  }

  private void tick() {
    take(Readings.Depth.SECOND);
  }

  /** A sample at the border of a phase, with what is too dear for every second. */
  public Reading border() {
    return take(Readings.Depth.BORDER);
  }

  /** A sample once the steady state is over, with what would have disturbed it. */
  public Reading atEnd() {
    return take(Readings.Depth.END);
  }

  /** As {@link Readings#acceptErrors}. */
  public Map<String, Long> acceptErrors() {
    return readings.acceptErrors();
  }

  private Reading take(Readings.Depth depth) {
    Reading reading = readings.take(depth);
    synchronized (sink) {
      sink.accept(reading);
    }
    return reading;
  }

  /** As {@link Readings#restart}. */
  public String restart() {
    return readings.restart();
  }

  /** As {@link Readings#metricsFailure}. */
  public String metricsFailure() {
    return readings.metricsFailure();
  }

  /** Ends the sampling; a sample under way is finished. */
  @Override
  public void close() {
    ticker.shutdown();
    try {
      // The longest sample is one whose metrics page times out.
      ticker.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
