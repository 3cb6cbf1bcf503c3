package echoladder.harness.engine;

import echoladder.harness.plan.Plan;
import echoladder.harness.plan.Rung;
import echoladder.harness.results.RungRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What of a plan is still to come, by what was measured so far.
 *
 * @param done the run so far
 * @param keptRungs of before the run was resumed
 */
record Ahead(Plan plan, RunSoFar done, List<RungRecord> keptRungs) {
  /** The record of a rung that is not climbed again. */
  Optional<RungRecord> kept(Rung rung) {
    return keptRungs.stream().filter(rung::isOf).findFirst();
  }

  /** Whether a rung has still to be climbed, as far as is known. */
  boolean due(Rung rung) {
    return rung.attempted() && kept(rung).isEmpty() && done.ended(rung.key()) == null;
  }

  /** How long the rungs from that index on should take, with the extra repeats behind them. */
  Duration from(int index) {
    Stream<Rung> later = Stream.concat(plan.rungs().subList(index, plan.rungs().size()).stream(), plan.profiled().stream());
    return likely(later.filter(this::open).toList());
  }

  /** That rung, and those within reach of which nothing is known yet. A further try is none of those to come. */
  List<Rung> with(Rung rung) {
    return plan.rungs().stream()
        .filter(next -> next.equals(rung) || (open(next) && done.records().stream().noneMatch(next::isOf)))
        .toList();
  }

  private boolean open(Rung rung) {
    return rung.attempted() && done.ended(rung.key()) == null;
  }

  /** How long rungs should take together. */
  static Duration likely(List<Rung> rungs) {
    return rungs.stream().map(Rung::likely).reduce(Duration.ZERO, Duration::plus);
  }
}
