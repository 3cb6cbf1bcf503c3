package echoladder.h2load;

import echoladder.client.Phase;
import echoladder.external.Stages;
import echoladder.external.ToolProcess;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Follows h2load through its phases. It says when its main duration begins, by thread; when all connections are made it does not say.
 * When that duration is over it closes all of them, so the steady state ends by the clock before. Events come from several threads,
 * {@link #follow} belongs to one.
 */
final class H2loadRun {
  /** How long its word that its main duration begins may be overdue until the clock takes its place. */
  private static final long OVERDUE_NS = 2_000_000_000L;

  private static final String BEGUN = "Main benchmark duration is started for thread #";

  private enum Event {
    BEGUN,
    ENDED,
    STOP
  }

  private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final H2loadCommand command;
  private final Stages stages;
  private long rampEndsNs;
  private long steadyDueNs;
  private long steadyEndsNs;
  private long fromUs;
  private long toUs;
  private int threadsBegun;
  private boolean over;
  private boolean stopped;

  H2loadRun(H2loadCommand command, Stages stages) {
    this.command = command;
    this.stages = stages;
  }

  /** A line on its stdout; any thread. */
  void line(String line) {
    if (line.startsWith(BEGUN)) {
      events.add(Event.BEGUN);
    }
  }

  /** Ends the load; any thread. */
  void stop() {
    events.add(Event.STOP);
  }

  boolean stopped() {
    return stopped;
  }

  /** Goes through all phases; returns when the steady state is over, the tool has ended, or it was stopped. */
  void follow(ToolProcess tool) {
    var _ = tool.onExit().thenRun(() -> events.add(Event.ENDED));
    stages.ramp(List.of(tool.pid()));
    long startNs = System.nanoTime();
    rampEndsNs = startNs + Math.round(command.rampSeconds() * 1e9);
    steadyDueNs = startNs + command.warmUpMs() * 1_000_000;
    while (!over && stages.phase() != Phase.DRAIN) {
      take(next());
      clock(System.nanoTime());
      // Of requests it says nothing while it runs.
      stages.progress(0, 0);
    }
    if (stages.phase() != Phase.DRAIN) {
      stages.cutShort();
    }
  }

  /** Whether the steady state went to its end. */
  boolean complete() {
    return stages.phase() == Phase.DRAIN;
  }

  private @Nullable Event next() {
    long untilNs =
        switch (stages.phase()) {
          case RAMP -> rampEndsNs;
          case WARM_UP -> steadyDueNs + OVERDUE_NS;
          default -> steadyEndsNs;
        };
    try {
      long wait = Math.min(untilNs, stages.nextProgressNs()) - System.nanoTime();
      return events.poll(Math.max(0, wait), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Event.STOP;
    }
  }

  private void take(@Nullable Event event) {
    switch (event) {
      case null -> {}
      case BEGUN -> {
        threadsBegun++;
        if (threadsBegun == command.threads()) {
          enterSteady();
        }
      }
      case ENDED -> over = true;
      case STOP -> {
        stopped = true;
        over = true;
      }
    }
  }

  private void clock(long now) {
    if (stages.phase() == Phase.RAMP && now >= rampEndsNs) {
      stages.warmUp(steadyDueNs);
    } else if (stages.phase() == Phase.WARM_UP && now >= steadyDueNs + OVERDUE_NS) {
      enterSteady();
    } else if (stages.phase() == Phase.STEADY && now >= steadyEndsNs) {
      toUs = wallUs();
      stages.drain();
    }
  }

  private void enterSteady() {
    if (stages.phase() == Phase.RAMP) {
      stages.warmUp(System.nanoTime());
    }
    if (stages.phase() == Phase.WARM_UP) {
      long lengthNs = command.steadyMs() * 1_000_000;
      stages.steady(lengthNs);
      fromUs = wallUs();
      steadyEndsNs = System.nanoTime() + lengthNs;
    }
  }

  /** h2load's log has the realtime clock. */
  private static long wallUs() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  /** The steady state by the realtime clock, up to now where it was cut short; nothing where it never came. */
  RequestLog.Window window() {
    return fromUs == 0 ? RequestLog.Window.NEVER : new RequestLog.Window(fromUs, toUs == 0 ? wallUs() : toUs);
  }
}
