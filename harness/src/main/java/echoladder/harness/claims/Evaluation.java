package echoladder.harness.claims;

import echoladder.harness.claims.ClaimOutcome.Holding;
import echoladder.harness.claims.ClaimOutcome.OfRule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides a claim by its rules from what was measured. Pure. Whether another run could say otherwise is told by what the
 * repeats differ by, see {@link Estimate}: of a claim that does not hold one clear failure is enough; one that holds is as
 * doubtful as its most doubtful rule.
 */
record Evaluation(List<StepRun> runs) {
  /** Ends that say something of this run alone. */
  private static final Set<String> UNTOLD =
      Set.of("signal", "failed", "time-guard", ClimbFigures.NOT_VALID, "out-of-reach", "client-missing");

  private static final Set<String> BY_MEMORY = Set.of("error", "killed", "memory-guard");

  /** The part of the memory limit up to which a heap counts as not full: -Xmx is 85 % of the limit. */
  private static final double JUST_WITHIN = 0.8;

  /** Decides a claim by the runs of its steps; {@code beside} decides nothing. */
  static ClaimOutcome of(List<Rule> rules, List<Rule.Shown> beside, List<StepRun> runs) {
    Evaluation evaluation = new Evaluation(runs);
    return of(
        rules.stream().map(evaluation::rule).toList(),
        beside.stream().map(evaluation::shown).flatMap(Stream::ofNullable).toList());
  }

  private static ClaimOutcome of(List<OfRule> all, List<String> beside) {
    List<Certainty> failing = certainties(all, Holding.DOES_NOT_HOLD);
    if (!failing.isEmpty()) {
      return new ClaimOutcome(
          Holding.DOES_NOT_HOLD, failing.stream().min(Certainty::compareTo).orElseThrow(), null, all, beside);
    }
    List<OfRule> untold = all.stream().filter(r -> r.holding() == Holding.CANNOT_BE_TOLD).toList();
    if (!untold.isEmpty()) {
      return new ClaimOutcome(Holding.CANNOT_BE_TOLD, null, untold.getFirst().measured(), all, beside);
    }
    Certainty worst = certainties(all, Holding.HOLDS).stream().max(Certainty::compareTo).orElseThrow();
    return new ClaimOutcome(Holding.HOLDS, worst, null, all, beside);
  }

