package echoladder.harness.probe;

import java.io.UncheckedIOException;
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
  private final Consumer<String> missing;
  private final ScheduledExecutorService ticker;
  private boolean missed;

  /** Samples this host, which can always be asked; see below. */
  public Sampler(Subject subject, Consumer<Reading> sink) {
    this(new LocalReadings(subject), sink, _ -> {});
  }

  /**
   * Starts to sample.
   *
   * @param sink gets every sample; an exception of it ends the sampling each second
   * @param missing is told why the sample of a second could not be had, once until there is one again
   */
  public Sampler(Readings readings, Consumer<Reading> sink, Consumer<String> missing) {
    this.readings = readings;
    this.sink = sink;
    this.missing = missing;
    this.ticker =
        Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().daemon().name("sampler").unstarted(task));
    var _ = ticker.scheduleAtFixedRate(this::tick, 1, 1, TimeUnit.SECONDS);
  }

  private void tick() {
    Reading reading;
    try {
      reading = readings.take(Readings.Depth.SECOND);
    } catch (UncheckedIOException e) {
      if (!missed) {
        missing.accept(String.valueOf(e.getMessage()));
      }
      missed = true;
      return;
    }
    missed = false;
    give(reading);
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
    give(reading);
    return reading;
  }

  private void give(Reading reading) {
    synchronized (sink) {
      sink.accept(reading);
    }
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
