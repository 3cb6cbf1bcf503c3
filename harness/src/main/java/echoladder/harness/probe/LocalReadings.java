package echoladder.harness.probe;

import echoladder.linux.process.ProcessTree;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Samples of this host's kernel and of a server's page. What the kernel tells is read first, whoever waits for the page meanwhile:
 * a border is not late because a page is.
 */
public final class LocalReadings implements Readings {
  private final List<Probe> cpu;
  private final List<Probe> always;
  private final List<Probe> atBorders;
  private final List<Probe> aroundLoad;
  private boolean begun;
  private final @Nullable MetricsProbe metrics;
  private final Subject subject;
  private final Object kernel = new Object();
  private final Object page = new Object();

  /** Looks at the subject. */
  public LocalReadings(Subject subject) {
    this(subject, List.of());
  }

  /**
   * Looks at the subject.
   *
   * @param aroundLoad probes that are too dear for the borders of the steady state: they are read with the first sample at a border,
   *     before anything is connected, and with those at the end
   */
  public LocalReadings(Subject subject, List<Probe> aroundLoad) {
    this.aroundLoad = List.copyOf(aroundLoad);
    this.subject = subject;
    URI of = subject.metrics();
    this.metrics = of == null ? null : new MetricsProbe(of, subject.serverPid() == null);
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
  }

  @Override
  public Reading take(Depth depth) {
    List<Probe> all = new ArrayList<>(always);
    switch (depth) {
      case SECOND -> {}
      case BORDER -> {
        all.addAll(atBorders);
        all.addAll(first() ? aroundLoad : List.of());
      }
      case END -> {
        all.addAll(aroundLoad);
        all.add(this::maps);
        all.add(this::descriptors);
      }
    }
    return take(all);
  }

  private synchronized boolean first() {
    boolean first = !begun;
    begun = true;
    return first;
  }

  private void maps(Reading into) {
    if (subject.serverPid() != null) {
      LimitProbe.maps(subject.serverPid()).ifPresent(n -> into.put(Figure.SERVER_MAPS, n));
    }
  }

  /** A list of them takes a moment where there are many, so this too is for the end. */
  private void descriptors(Reading into) {
    ProcessTree tree = subject.tree();
    Long open = tree == null ? null : tree.descriptors();
    if (open != null) {
      into.put(Figure.SERVER_DESCRIPTORS, open);
    }
  }

  private Reading take(List<Probe> probes) {
    Reading reading;
    synchronized (kernel) {
      reading = new Reading(System.nanoTime());
      cpu.forEach(probe -> probe.sample(reading));
      reading.cpuReadBy(System.nanoTime());
      probes.forEach(probe -> probe.sample(reading));
    }
    if (metrics == null) {
      return reading;
    }
    synchronized (page) {
      metrics.sample(reading);
      if (subject.serverPid() == null) {
        // Its CPU is what the page says.
        reading.cpuReadBy(System.nanoTime());
      }
    }
    return reading;
  }

  @Override
  public Map<String, Long> acceptErrors() {
    return metrics == null ? Map.of() : metrics.acceptErrors();
  }

  @Override
  public String restart() {
    return metrics == null ? "" : metrics.restart();
  }

  @Override
  public String metricsFailure() {
    return metrics == null ? "" : metrics.failure();
  }
}
