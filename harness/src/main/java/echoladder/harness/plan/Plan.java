package echoladder.harness.plan;

import java.time.Duration;
import java.util.List;

/**
 * The rungs of a run in the order in which they are climbed: for each connection count every server, so that a host
 * that drifts hits all alike.
 */
public record Plan(List<Rung> rungs) {
  public Plan {
    rungs = List.copyOf(rungs);
  }

  /** How long the rungs within reach should take together. */
  public Duration likely() {
    return rungs.stream().filter(r -> r.outOfReach() == null).map(Rung::likely).reduce(Duration.ZERO, Duration::plus);
  }

  /** How long they may take before their bounds end them. */
  public Duration most() {
    return rungs.stream().filter(r -> r.outOfReach() == null).map(Rung::most).reduce(Duration.ZERO, Duration::plus);
  }
}