  private static List<Certainty> certainties(List<OfRule> all, Holding of) {
    return all.stream().filter(r -> r.holding() == of).map(OfRule::certainty).map(Objects::requireNonNull).toList();
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
      return OfRule.cannot(rule.text(), missing);
    }
    Estimate estimate = Estimate.of(values(rule.take(), rule.over()));
    String unit = rule.over() == null ? rule.take().figure() : "";
    boolean holds =
        (rule.least() == null || estimate.value() >= rule.least())
            && (rule.most() == null || estimate.value() <= rule.most());
    List<Double> bounds = Stream.of(rule.least(), rule.most()).flatMap(Stream::ofNullable).toList();
    return new OfRule(
        rule.text(),
        estimate.text(v -> FigureText.of(unit, v)),
        holding(holds),
        bounds.stream().map(bound -> certainty(rule.take(), estimate, bound)).reduce(Certainty.CLEAR, Certainty::or),
        margin(estimate, bounds));
  }

  /** What a source states is no measurement, which another could differ from. */
  private Certainty certainty(Rule.StepFigure of, Estimate estimate, double bound) {
    return of(of.step()).stream().allMatch(StepRun::isStated) ? Certainty.CLEAR : estimate.beside(bound);
  }

  /** Null where there is none to one of them. */
  private static @Nullable Double margin(Estimate estimate, Collection<Double> bounds) {
    List<Double> factors = bounds.stream().map(estimate::factorTo).flatMap(Stream::ofNullable).toList();
    return factors.size() < bounds.size() ? null : factors.stream().min(Double::compareTo).orElse(null);
  }

  private OfRule ascending(Rule.Ascending rule) {
    String missing = missing(rule.figures());
    if (missing != null) {
      return OfRule.cannot(rule.text(), missing);
    }
    boolean holds = true;
    Certainty certainty = Certainty.CLEAR;
    List<String> measured = new ArrayList<>();
    measured.add(text(rule.figures().getFirst()));
    for (int i = 1; i < rule.figures().size(); i++) {
      Estimate ratio = Estimate.of(values(rule.figures().get(i), rule.figures().get(i - 1)));
      holds &= ratio.value() > 1;
      certainty = certainty.or(certainty(rule.figures().get(i), ratio, 1.0));
      measured.add(text(rule.figures().get(i)));
    }
    return new OfRule(rule.text(), String.join(", ", measured), holding(holds), certainty, null);
  }

  private String text(Rule.StepFigure figure) {
    return Estimate.of(values(figure, null)).text(v -> FigureText.of(figure.figure(), v));
  }

  /** Also of a run that ended early: how far it came. Null where there is none, or where others spoilt it. */
  private @Nullable String shown(Rule.Shown shown) {
    boolean spoilt =
        shown.figures().stream().anyMatch(Rule.StepFigure::needsQuiet) && missing(shown.figures()) != null;
    List<Double> values = values(shown.take(), shown.over());
    String unit = shown.over() == null ? shown.take().figure() : "";
    return spoilt || values.isEmpty() ? null : shown + ": " + Estimate.of(values).text(v -> FigureText.of(unit, v));
  }

  private OfRule ends(Rule.Ends rule) {
    List<StepRun> of = of(rule.step());
    if (of.isEmpty()) {
      return OfRule.cannot(rule.text(), rule.step() + " was not run");
    }
    for (StepRun run : of) {
      // Out of time says nothing of what would have come, unless that is the very question.
      if (UNTOLD.contains(run.endedBy()) && !rule.ways().contains(run.endedBy())) {
        return OfRule.cannot(rule.text(), rule.step() + ": " + run.detail());
      }
    }
    long so =
        of.stream()
            .filter(r -> rule.ways().contains(r.endedBy()))
            .filter(r -> rule.words() == null || r.detail().contains(rule.words()))
            .count();
    StepRun last = of.getLast();
    String measured = last.endedBy() + (last.detail().isEmpty() ? "" : ": " + last.detail());
    boolean either = (so != 0 && so != of.size()) || of.stream().anyMatch(run -> justWithin(run, rule));
    Certainty certainty = either ? Certainty.CLOSE : of.size() == 1 ? Certainty.ONCE : Certainty.CLEAR;
    return new OfRule(rule.text(), measured, holding(so * 2 > of.size()), certainty, null);
  }

  /** Came through where the rule asks for an end by memory, with so little of it left that it might not have. */
  private static boolean justWithin(StepRun run, Rule.Ends rule) {
    Double held = run.figure("held_peak_bytes");
    Double limit = run.figure("memory_limit_bytes");
    return run.endedBy().equals(StepRun.DONE)
        && !Collections.disjoint(rule.ways(), BY_MEMORY)
        && held != null
        && limit != null
        && held > JUST_WITHIN * limit;
  }

  private List<StepRun> of(String step) {
    return runs.stream().filter(r -> r.step().equals(step)).toList();
  }

  /** Why a figure cannot be compared: null where each repeat of its step has it. */
  private @Nullable String missing(List<Rule.StepFigure> figures) {
    for (Rule.StepFigure figure : figures) {
      List<StepRun> of = of(figure.step());
      if (of.isEmpty()) {
        return figure.step() + " was not run";
      }
      for (StepRun run : of) {
        String why = run.missing(figure);
        if (why != null) {
          return why;
        }
      }
    }
    return null;
  }

  /** By repeat; of two figures the ratio within the same repeat, as that is when the host was the same. */
  private List<Double> values(Rule.StepFigure take, Rule.@Nullable StepFigure over) {
    List<Double> values = new ArrayList<>();
    for (StepRun run : of(take.step())) {
      Double value = run.figure(take.figure());
      if (value == null) {
        continue;
      }
      if (over == null) {
        values.add(value);
        continue;
      }
      for (StepRun other : of(over.step())) {
        Double divisor = other.repeat() == run.repeat() ? other.figure(over.figure()) : null;
        if (divisor != null) {
          values.add(value / divisor);
        }
      }
    }
    return values;
  }

  private static Holding holding(boolean holds) {
    return holds ? Holding.HOLDS : Holding.DOES_NOT_HOLD;
  }
}
