package echoladder.harness.engine;

import echoladder.client.ReasonCode;
import echoladder.harness.judgement.Disturbance;
import echoladder.harness.plan.Rung;
import echoladder.harness.results.Attempt;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord.Status;
import echoladder.harness.results.RungRecord;
import echoladder.harness.run.RunContext;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Measures rungs again of which the host's other work lost a figure: after the others of the round, so that each server's tries are
 * as far apart as they can be, and at the end of the run, as the first rounds do not know how quick the host mostly is. Each try has a
 * server of its own. A valid try takes the place of the one before, whatever its figures are. A try that is not valid has no figure to
 * give: the valid one before it stays, so the first try alone decides whether a rung is carried. A run with a budget spends that at its
 * end.
 */
final class Retrying implements Itinerary {
  private final Itinerary firsts;
  private final Ahead ahead;
  private final RunContext context;
  private final Telling telling;
  private final List<Rung> all;
  private final List<Rung> round = new ArrayList<>();
  private @Nullable Pass pass;
  private boolean atTheEnd;
  private boolean stopped;

  /** Tries again what {@code firsts} tried. */
  Retrying(Itinerary firsts, Ahead ahead, RunContext context, Telling telling) {
    this.firsts = firsts;
    this.ahead = ahead;
    this.context = context;
    this.telling = telling;
    this.all = ahead.plan().rungs();
  }

  @Override
  public @Nullable Step next() {
    Step step = firsts.next();
    if (step != null && (round.isEmpty() || step.rung().inOneRoundWith(round.getFirst()))) {
      return step;
    }
    if (!atTheEnd) {
      Step again = again(round);
      if (again != null) {
        return again;
      }
      round.clear();
      pass = null;
      if (step != null) {
        return step;
      }
      atTheEnd = true;
    }
    Step again = again(all);
    return again != null ? again : spend();
  }

  @Override
  public void took(Step step, RungRecord record) throws IOException {
    if (step.before().isEmpty()) {
      firsts.took(step, record);
      round.add(step.rung());
      return;
    }
    boolean hostLost = record.has(ReasonCode.HOST_LOST);
    if (hostLost) {
      telling.over(record);
    }
    if (record.status() != Status.MEASURED || record.has(ReasonCode.INTERRUPTED) || hostLost) {
      // The run has the try before, and a resumed run goes on from there.
      stopped = true;
      return;
    }
    RunSoFar done = ahead.done();
    done.settle(step.rung(), record);
    RungRecord before = last(step.rung());
    done.replace(record.key(), record);
    if (record.valid()) {
      telling.over(record);
    } else {
      // Taken from among the others, the try has the speed of the host beside it.
      done.replace(record.key(), before.beside(last(step.rung())));
      telling.overBeside(record);
    }
    done.write(RunRecord.Status.RUNNING);
  }

  @Override
  public void close() {
    firsts.close();
  }

  private @Nullable Step again(List<Rung> rungs) {
    Pass now = pass == null ? new Pass(List.copyOf(rungs)) : pass;
    pass = now;
    return now.next();
  }

  /** Goes over rungs as often as there may be further tries, each time from the first to the last. */
  private final class Pass {
    private final List<Rung> rungs;
    private int number = 2;
    private int at;

    Pass(List<Rung> rungs) {
      this.rungs = rungs;
    }

    @Nullable Step next() {
      for (; number <= Attempt.MOST && !context.budget().ends(); number++, at = 0) {
        for (; at < rungs.size(); at++) {
          Rung rung = rungs.get(at);
          RungRecord last = last(rung);
          if (last.tries().size() < number && Disturbance.lost(last) && open(rung, last)) {
            return again(rung, last, ahead.from(all.indexOf(rungs.getLast()) + 1));
          }
        }
      }
      return null;
    }
  }

  /** Spends what is left of the budget on further tries, of the rung that was disturbed most first. */
  private @Nullable Step spend() {
    if (!context.budget().ends()) {
      return null;
    }
    return all.stream()
        .filter(rung -> disturbance(rung) > 0 && last(rung).tries().size() < Attempt.MOST && open(rung, last(rung)))
        .filter(rung -> context.budget().fits(rung.likely()))
        .max(Comparator.comparingDouble(this::disturbance))
        .map(rung -> again(rung, last(rung), rung.likely()))
        .orElse(null);
  }

  private Step again(Rung rung, RungRecord last, Duration left) {
    return new Step(rung, new Step.Place(all.indexOf(rung) + 1, left), Step.ServerUse.ALONE, last.tries(), null, List.of());
  }

  private double disturbance(Rung rung) {
    return Disturbance.of(last(rung));
  }

  private RungRecord last(Rung rung) {
    return ahead.done().compared().stream().filter(rung::isOf).findFirst().orElseThrow();
  }

  /** Whether a rung may be measured again. A check for drift may not, as it belongs to the process that it checks. */
  private boolean open(Rung rung, RungRecord last) {
    return !stopped && !last.driftCheck() && ahead.done().ended(rung.key()) == null && !context.stop().requested();
  }
}
