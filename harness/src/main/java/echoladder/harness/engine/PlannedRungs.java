package echoladder.harness.engine;

import echoladder.harness.plan.Rung;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rungs of a plan in its order, each once. */
final class PlannedRungs implements Itinerary {
  private final List<Rung> rungs;
  private final Ahead ahead;
  private final RunSoFar done;
  private final Telling telling;
  private int at;
  private int stopped;

  PlannedRungs(Ahead ahead, Telling telling) {
    this.rungs = ahead.plan().rungs();
    this.ahead = ahead;
    this.done = ahead.done();
    this.telling = telling;
  }

  @Override
  public @Nullable Step next() {
    if (at == rungs.size()) {
      return null;
    }
    Rung rung = rungs.get(at);
    int next = at + 1;
    boolean last = rungs.subList(next, rungs.size()).stream().noneMatch(later -> later.inOneStandWith(rung) && ahead.due(later));
    return new Step(
        rung, new Step.Place(next, ahead.from(next)), new Step.ServerUse(rung.shared(), last), ahead.kept(rung).orElse(null));
  }

  @Override
  public void took(Step step, RungRecord record) throws IOException {
    at++;
    if (step.known() == null) {
      done.settle(step.rung(), record);
    }
    done.add(record);
    done.end(record);
    if (step.known() == null) {
      if (RungGate.STOPPED.equals(record.statusReason())) {
        stopped++;
      } else {
        telling.over(record);
      }
      done.write(RunRecord.Status.RUNNING);
    }
    if (at == rungs.size() && stopped > 0) {
      telling.note("%d of %d rungs were not climbed: %s".formatted(stopped, rungs.size(), RungGate.STOPPED));
    }
  }
}
