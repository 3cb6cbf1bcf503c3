package echoladder.harness.run;

import echoladder.client.LoadListener;
import echoladder.client.Phase;
import echoladder.client.Progress;
import echoladder.client.ToolSaid;
import echoladder.harness.plan.Rung;
import echoladder.harness.probe.Figure;
import echoladder.harness.probe.LiveHeap;
import echoladder.harness.probe.Reading;
import echoladder.harness.probe.Sampler;
import java.io.IOException;
import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Follows the client through its phases: reads all probes at their borders, and has the server collect garbage while
 * all its connections are still held. Every sample goes to samples.csv under the phase it was taken in.
 */
final class PhaseFollower implements LoadListener {
  private final RunContext context;
  private final Rung rung;
  private final Borders borders;
  private final URI gc;
  private @Nullable Sampler sampler;
  private volatile String phase = "ready";

  PhaseFollower(RunContext context, Rung rung, Borders borders, URI gc) {
    this.context = context;
    this.rung = rung;
    this.borders = borders;
    this.gc = gc;
  }

  /** The server is ready and nothing is connected: the first reading. */
  void begin(Sampler started) {
    sampler = started;
    borders.ready = started.border();
  }

  void sampled(Reading reading) {
    context.samples().write(rung.label(), rung.connections(), phase, reading);
  }

  @Override
  public void phase(Phase next, long monotonicNs) {
    Sampler probes = sampler;
    if (probes == null) {
      throw new IllegalStateException("a phase before the first reading");
    }
    phase = next.name().toLowerCase(Locale.ROOT).replace('_', '-');
    context.display().step(rung, phase);
    switch (next) {
      case RAMP, WARM_UP -> {}
      case STEADY -> borders.steadyStart = probes.border();
      case DRAIN -> borders.steadyEnd = probes.border();
      case HOLD -> hold();
    }
  }

  private void hold() {
    if (borders.steadyEnd == null || context.stop().requested()) {
      return;
    }
    try {
      borders.liveHeap = LiveHeap.afterGc(gc);
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
    sampled(reading);
  }

  @Override
  public void progress(Progress progress) {
    context.display().progress(rung, progress);
  }
}
