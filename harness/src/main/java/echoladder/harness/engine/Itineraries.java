package echoladder.harness.engine;

import echoladder.harness.run.RunContext;

/** The itineraries that a study can ask for: one row each. */
final class Itineraries {
  private Itineraries() {}

  static Itinerary of(Ahead ahead, RunContext context, Telling telling) {
    return context.setup().study().capacity() != null
        ? new CapacitySearch(ahead, context, telling)
        : new Profiled(new Retrying(new PlannedRungs(ahead, telling), ahead, context, telling), ahead, context, telling);
  }
}
