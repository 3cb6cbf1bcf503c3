package echoladder.harness.claims;

import echoladder.harness.claims.Outcome.OfRule;
import echoladder.harness.claims.Outcome.Verdict;
import echoladder.harness.report.Units;
import echoladder.harness.stats.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides a claim by its rules from what was measured. Pure. The median over the repeats decides; a rule is <em>close</em>
 * where the bound lies within the range of the repeats, widened by a tenth of each end: another run could then say
 * otherwise. A verdict is close where only close rules make it what it is.
 */
final class Evaluation {
  /** What one run of the same differs from the next on a host that others use too. */
  static final double CLOSE_SHARE = 0.1;

  /** Ends that say something of this run alone. */
  private static final Set<String> UNTOLD = Set.of("signal", "failed", "time-guard");

  private final List<StepRun> runs;

  private Evaluation(List<StepRun> runs) {
    this.runs = runs;
  }

  /** Of a claim whose steps were run. */
  static Outcome of(List<Rule> rules, List<StepRun> runs) {
    Evaluation evaluation = new Evaluation(runs);
    List<OfRule> all = rules.stream().map(evaluation::rule).toList();
    List<OfRule> failing = all.stream().filter(r -> r.verdict() == Verdict.DOES_NOT_HOLD).toList();
    if (!failing.isEmpty()) {
      return new Outcome(Verdict.DOES_NOT_HOLD, failing.stream().allMatch(OfRule::close), null, all);
    }
    List<OfRule> untold = all.stream().filter(r -> r.verdict() == Verdict.CANNOT_BE_TOLD).toList();
    if (!untold.isEmpty()) {
      return new Outcome(Verdict.CANNOT_BE_TOLD, false, untold.getFirst().measured(), all);
    }
    return new Outcome(Verdict.HOLDS, all.stream().anyMatch(OfRule::close), null, all);
  }

  private OfRule rule(Rule rule) {
    return switch (rule) {
      case Rule.Within within -> within(within);
      case Rule.Ascending ascending -> ascending(ascending);
      case Rule.Ends ends -> ends(ends);
    };
  }

  private OfRule within(Rule.Within rule) {
    String missing = missing(rule.over() == null ? List.of(rule.take()) : List.of(rule.take(), rule.over()));
    if (missing != null) {
      return new OfRule(rule.text(), missing, Verdict.CANNOT_BE_TOLD, false);
    }
    Spread spread = Spread.of(values(rule.take(), rule.over()));
    String unit = rule.over() == null ? rule.take().figure() : "";
    boolean holds = above(spread.median(), rule.least()) && below(spread.median(), rule.most());
    boolean close = nearTo(spread, rule.least()) || nearTo(spread, rule.most());
    return new OfRule(rule.text(), Units.range(spread, v -> FigureText.of(unit, v)), verdict(holds), close);
  }

  private OfRule ascending(Rule.Ascending rule) {
    String missing = missing(rule.figures());
    if (missing != null) {
      return new OfRule(rule.text(), missing, Verdict.CANNOT_BE_TOLD, false);
    }
    boolean holds = true;
    boolean close = false;
    List<String> measured = new ArrayList<>();
    measured.add(text(rule.figures().getFirst()));
    for (int i = 1; i < rule.figures().size(); i++) {
      Spread ratio = Spread.of(values(rule.figures().get(i), rule.figures().get(i - 1)));
      holds &= ratio.median() > 1;
      close |= nearTo(ratio, 1.0);
      measured.add(text(rule.figures().get(i)));
    }
    return new OfRule(rule.text(), String.join(", ", measured), verdict(holds), close);
  }

  private String text(Rule.Figure figure) {
    return Units.range(Spread.of(values(figure, null)), v -> FigureText.of(figure.figure(), v));
  }

  private OfRule ends(Rule.Ends rule) {
    List<StepRun> of = runs.stream().filter(r -> r.step().equals(rule.step())).toList();
    if (of.isEmpty()) {
      return new OfRule(rule.text(), rule.step() + " was not run", Verdict.CANNOT_BE_TOLD, false);
    }
    StepRun last = of.getLast();
    // Out of time says nothing of what would have come, unless that is the very question.
    boolean cutShort = UNTOLD.contains(last.endedBy()) && !rule.ways().contains(last.endedBy());
    if (cutShort) {
      return new OfRule(rule.text(), rule.step() + ": " + last.detail(), Verdict.CANNOT_BE_TOLD, false);
    }
    long so =
        of.stream()
            .filter(r -> rule.ways().contains(r.endedBy()))
            .filter(r -> rule.words() == null || r.detail().contains(rule.words()))
            .count();
    String measured = last.endedBy() + (last.detail().isEmpty() ? "" : ": " + last.detail());
    return new OfRule(rule.text(), measured, verdict(so * 2 > of.size()), so != 0 && so != of.size());
  }

  /** Why a figure cannot be compared: null where each repeat of its step came to its end and has it. */
  private @Nullable String missing(List<Rule.Figure> figures) {
    for (Rule.Figure figure : figures) {
      List<StepRun> of = runs.stream().filter(r -> r.step().equals(figure.step())).toList();
      if (of.isEmpty()) {
        return figure.step() + " was not run";
      }
      for (StepRun run : of) {
        if (!run.done()) {
          return "%s ended by %s: %s".formatted(figure.step(), run.endedBy(), run.detail());
        }
        if (run.noisy() && figure.needsQuiet()) {
          return "others had %s of the host's CPU while %s ran: its times are theirs as much"
              .formatted(Units.percent(run.foreignCpuShare()), figure.step());
        }
        if (run.figure(figure.figure()) == null) {
          return figure + " was not measured";
        }
      }
    }
    return null;
  }

  /** By repeat; of two figures the ratio within the same repeat, as that is when the host was the same. */
  private List<Double> values(Rule.Figure take, Rule.@Nullable Figure over) {
    List<Double> values = new ArrayList<>();
    for (StepRun run : runs) {
      Double value = run.step().equals(take.step()) ? run.figure(take.figure()) : null;
      if (value == null) {
        continue;
      }
      if (over == null) {
        values.add(value);
        continue;
      }
      for (StepRun other : runs) {
        Double divisor =
            other.step().equals(over.step()) && other.repeat() == run.repeat() ? other.figure(over.figure()) : null;
        if (divisor != null) {
          values.add(value / divisor);
        }
      }
    }
    return values;
  }

  private static boolean above(double value, @Nullable Double least) {
    return least == null || value >= least;
  }

  private static boolean below(double value, @Nullable Double most) {
    return most == null || value <= most;
  }

  private static boolean nearTo(Spread spread, @Nullable Double bound) {
    return bound != null
        && spread.least() * (1 - CLOSE_SHARE) <= bound
        && bound <= spread.most() * (1 + CLOSE_SHARE);
  }

  private static Verdict verdict(boolean holds) {
    return holds ? Verdict.HOLDS : Verdict.DOES_NOT_HOLD;
  }
}
