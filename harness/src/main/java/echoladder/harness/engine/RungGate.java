package echoladder.harness.engine;

import echoladder.harness.plan.Obstacles;
import echoladder.harness.plan.Rung;
import echoladder.harness.probe.HostGaps;
import echoladder.harness.results.Attempt;
import echoladder.harness.results.RungRecord.Status;
import echoladder.harness.results.RungRecord;
import echoladder.harness.run.Budget;
import echoladder.harness.run.QuietWait;
import echoladder.harness.run.RunContext;
import echoladder.harness.run.RunHead;
import echoladder.harness.run.StopSignal;
import echoladder.harness.study.Study;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a rung has to pass before it is measured: what stands in its way, and the wait for a quiet host. */
final class RungGate {
  /** Why the rungs that a stopped run has left are not measured. */
  static final String STOPPED = "the run was stopped";

  private final RunContext context;
  private final Ahead ahead;
  private final StandInUse stands;
  /** Gaps of the host before the run; null = it was not looked at. */
  private final @Nullable HostGaps gaps;
  private final StopSignal stop;
  private final Budget budget;

  RungGate(RunContext context, Ahead ahead, StandInUse stands, RunHead head) {
    this.context = context;
    this.ahead = ahead;
    this.stands = stands;
    this.gaps = HostGaps.in(head.environment());
    this.stop = context.stop();
    this.budget = context.budget();
  }

  /** Whether a rung is measured now. */
  sealed interface Passage {
    /** It is not, and this is its record. */
    record Closed(RungRecord record) implements Passage {}

    /** It is, under these terms. */
    record Open(RungRun.Terms terms) implements Passage {}
  }

  /** Says why a rung is not measured, or waits as long as the run waits for a quiet host. */
  Passage pass(Step step) {
    Rung rung = step.rung();
    if (rung.profile() != null) {
      // No figure of an extra repeat is quoted: nothing is waited for, and no budget spent.
      return new Passage.Open(new RungRun.Terms(null, null, null));
    }
    RungRecord against = against(rung);
    if (against != null) {
      return new Passage.Closed(against);
    }
    QuietWait quiet = context.quiet();
    Attempt.Waited waited = quiet == null ? null : quiet.before(stop, (seen, left) -> context.display().waiting(rung, seen, left));
    return stop.requested()
        ? new Passage.Closed(not(rung, Status.NOT_ATTEMPTED, STOPPED))
        : new Passage.Open(new RungRun.Terms(waited, gaps, warmUpMost(rung)));
  }

  private @Nullable RungRecord against(Rung rung) {
    Obstacles obstacles = rung.obstacles();
    if (obstacles.clientMissing() != null) {
      return not(rung, Status.CLIENT_MISSING, obstacles.clientMissing());
    }
    String none = notTried(rung);
    if (none != null) {
      return not(rung, Status.NOT_ATTEMPTED, none);
    }
    if (obstacles.outOfReach() != null) {
      return not(rung, Status.OUT_OF_REACH, obstacles.outOfReach());
    }
    if (obstacles.clientUnfit() != null) {
      return not(rung, Status.OUT_OF_REACH, obstacles.clientUnfit());
    }
    return budget.fits(rung.likely()) ? null : not(rung, Status.NOT_ATTEMPTED, budget.spent());
  }

  /** Why a rung within reach is not tried; null where it is. */
  private @Nullable String notTried(Rung rung) {
    String ended = ahead.done().whyEnded(rung);
    if (ended != null) {
      return "the climb of this server had ended: " + ended;
    }
    if (stop.requested()) {
      return STOPPED;
    }
    return rung.key().driftCheck() && !stands.hasFirstOf(rung, ahead.done().records())
        ? "its stand has no process that had the first rung validly, so there is nothing to check for drift"
        : null;
  }

  private static RungRecord not(Rung rung, Status status, String why) {
    return RungRecord.notMeasured(rung.planned(), status, why);
  }

  /** Bounds a rung's warm-up by the budget: what is left beyond this rung and those to come is shared out among them. */
  private @Nullable Duration warmUpMost(Rung rung) {
    if (!budget.ends()) {
      return null;
    }
    List<Rung> toCome = ahead.with(rung);
    Study.Phases phases = context.setup().study().phases();
    return budget.warmUpMost(
        Duration.ofNanos(phases.warmUpMinNs()), Duration.ofNanos(phases.warmUpMaxNs()), Ahead.likely(toCome), toCome.size());
  }
}
