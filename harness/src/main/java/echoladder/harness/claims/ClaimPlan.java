package echoladder.harness.claims;

import echoladder.harness.claims.Claim.Effort;
import echoladder.harness.common.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What a run of claims would do on this host, by topic, and how long each claim takes. */
public final class ClaimPlan {
  private final String id;
  private final @Nullable String lacking;
  private int runs;
  private int climbs;
  private int unknown;
  private long ns;

  private ClaimPlan(String id, @Nullable String lacking) {
    this.id = id;
    this.lacking = lacking;
  }

  /** As text. */
  public static String of(List<Claim> claims, Effort effort, StepTimes times) {
    List<String> lines = new ArrayList<>();
    ClaimPlan all = new ClaimPlan("all", null);
    for (Topic topic : Topic.values()) {
      List<Claim> own = claims.stream().filter(claim -> claim.topic() == topic).toList();
      if (own.isEmpty()) {
        continue;
      }
      ClaimPlan plan = new ClaimPlan(topic.id(), null);
      List<String> each = new ArrayList<>();
      for (Claim claim : own) {
        ClaimPlan one = of(claim, effort, times);
        each.add("  %s, %s: %s".formatted(claim.id(), one.inShort(), claim.said()));
        plan.add(one);
      }
      lines.add("%s: %s; %s".formatted(plan.id, Claim.count(own.size()), plan.text()));
      lines.addAll(each);
      all.add(plan);
    }
    lines.add("%s; %s".formatted(Claim.count(claims.size()), all.text()));
    return String.join("\n", lines) + "\n";
  }

  /** How long all of them take together; what nobody knows is not in it. */
  static Duration time(List<Claim> claims, Effort effort, StepTimes times) {
    return claims.stream().map(claim -> Duration.ofNanos(of(claim, effort, times).ns)).reduce(Duration.ZERO, Duration::plus);
  }

  private static ClaimPlan of(Claim claim, Effort effort, StepTimes times) {
    ClaimPlan one = new ClaimPlan(claim.id(), Needed.lacking(claim.needs()));
    if (one.lacking != null) {
      return one;
    }
    for (Claim.Step step : claim.steps()) {
      if (step.args().containsKey(effort)) {
        OptionalLong took = times.ns(claim, step, effort);
        one.unknown += took.isPresent() ? 0 : 1;
        one.ns += took.orElse(0);
        one.climbs += step.language() == Claim.Language.LADDER ? 1 : 0;
        one.runs += step.language() == Claim.Language.LADDER ? 0 : 1;
      }
    }
    int repeats = new Repeats(effort, claim).of(Math.max(one.ns, 1));
    one.runs *= repeats;
    one.climbs *= repeats;
    one.unknown *= repeats;
    one.ns *= repeats;
    return one;
  }

  private void add(ClaimPlan other) {
    runs += other.runs;
    climbs += other.climbs;
    unknown += other.unknown;
    ns += other.ns;
  }

  private String inShort() {
    return lacking != null ? "which cannot be told here, as " + lacking : runs + climbs == 0 ? "nothing is run" : time();
  }

  private String time() {
    String known = Units.clock(Duration.ofNanos(ns));
    return unknown == 0 ? known : "%s and what %d of its runs take".formatted(known, unknown);
  }

  private String text() {
    List<String> parts = new ArrayList<>();
    if (runs > 0) {
      parts.add(runs == 1 ? "1 run of a workload" : runs + " runs of workloads");
    }
    if (climbs > 0) {
      parts.add(climbs == 1 ? "1 climb" : climbs + " climbs");
    }
    return parts.isEmpty() ? "nothing is run" : String.join(" and ", parts) + ", likely " + time() + " (minutes and seconds)";
  }
}
