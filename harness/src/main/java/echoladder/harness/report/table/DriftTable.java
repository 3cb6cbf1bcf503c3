package echoladder.harness.report.table;

import echoladder.harness.common.Units;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.ServerTimes;
import echoladder.harness.metric.Shown;
import echoladder.harness.report.words.RungText;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungKey;
import echoladder.harness.results.RungRecord;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The checks for drift: the first load of each stand, run again at its end by the same process. A ratio far from 1 says that the
 * process, or the host, was another by then, so that the order of the rates is in its figures.
 */
public final class DriftTable {
  private DriftTable() {}

  /** A row for each check that was measured; none of a run without. */
  static Table of(RunRecord run) {
    Table table = new Table().words("server")
        .figures("connections", run.study().rateUnit(), "repeat", "CPU per echo, last to first", "p50, last to first").words("finding");
    double bound = run.study().thresholds().cpuDriftShareMost();
    for (RungRecord last : RungText.byServer(run)) {
      Optional<RungRecord> first = first(run, last);
      if (first.isPresent()) {
        Double cost = ratio(LoadMetrics.SERVER_CPU, first.get(), last);
        table.row(
            last.server(), Units.count(last.connections()), Units.plain(last.ratePerS()), String.valueOf(last.repeat()), text(cost),
            text(ratio(ServerTimes.in(run.rungs(), Shown.P50), first.get(), last)), finding(first.get(), last, cost, bound));
      }
    }
    return table;
  }

  /** The rungs whose check drifted beyond the study's bound: what an echo cost there is not quoted. */
  public static Set<RungKey> drifted(RunRecord run) {
    double bound = run.study().thresholds().cpuDriftShareMost();
    return run.rungs().stream()
        .filter(
            last -> {
              RungRecord first = first(run, last).orElse(null);
              Double cost = first == null ? null : ratio(LoadMetrics.SERVER_CPU, first, last);
              return first != null && cost != null && !differentProcesses(first, last) && beyond(cost, bound);
            })
        .map(last -> last.key().first())
        .collect(Collectors.toSet());
  }

  /** The rung that a measured check repeats; empty of any other rung. */
  private static Optional<RungRecord> first(RunRecord run, RungRecord last) {
    return last.driftCheck() && last.load() != null
        ? run.rungs().stream().filter(rung -> rung.key().equals(last.key().first())).findFirst()
        : Optional.empty();
  }

  private static String finding(RungRecord first, RungRecord last, @Nullable Double cost, double bound) {
    if (differentProcesses(first, last)) {
      return "no check: the first was measured again, by another process";
    }
    if (cost == null) {
      return "no check: one of both is not valid";
    }
    return beyond(cost, bound) ? "**drifted beyond %s**".formatted(Units.percent(bound)) : "within %s".formatted(Units.percent(bound));
  }

  private static boolean differentProcesses(RungRecord first, RungRecord last) {
    boolean oneProcess = first.process() != null && last.process() != null && first.process().pid() == last.process().pid();
    return !oneProcess && (first.process() != null || last.process() != null);
  }

  /** Whether two costs differ by more than that part of the greater, as the thirds of a steady state are judged. */
  private static boolean beyond(double cost, double bound) {
    return 1 - Math.min(cost, 1 / cost) > bound;
  }

  private static String text(@Nullable Double ratio) {
    return ratio == null ? Units.NONE : Units.ratio(ratio);
  }

  private static @Nullable Double ratio(Metric figure, RungRecord first, RungRecord last) {
    Double before = figure.value(first);
    Double after = figure.value(last);
    return !first.valid() || !last.valid() || before == null || after == null || before <= 0 ? null : (Double) (after / before);
  }
}
