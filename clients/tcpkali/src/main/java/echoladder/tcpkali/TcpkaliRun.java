package echoladder.tcpkali;

import echoladder.client.LoadListener;
import echoladder.client.Phase;
import echoladder.client.ToolSaid;
import echoladder.external.Sighting;
import echoladder.external.Stages;
import echoladder.external.ToolProcess;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Follows one tcpkali through its phases. The ramp ends when it says so; the steady state is the first window of its
 * times that begins after the warm-up, so that these times are of the steady state and of nothing else; then it is told
 * to end. Events come from several threads, {@link #follow} belongs to one.
 */
final class TcpkaliRun {
  /** How long a window's times may be overdue until the clock takes their place. */
  private static final long OVERDUE_NS = 2_000_000_000L;

  /** How long to wait, when the steady state is over, for the quarter of a second in which it ended. */
  private static final long LAST_TRAFFIC_NS = 1_000_000_000L;

  /** Somewhat below a second, as its quarters of one are not exact. */
  private static final long SAID_NS = 900_000_000L;

  private static final String RAMPED_UP = "Ramped up to ";

  private sealed interface Event {}

  private record RampedUp() implements Event {}

  private record Datagram(String text, long arrivedNs) implements Event {}

  private record Ended() implements Event {}

  private record Stop() implements Event {}

  private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final TcpkaliCommand command;
  private final Stages stages;
  private final LoadListener listener;
  private final Statsd statsd = new Statsd();
  private final long windowNs;
  private TrafficLog traffic = new TrafficLog(0);
  private long nextSaidNs = Long.MIN_VALUE;
  private long earliestSteadyNs;
  private long windowDueNs;
  private Times steadyTimes = Times.NONE;
  private long drainNs;
  private boolean trafficComplete;
  private boolean stopped;
  private boolean ended;

  TcpkaliRun(TcpkaliCommand command, Stages stages, LoadListener listener) {
    this.command = command;
    this.stages = stages;
    this.listener = listener;
    this.windowNs = Math.round(command.windowSeconds() * 1e9);
  }

  /** A line on its stderr; any thread. */
  void line(String line) {
    if (line.startsWith(RAMPED_UP)) {
      events.add(new RampedUp());
    }
  }

  /** A datagram of statsd; any thread. */
  void datagram(String text, long arrivedNs) {
    events.add(new Datagram(text, arrivedNs));
  }

  /** Ends the load; any thread. */
  void stop() {
    events.add(new Stop());
  }

  /** Goes through all phases; returns when the steady state is over, the tool has ended, or it was stopped. */
  void follow(ToolProcess tool) {
    var _ = tool.onExit().thenRun(() -> events.add(new Ended()));
    stages.ramp(List.of(tool.pid()));
    traffic = new TrafficLog(System.nanoTime());
    while (!ended && !stopped && !trafficComplete) {
      Event event = next();
      switch (event) {
        case null -> {}
        case RampedUp() -> rampedUp();
        case Datagram(String text, long arrivedNs) -> take(text, arrivedNs);
        case Ended() -> ended = true;
        case Stop() -> stopped = true;
      }
      clock();
      stages.progress(
          traffic.sentBytes() / command.messageBytes(), traffic.receivedBytes() / command.messageBytes());
    }
    if (stages.phase() != Phase.DRAIN) {
      stages.cutShort();
    }
  }

  private @Nullable Event next() {
    try {
      long wait = stages.nextProgressNs() - System.nanoTime();
      return events.poll(Math.max(0, wait), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Stop();
    }
  }

  private void rampedUp() {
    if (stages.phase() != Phase.RAMP) {
      return;
    }
    earliestSteadyNs = System.nanoTime() + Math.round(command.warmUpSeconds() * 1e9);
    windowDueNs = earliestSteadyNs + windowNs;
    stages.warmUp(windowDueNs);
  }

  private void take(String text, long arrivedNs) {
    Statsd.Brought brought = statsd.take(text);
    Statsd.Traffic delta = brought.traffic();
    if (delta != null) {
      traffic.add(arrivedNs, delta);
      said(arrivedNs, delta.open());
      trafficComplete = stages.phase() == Phase.DRAIN;
    }
    Times times = brought.times();
    if (times == null) {
      return;
    }
    if (stages.phase() == Phase.WARM_UP && arrivedNs >= earliestSteadyNs) {
      enterSteady();
    } else if (stages.phase() == Phase.STEADY) {
      steadyTimes = times;
      drain();
    }
  }

  /** Four times a second it says where it stands; once of them is handed on. */
  private void said(long arrivedNs, long open) {
    if (arrivedNs >= nextSaidNs) {
      listener.said(new ToolSaid(arrivedNs, open, traffic.sentBytes(), traffic.receivedBytes()));
      nextSaidNs = arrivedNs + SAID_NS;
    }
  }

  /** Where nothing is answered no times come, and the borders are by the clock. */
  private void clock() {
    long now = System.nanoTime();
    boolean overdue = now >= windowDueNs + OVERDUE_NS;
    if (stages.phase() == Phase.WARM_UP && overdue) {
      enterSteady();
    } else if (stages.phase() == Phase.STEADY && overdue) {
      drain();
    } else if (stages.phase() == Phase.DRAIN && now >= drainNs + LAST_TRAFFIC_NS) {
      trafficComplete = true;
    }
  }

  private void drain() {
    stages.drain();
    drainNs = System.nanoTime();
  }

  private void enterSteady() {
    stages.steady(windowNs);
    windowDueNs = System.nanoTime() + windowNs;
  }

  /** Whether it was ended by {@link #stop} or an interrupt of the thread. */
  boolean stopped() {
    return stopped;
  }

  /** Whether tcpkali ended before it was told to. */
  boolean endedByItself() {
    return ended;
  }

  /** What the steady state between two sightings showed. */
  Seen seen(Sighting start, Sighting end) {
    long from = start.monotonicNs();
    long to = end.monotonicNs();
    double bytesPerSecond = command.messagesPerSecond() * command.messageBytes();
    return new Seen(
        (to - from) / 1e9,
        traffic.sentBytes(from, to),
        traffic.receivedBytes(from, to),
        traffic.medianInFlightBytes(from, to),
        traffic.inFlightBytes(to),
        traffic.worstBacklogSeconds(from, to, bytesPerSecond),
        end.sentBytes() == null || start.sentBytes() == null ? null : (Long) (end.sentBytes() - start.sentBytes()),
        steadyTimes);
  }
}
