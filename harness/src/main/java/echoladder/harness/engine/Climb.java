package echoladder.harness.engine;

import echoladder.harness.plan.Plan;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.run.RunContext;
import echoladder.harness.run.RunHead;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * A run: its itinerary says which rung is next, that is measured and judged, and run.json is replaced after each rung.
 */
public final class Climb {
  private final RunContext context;
  private final Telling telling;
  private final RunSoFar done;
  private final Itinerary itinerary;
  private final StandInUse stands;
  private final RungGate gate;

  /**
   * A run of one study.
   *
   * @param plan its rungs
   * @param head what its record begins with
   * @param written is told of the run each time that it was written, between two rungs
   */
  public Climb(Plan plan, RunHead head, RunContext context, Consumer<RunRecord> written) {
    this.context = context;
    telling = new Telling(plan, head, context);
    done = new RunSoFar(head, context, written);
    Ahead ahead = new Ahead(plan, done, head.kept());
    itinerary = Itineraries.of(ahead, context, telling);
    stands = new StandInUse(context);
    gate = new RungGate(context, ahead, stands, head);
  }

  /**
   * Climbs.
   *
   * @return the run as it was last written
   * @throws IOException where the run folder cannot be written
   */
  public RunRecord run() throws IOException {
    done.begin();
    telling.begins();
    try (itinerary) {
      for (Step step = itinerary.next(); step != null; step = itinerary.next()) {
        itinerary.took(step, record(step));
      }
    } finally {
      stands.leave();
      telling.ends();
    }
    return done.write(context.stop().requested() ? RunRecord.Status.INTERRUPTED : RunRecord.Status.COMPLETE);
  }

  /** The record of a step: the known one, the reason why there is none, or what is measured now. */
  private RungRecord record(Step step) throws IOException {
    if (step.known() != null) {
      return step.known();
    }
    telling.begins(step);
    stands.leaveUnlessOf(step);
    return switch (gate.pass(step)) {
      case RungGate.Passage.Closed closed -> closed.record();
      case RungGate.Passage.Open open -> measured(step, open.terms());
    };
  }

  private RungRecord measured(Step step, RungRun.Terms terms) throws IOException {
    RungRecord record = new RungRun(context, step, stands.of(step), terms).climb();
    if (step.server().last()) {
      stands.leave();
    }
    return record;
  }
}
