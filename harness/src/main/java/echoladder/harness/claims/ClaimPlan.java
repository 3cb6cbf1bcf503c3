package echoladder.harness.claims;

import echoladder.harness.claims.Claim.Effort;
import echoladder.harness.common.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** What a run of claims would do, by topic, and how long its workloads took when they were published. Pure. */
public final class ClaimPlan {
  private int runs;
  private int climbs;
  private int unknown;
  private double ns;

  private ClaimPlan() {}

  /**
   * As text.
   *
   * @param published where the times are from, the latest first
   */
  public static String of(List<Claim> claims, Effort effort, List<Ledger> published) {
    List<String> lines = new ArrayList<>();
    ClaimPlan all = new ClaimPlan();
    for (Topic topic : Topic.values()) {
      List<Claim> own = claims.stream().filter(claim -> claim.topic() == topic).toList();
      if (own.isEmpty()) {
        continue;
      }
      ClaimPlan plan = new ClaimPlan();
      own.forEach(claim -> plan.add(claim, effort, published));
      lines.add("%s: %s; %s".formatted(topic.id(), claims(own.size()), plan.text()));
      own.forEach(claim -> lines.add("  %s: %s".formatted(claim.id(), claim.said())));
      all.add(plan);
    }
    lines.add("%s; %s".formatted(claims(claims.size()), all.text()));
    return String.join("\n", lines) + "\n";
  }

  private static String claims(int count) {
    return count == 1 ? "1 claim" : count + " claims";
  }

  private void add(ClaimPlan other) {
    runs += other.runs;
    climbs += other.climbs;
    unknown += other.unknown;
    ns += other.ns;
  }

  private void add(Claim claim, Effort effort, List<Ledger> published) {
    int repeats = effort == Effort.FULL ? claim.repeats() : claim.quickRepeats();
    for (Claim.Step step : claim.steps()) {
      List<String> args = step.args().get(effort);
      if (args == null) {
        continue;
      }
      if (step.language() == Claim.Language.LADDER) {
        climbs += repeats;
        continue;
      }
      runs += repeats;
      OptionalDouble took = took(claim, step, args, published);
      unknown += took.isPresent() ? 0 : repeats;
      ns += took.orElse(0) * repeats;
    }
  }

  /** The mean of the latest ledger that has the step with these arguments. */
  private static OptionalDouble took(Claim claim, Claim.Step step, List<String> args, List<Ledger> published) {
    return published.stream()
        .map(
            ledger ->
                ledger.entries().stream()
                    .filter(entry -> entry.claim().id().equals(claim.id()))
                    .flatMap(entry -> entry.runs().stream())
                    .filter(run -> run.step().equals(step.name()) && Collections.indexOfSubList(run.command(), args) >= 0)
                    .flatMap(run -> Stream.ofNullable(run.figure("process_ns")))
                    .mapToDouble(Double::doubleValue)
                    .average())
        .filter(OptionalDouble::isPresent)
        .findFirst()
        .orElse(OptionalDouble.empty());
  }

  private String text() {
    List<String> parts = new ArrayList<>();
    if (runs > unknown) {
      parts.add(
          "%s of workloads that took %s when they were published"
              .formatted(runs(runs - unknown), Units.clock(Duration.ofNanos(Math.round(ns)))));
    }
    if (unknown > 0) {
      parts.add(runs(unknown) + " of workloads that are in no published ledger");
    }
    if (climbs > 0) {
      parts.add((climbs == 1 ? "1 climb" : climbs + " climbs") + ", each as './ladder plan' tells of its study");
    }
    return parts.isEmpty() ? "nothing is run" : String.join(", ", parts);
  }

  private static String runs(int count) {
    return count == 1 ? "1 run" : count + " runs";
  }
}
