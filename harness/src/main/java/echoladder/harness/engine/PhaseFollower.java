package echoladder.harness.engine;

import echoladder.client.LoadListener;
import echoladder.client.Phase;
import echoladder.client.PhaseBoundary;
import echoladder.client.Progress;
import echoladder.client.ToolSaid;
import echoladder.client.figures.Percentiles;
import echoladder.client.figures.StagedFigures;
import echoladder.harness.plan.Rung;
import echoladder.harness.probe.Figure;
import echoladder.harness.probe.Reading;
import echoladder.harness.probe.Sampler;
import echoladder.harness.results.SamplesFile;
import echoladder.harness.run.RunContext;
import echoladder.harness.run.RungServer;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Follows the client through its phases: reads all probes at their borders, and has the server collect garbage while
 * all its connections are still held. Every sample goes to samples.csv under the phase it was taken in.
 */
final class PhaseFollower implements LoadListener {
  /** A sample has what the client said last where that is no older. */
  private static final long FRESH_NS = 1_500_000_000L;

  private final RunContext context;
  private final Rung rung;
  private final SamplesFile.Key samples;
  private final BorderReadings borders;
  private final RungServer server;
  private Observers observers = Observers.NONE;
  private @Nullable Sampler sampler;
  private volatile @Nullable Progress progress;
  private volatile String phase = "ready";

  /** Follows one try of a rung. */
  PhaseFollower(RunContext context, Step step, BorderReadings borders, RungServer server) {
    this.context = context;
    this.rung = step.rung();
    this.samples = new SamplesFile.Key(rung.key(), step.number());
    this.borders = borders;
    this.server = server;
  }

  /** The server is ready and nothing is connected: the first reading. */
  void begin(Sampler started) {
    sampler = started;
    borders.ready = started.border();
  }

  /** From now on these hear of the phases too. */
  void tell(Observers others) {
    observers = others;
  }

  void sampled(Reading reading) {
    for (Figure figure : Figure.values()) {
      reading.get(figure).ifPresent(value -> borders.peaks.merge(figure, value, Math::max));
    }
    Progress seen = progress;
    if (seen != null && reading.monotonicNs - seen.monotonicNs() < FRESH_NS) {
      reading.put(Figure.CLIENT_ACHIEVED_PER_S, Math.round(seen.achievedPerS()));
      if (seen.users() != null) {
        reading.put(Figure.CLIENT_USERS, seen.users());
      }
      if (seen.times() != null) {
        Percentiles times = seen.times().shown();
        put(reading, Figure.CLIENT_TIME_P50_NS, times.p50Ns());
        put(reading, Figure.CLIENT_TIME_P90_NS, times.p90Ns());
        put(reading, Figure.CLIENT_TIME_P99_NS, times.p99Ns());
        put(reading, Figure.CLIENT_TIME_MAX_NS, times.maxNs());
      }
    }
    write(reading);
  }

  /** A sample of a second could not be had from another host. */
  void missed(String why) {
    context.display().note(rung.label() + ": samples are missing: " + why);
  }

  private void write(Reading reading) {
    context.samples().write(samples, phase, reading);
  }

  private static void put(Reading into, Figure figure, @Nullable Long ns) {
    if (ns != null) {
      into.put(figure, ns);
    }
  }

  @Override
  public void phase(Phase next, long monotonicNs) {
    Sampler probes = sampler;
    if (probes == null) {
      throw new IllegalStateException("a phase before the first reading");
    }
    observers.leaving(next);
    phase = next.name().toLowerCase(Locale.ROOT).replace('_', '-');
    switch (next) {
      case STEADY -> {
        borders.steadyStart = border(probes, "beginning", monotonicNs);
        if (borders.speeds != null) {
          borders.speeds.begin();
        }
      }
      case DRAIN -> {
        borders.steadyEnd = border(probes, "end", monotonicNs);
        if (borders.speeds != null) {
          borders.speeds.end();
        }
      }
      default -> {}
    }
    observers.entered(next, monotonicNs);
    context.display().step(rung, phase);
    context.metrics().phase(next, monotonicNs);
    if (next == Phase.HOLD) {
      hold();
    }
  }

  private Reading border(Sampler probes, String which, long dueNs) {
    Reading reading = probes.border();
    borders.steady.add(new PhaseBoundary(which, "the harness", dueNs, reading.cpuReadNs()));
    return reading;
  }

  private void hold() {
    Sampler probes = sampler;
    if (probes != null) {
      var _ = probes.atEnd();
    }
    if (borders.steadyEnd == null || probes == null || context.stop().requested()) {
      return;
    }
    if (!probes.metricsFailure().isEmpty()) {
      // Where the page is silent the other one is too, and takes a minute to say so.
      borders.failure = probes.metricsFailure();
      return;
    }
    try {
      borders.liveHeap = server.liveHeap();
    } catch (IOException e) {
      borders.failure = String.valueOf(e.getMessage());
    }
  }

  @Override
  public void said(ToolSaid said) {
    Reading reading = new Reading(said.monotonicNs());
    reading.put(Figure.TOOL_SAID_CONNECTIONS_OPEN, said.connectionsOpen());
    reading.put(Figure.TOOL_SAID_SENT_BYTES, said.sentBytes());
    reading.put(Figure.TOOL_SAID_RECEIVED_BYTES, said.receivedBytes());
    write(reading);
  }

  @Override
  public void staged(StagedFigures figures) {
    borders.staged = figures;
  }

  @Override
  public void progress(Progress seen) {
    progress = seen;
    context.display().progress(rung, seen);
    context.metrics().progress(seen);
  }
}
