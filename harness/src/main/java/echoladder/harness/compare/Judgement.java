package echoladder.harness.compare;

import echoladder.harness.common.Units;
import echoladder.harness.lab.LabMark;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungKey;
import echoladder.harness.stats.Interval;
import echoladder.harness.stats.PairedRatio;
import echoladder.harness.stats.Spread;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run says of one of its conditions at one of its rungs. The interval decides: where the whole of it is beyond the bound the
 * condition fails the run, where the whole of it is within, the run passes. Where the bound lies inside, or there are too few pairs for an
 * interval, the run cannot tell. A time that the host's own gaps may explain is an upper bound of the server's: it lets a bound pass, fails
 * none and has no ratio. Pure.
 *
 * @param sentence a line for a reader
 */
public record Judgement(Condition condition, Outcome outcome, String sentence) {

  /** What comes of a condition. */
  public enum Outcome {
    /** The whole interval is within the bound. */
    PASSES,
    /** The whole interval is beyond the bound. */
    FAILS,
    /** The run cannot tell, which is no pass. */
    UNTOLD
  }

  /** Exit status of a run that cannot tell one of its conditions and fails none. */
  public static final int UNTOLD_STATUS = 4;

  /** An estimate with its interval. */
  private record Seen(double estimate, Interval interval) {}

  /** One judgement of each condition at each rung; none of a run without conditions. */
  public static List<Judgement> of(RunRecord run) {
    List<Judgement> all = new ArrayList<>();
    ValidRungs rungs = new ValidRungs(run);
    for (Condition condition : Condition.of(run.study())) {
      rungs.rungs(condition.label()).forEach(at -> all.add(of(run, condition, rungs, at)));
    }
    return all;
  }

  /**
   * The exit status of a run: without conditions by its verdicts, 0 or 1. With conditions these alone decide: 1 where one fails, {@value
   * #UNTOLD_STATUS} where none fails and one cannot be told, else 0.
   */
  public static int status(RunRecord run) {
    List<Judgement> all = of(run);
    if (all.isEmpty()) {
      return run.asExpected() ? 0 : 1;
    }
    if (all.stream().anyMatch(judgement -> judgement.outcome == Outcome.FAILS)) {
      return 1;
    }
    return all.stream().allMatch(judgement -> judgement.outcome == Outcome.PASSES) ? 0 : UNTOLD_STATUS;
  }

  private static Judgement of(RunRecord run, Condition condition, ValidRungs rungs, RungKey at) {
    String head = "fail-if '%s', %s connections: ".formatted(condition.text().strip(), at.load());
    if (run.status() != RunRecord.Status.COMPLETE) {
      return untold(condition, head, "the run did not come to its end, and whoever stops a run may have seen its figures");
    }
    if (!LabMark.mayClaim(LabMark.in(run.environment()), condition.figure().claim())) {
      return untold(condition, head, "the run was made in a lab, where %s is not quoted".formatted(condition.figure().label()));
    }
    String missing = missing(condition, rungs, at);
    String over = condition.over();
    if (over != null) {
      ValidRungs.Paired pairs = rungs.pairs(condition.figure(), at, over, false);
      return pairs.without() > 0
          ? untold(condition, head, "there is no ratio, as the figure is not above 0 in %d pairs".formatted(pairs.without()))
          : judged(run, condition, head, seen(pairs.first(), pairs.second()), pairs.first().size(), missing);
    }
    List<Double> all = rungs.values(condition.figure(), at, true);
    Judgement bounded = judged(run, condition, head, seen(all), all.size(), missing);
    List<Double> certain = rungs.values(condition.figure(), at, false);
    boolean holds = bounded.outcome == Outcome.PASSES && condition.above();
    return holds || certain.size() == all.size() ? bounded : judged(run, condition, head, seen(certain), certain.size(), missing);
  }

  private static Judgement judged(RunRecord run, Condition condition, String head, @Nullable Seen seen, int count, String missing) {
    String of = "%d of %d %s".formatted(count, run.study().repeats(), condition.over() == null ? "repeats" : "pairs");
    if (seen == null) {
      return untold(
          condition, head,
          "%s tell %s, and an interval needs %d%s".formatted(of, condition.figure().label(), PairedRatio.FEWEST_FOR_INTERVAL, missing));
    }
    boolean beyond = condition.above() ? seen.interval.low() > condition.bound() : seen.interval.high() < condition.bound();
    boolean within = condition.above() ? seen.interval.high() <= condition.bound() : seen.interval.low() >= condition.bound();
    String figures =
        "%s is %s (%s–%s, %s, %s)"
            .formatted(
                condition.subject(), condition.told(seen.estimate), condition.told(seen.interval.low()),
                condition.told(seen.interval.high()), Units.percent(seen.interval.confidence()), of);
    String bound = condition.toldBound();
    String direction = condition.above() ? "above" : "below";
    if (beyond) {
      return new Judgement(condition, Outcome.FAILS, "%sFAILS: %s, all %s %s".formatted(head, figures, direction, bound));
    }
    return within
        ? new Judgement(condition, Outcome.PASSES, "%spasses: %s, not %s %s".formatted(head, figures, direction, bound))
        : untold(
            condition, head,
            "%s, and %s lies within that interval; more repeats make it narrower (--set repeats=%d)"
                .formatted(figures, bound, Math.min(100, 2 * run.study().repeats())));
  }

  private static Judgement untold(Condition condition, String head, String why) {
    return new Judgement(condition, Outcome.UNTOLD, head + "CANNOT BE TOLD: " + why);
  }

  private static String missing(Condition condition, ValidRungs rungs, RungKey at) {
    List<String> parts = new ArrayList<>();
    for (String label : condition.over() == null ? List.of(condition.label()) : List.of(condition.label(), condition.over())) {
      String missing = rungs.missing(condition.figure(), at.of(label));
      if (!missing.isEmpty()) {
        parts.add(label + " has " + missing);
      }
    }
    return parts.isEmpty() ? "" : "; " + String.join("; ", parts);
  }

  private static @Nullable Seen seen(List<Double> first, List<Double> second) {
    if (first.size() < PairedRatio.FEWEST_FOR_INTERVAL) {
      return null;
    }
    PairedRatio ratio = PairedRatio.of(first, second);
    return ratio.interval() == null ? null : new Seen(ratio.ratio(), ratio.interval());
  }

  /** The interval of the median, by its ratio to 1; of values that are not all above 0 their whole range, which misses it with 2 / 2^n. */
  private static @Nullable Seen seen(List<Double> values) {
    if (values.size() < PairedRatio.FEWEST_FOR_INTERVAL) {
      return null;
    }
    if (values.stream().allMatch(value -> value > 0)) {
      return seen(values, Collections.nCopies(values.size(), 1.0));
    }
    Spread spread = Spread.of(values);
    return new Seen(spread.median(), new Interval(spread.least(), spread.most(), 1 - Math.scalb(1.0, 1 - values.size())));
  }
}
