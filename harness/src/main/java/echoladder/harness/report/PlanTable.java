package echoladder.harness.report;

import echoladder.harness.plan.Plan;
import echoladder.harness.plan.Rung;
import echoladder.harness.study.Study;
import java.util.List;

/** A plan as text. */
public final class PlanTable {
  private PlanTable() {}

  /** Question, rungs in their order, and how long it should take. */
  public static String of(Study study, Plan plan) {
    TextTable table =
        new TextTable().row(List.of("server", "connections", "messages/s", "per connection", "about", ""));
    for (Rung rung : plan.rungs()) {
      table.row(
          List.of(
              rung.label(),
              Units.count(rung.connections()),
              "%,.4g".formatted(rung.ratePerS()).replaceFirst("\\.0+$", ""),
              perConnection(study, rung),
              rung.attempted() ? Units.clock(rung.likely()) : Units.NONE,
              against(rung)));
    }
    long within = plan.rungs().stream().filter(Rung::attempted).count();
    return "study: %s%n%s%n%n%s%n%n%d of %d rungs are within reach of this host; about %s, at most %s%n"
        .formatted(
            study.name(),
            study.question(),
            String.join("\n", table.lines()),
            within,
            plan.rungs().size(),
            Units.clock(plan.likely()),
            Units.clock(plan.most()));
  }

  private static String against(Rung rung) {
    if (rung.clientMissing() != null) {
      return "client missing: " + rung.clientMissing();
    }
    String why = rung.outOfReach() != null ? rung.outOfReach() : rung.clientUnfit();
    return why == null ? "" : "out of reach: " + why;
  }

  /** How often each connection that sends does so. */
  private static String perConnection(Study study, Rung rung) {
    double active = Math.max(1, Math.round(rung.connections() * study.load().activeShare()));
    return "every " + Units.time(Math.round(active / rung.ratePerS() * 1e9));
  }
}
