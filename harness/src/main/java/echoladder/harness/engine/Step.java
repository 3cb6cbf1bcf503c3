package echoladder.harness.engine;

import echoladder.harness.plan.Rung;
import echoladder.harness.results.RungRecord;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One rung that a run comes to.
 *
 * @param place where in the run it is
 * @param server whose process it has
 * @param before the tries before this one, the first first; none = this is the first
 * @param known its record where nothing is to be measured, as it was kept or cannot be had; null = it is measured
 * @param observers what watches this rung and no other
 */
record Step(
    Rung rung, Place place, ServerUse server, List<RungRecord> before, @Nullable RungRecord known,
    List<RungObserver.Factory> observers) {
  Step {
    before = List.copyOf(before);
    observers = List.copyOf(observers);
  }

  /** The first try of a rung, which nothing special watches. */
  Step(Rung rung, Place place, ServerUse server, @Nullable RungRecord known) {
    this(rung, place, server, List.of(), known, List.of());
  }

  /** Which try of the rung it is, from 1. */
  int number() {
    return before.size() + 1;
  }

  /**
   * Where in a run a step is.
   *
   * @param number of its rung in the plan, from 1
   * @param left how long what comes after it should take
   */
  record Place(int number, Duration left) {}

  /**
   * The server process of a step.
   *
   * @param shared by all steps with an equal key that follow one another; null = by no other step
   * @param last whether no later step needs it, so that it is stopped after this one
   */
  record ServerUse(Rung.@Nullable SharedServer shared, boolean last) {
    /** By one step alone. */
    static final ServerUse ALONE = new ServerUse(null, true);
  }
}
