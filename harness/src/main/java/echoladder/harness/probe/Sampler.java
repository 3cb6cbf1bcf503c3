package echoladder.harness.probe;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Takes a sample of every probe each second, and one at each border of a phase, which may cost more. A sample is taken by
 * whichever thread asks. What the kernel tells is read first, whoever waits for the server's page meanwhile: a border is not
 * late because a page is. The sink gets one sample at a time.
 */
public final class Sampler implements AutoCloseable {
  private final List<Probe> cpu;
  private final List<Probe> always;
  private final List<Probe> atBorders;
  private final MetricsProbe metrics;
  private final Subject subject;
  private final Consumer<Reading> sink;
  private final ScheduledExecutorService ticker;
  private final Object kernel = new Object();
  private final Object page = new Object();

  /**
   * Starts to sample.
   *
   * @param sink gets every sample; an exception of it ends the sampling each second
   */
  public Sampler(Subject subject, Consumer<Reading> sink) {
    this.subject = subject;
    this.sink = sink;
    this.metrics = new MetricsProbe(subject.metrics(), subject.serverPid() == null);
    ProcessProbes processes = new ProcessProbes(subject);
    this.cpu = List.of(processes::cpu, ProcessProbes::hostCpu);
    this.always =
        List.of(
            processes::rss,
            processes::threads,
            new ContextSwitchProbe(subject, false),
            new KernelMemoryProbe(false),
            new LimitProbe(subject));
    this.atBorders = List.of(new ContextSwitchProbe(subject, true), new KernelMemoryProbe(true));
    this.ticker =
        Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().daemon().name("sampler").unstarted(task));
    var _ = ticker.scheduleAtFixedRate(this::tick, 1, 1, TimeUnit.SECONDS);
  }

  private void tick() {
    take(always);
  }

  /** A sample at the border of a phase, with what is too dear for every second. */
  public Reading border() {
    List<Probe> all = new ArrayList<>(always);
    all.addAll(atBorders);
    return take(all);
  }

  /** A sample once the steady state is over, with what would have disturbed it. */
  public Reading atEnd() {
    List<Probe> all = new ArrayList<>(always);
    all.add(
        into -> {
          if (subject.serverPid() != null) {
            LimitProbe.maps(subject.serverPid()).ifPresent(n -> into.put(Figure.SERVER_MAPS, n));
          }
        });
    return take(all);
  }

  /** Failed accepts by reason, as the server's page had them the last time that it could be had. */
  public Map<String, Long> acceptErrors() {
    return metrics.acceptErrors();
  }

  private Reading take(List<Probe> probes) {
    Reading reading;
    synchronized (kernel) {
      reading = new Reading(System.nanoTime());
      cpu.forEach(probe -> probe.sample(reading));
      reading.cpuReadBy(System.nanoTime());
      probes.forEach(probe -> probe.sample(reading));
    }
    synchronized (page) {
      metrics.sample(reading);
      if (subject.serverPid() == null) {
        // Its CPU is what the page says.
        reading.cpuReadBy(System.nanoTime());
      }
      sink.accept(reading);
    }
    return reading;
  }

  /** Where the server process changed between two samples, how that was seen; empty where it did not. */
  public String restart() {
    return metrics.restart();
  }

  /** Why the server's metrics page could not be had the last time; empty where it could. */
  public String metricsFailure() {
    return metrics.failure();
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
