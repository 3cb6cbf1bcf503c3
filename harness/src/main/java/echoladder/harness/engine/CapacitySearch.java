package echoladder.harness.engine;

import echoladder.harness.plan.Rung;
import echoladder.harness.plan.SearchPlan;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord.Status;
import echoladder.harness.results.RungRecord;
import echoladder.harness.run.RunContext;
import echoladder.harness.study.Study;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The searches of a study of capacities, one after the other: what the tries so far showed says which rate is tried next. Each search
 * has one server, as long as that lives.
 */
final class CapacitySearch implements Itinerary {
  private final List<Rung> searches;
  private final Ahead ahead;
  private final RunContext context;
  private final Telling telling;
  private int at;
  private boolean begun;

  CapacitySearch(Ahead ahead, RunContext context, Telling telling) {
    this.searches = ahead.plan().rungs();
    this.ahead = ahead;
    this.context = context;
    this.telling = telling;
  }

  @Override
  public @Nullable Step next() {
    for (; at < searches.size(); over()) {
      Rung planned = searches.get(at);
      begin(planned);
      Optional<Rung> next =
          ahead.kept(planned).isPresent() ? Optional.empty() : SearchPlan.next(study(), planned, ahead.done().records());
      if (next.isPresent()) {
        Rung rung = next.get();
        Duration left = ahead.from(at + 1).plus(rung.likely());
        Rung.SharedServer search = new Rung.SharedServer(planned.label(), planned.connections(), 0);
        return new Step(rung, new Step.Place(at + 1, left), new Step.ServerUse(search, false), null);
      }
    }
    return null;
  }

  /** The tries that a search had before the run was resumed are tries of it. */
  private void begin(Rung planned) {
    if (!begun) {
      begun = true;
      ahead.keptRungs().stream()
          .filter(record -> record.server().equals(planned.label()) && record.connections() == planned.connections())
          .forEach(ahead.done()::add);
    }
  }

  private void over() {
    at++;
    begun = false;
  }

  @Override
  public void took(Step step, RungRecord record) throws IOException {
    RunSoFar done = ahead.done();
    if (record.status() != Status.MEASURED) {
      Rung planned = searches.get(at);
      done.add(RungRecord.notMeasured(planned.planned(), record.status(), Objects.requireNonNull(record.statusReason())));
      done.write(RunRecord.Status.RUNNING);
      over();
      return;
    }
    done.settle(step.rung(), record);
    done.add(record);
    telling.over(record, done.write(RunRecord.Status.RUNNING));
    if (context.stop().requested()) {
      over();
    }
  }

  private Study study() {
    return context.setup().study();
  }
}
