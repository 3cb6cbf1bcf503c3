package echoladder.harness.engine;

import echoladder.harness.plan.Rung;
import echoladder.harness.results.RungRecord;
import echoladder.harness.run.RunContext;
import echoladder.harness.run.ServerUnderTest;
import echoladder.harness.run.Stand;
import echoladder.harness.study.Profile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The one stand that a climb has at a time, from its first rung until it is left. One thread. */
final class StandInUse {
  private final RunContext context;
  private @Nullable Stand stand;
  private Rung.@Nullable SharedServer shared;

  /** None yet. */
  StandInUse(RunContext context) {
    this.context = context;
  }

  /** That of the step before, or a new one. */
  Stand of(Step step) {
    Stand now = stand;
    if (now == null) {
      ServerUnderTest contender = context.setup().contender(step.rung().label());
      now = new Stand(context, step.rung().profile() == Profile.Kind.CPU ? contender.withFramePointers() : contender);
      stand = now;
      shared = step.server().shared();
    }
    return now;
  }

  /** Whether the server that runs is the one whose first rung is to be repeated. */
  boolean hasFirstOf(Rung rung, List<RungRecord> records) {
    Stand now = stand;
    return now != null
        && records.stream()
            .filter(record -> record.key().equals(rung.key().first()))
            .anyMatch(record -> record.valid() && record.process() != null && now.runs(record.process().pid()));
  }

  /** Leaves one that the step does not belong to. */
  void leaveUnlessOf(Step step) {
    if (shared == null || !shared.equals(step.server().shared())) {
      leave();
    }
  }

  void leave() {
    if (stand != null) {
      stand.close();
    }
    stand = null;
    shared = null;
  }
}
