package echoladder.external;

import echoladder.client.LoadListener;
import echoladder.client.Phase;
import echoladder.client.Progress;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The phases of a load as its driver passes through them: at each border everything is counted and the listener told.
 * HOLD never comes: no load tool of others holds its connections without sending. One thread.
 */
public final class Stages {
  private static final long SECOND_NS = 1_000_000_000L;

  private final Watch watch;
  private final LoadListener listener;
  private @Nullable Sighting before;
  private @Nullable Sighting rampEnd;
  private @Nullable Sighting start;
  private @Nullable Sighting end;
  private @Nullable Sighting latest;
  private long rampStartNs;
  private List<Long> toolPids = List.of();
  private Phase phase = Phase.RAMP;
  private long phaseEndsNs = -1;
  private long nextProgressNs;
  private long lastAnswered;
  private long lastProgressNs;
  private boolean serverGone;

  public Stages(Watch watch, LoadListener listener) {
    this.watch = watch;
    this.listener = listener;
  }

  /** Counts ahead of the tool's start; a host and server where nothing can be counted are refused. */
  public void prepare() throws UnfitPlanException {
    Sighting seen = watch.look(List.of(), false);
    if (seen.kernel() == null && seen.open() == null) {
      throw new UnfitPlanException(
          "connections cannot be counted: this kernel has no sock_diag for TCP and the server no page with "
              + "echo_connections_open; the tool's own word is not enough: give --server-metrics URL");
    }
    before = seen;
  }

  /**
   * The tool has been started.
   *
   * @param pids its processes
   */
  public void ramp(List<Long> pids) {
    toolPids = List.copyOf(pids);
    rampStartNs = System.nanoTime();
    nextProgressNs = rampStartNs + SECOND_NS;
    lastProgressNs = rampStartNs;
    listener.phase(Phase.RAMP, rampStartNs);
  }

  /**
   * The ramp is over.
   *
   * @param endsNs when the steady state is planned to begin
   */
  public void warmUp(long endsNs) {
    Sighting seen = look(false);
    rampEnd = seen;
    enter(Phase.WARM_UP, seen.monotonicNs(), endsNs);
  }

  /**
   * The warm-up is over.
   *
   * @param lengthNs planned length of the steady state
   */
  public void steady(long lengthNs) {
    Sighting seen = look(false);
    start = seen;
    enter(Phase.STEADY, seen.monotonicNs(), seen.monotonicNs() + lengthNs);
  }

  /** The end of the steady state. */
  public void drain() {
    Sighting seen = look(true);
    end = seen;
    serverGone = watch.serverGone();
    enter(Phase.DRAIN, seen.monotonicNs(), seen.monotonicNs());
  }

  /** The tool ended, or is about to be ended, before its time: what can still be counted is. */
  public void cutShort() {
    if (phase == Phase.STEADY) {
      end = look(true);
    }
    serverGone = watch.serverGone();
  }

  public Phase phase() {
    return phase;
  }

  /** When the next progress is due. */
  public long nextProgressNs() {
    return nextProgressNs;
  }

  /**
   * Tells the listener where the load stands, if a second is over.
   *
   * @param sent messages so far by what is known of them, ramp included
   * @param answered of those, echoed
   */
  public void progress(long sent, long answered) {
    long now = System.nanoTime();
    if (now < nextProgressNs) {
      return;
    }
    nextProgressNs = now + SECOND_NS;
    if (phase != Phase.STEADY) {
      // Within the steady state nothing is counted: it costs CPU on the host that is measured.
      look(false);
    }
    Integer held = latest == null ? null : latest.held(Objects.requireNonNull(before));
    double perSecond = (answered - lastAnswered) / ((now - lastProgressNs) / 1e9);
    lastAnswered = answered;
    lastProgressNs = now;
    listener.progress(
        new Progress(
            phase,
            now,
            phaseEndsNs < 0 ? -1 : Math.max(0, phaseEndsNs - now),
            held == null ? 0 : Math.max(0, held),
            0,
            sent,
            answered,
            perSecond,
            0,
            null,
            null));
  }

  public Course course() {
    return new Course(Objects.requireNonNull(before, "prepare"), rampStartNs, rampEnd, start, end, serverGone);
  }

  private Sighting look(boolean cpuFirst) {
    Sighting seen = watch.look(toolPids, cpuFirst);
    latest = seen;
    return seen;
  }

  private void enter(Phase next, long atNs, long endsNs) {
    phase = next;
    phaseEndsNs = endsNs;
    listener.phase(next, atNs);
  }
}
