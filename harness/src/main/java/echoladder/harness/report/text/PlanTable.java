package echoladder.harness.report.text;

import echoladder.client.StagedLoad;
import echoladder.harness.common.TextTable;
import echoladder.harness.common.Units;
import echoladder.harness.plan.Obstacles;
import echoladder.harness.plan.Plan;
import echoladder.harness.plan.Rung;
import echoladder.harness.report.table.CapacityText;
import echoladder.harness.report.words.StagedText;
import echoladder.harness.study.Capacity;
import echoladder.harness.study.StagedUsers;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyLoad;
import java.time.Duration;
import java.util.List;

/** A plan as text. */
public final class PlanTable {
  private PlanTable() {}

  /** Question, rungs in their order, and how long it should take. */
  public static String of(Study study, Plan plan) {
    return study.load().staged() == null ? ladder(study, plan) : staged(study, study.load().staged(), plan);
  }

  /** The stages once, then who gets them. */
  private static String staged(Study study, StagedUsers users, Plan plan) {
    StagedLoad load = users.load(StagedLoad.Loop.OPEN);
    TextTable stages = new TextTable().row(List.of("stage", "users", "over", "ceiling, requests/s", ""));
    for (int s = 0; s < load.stages().size(); s++) {
      int before = load.usersBefore(s);
      int after = load.stages().get(s).users();
      stages.row(
          List.of(
              String.valueOf(s + 1),
              "%,d to %,d".formatted(before, after),
              Units.time(load.stages().get(s).over().toNanos()),
              "%s to %s".formatted(StagedText.perS(load.ceilingPerS(before)), StagedText.perS(load.ceilingPerS(after))),
              ""));
    }
    TextTable table = new TextTable().row(List.of("server", "client", "connections", "about", ""));
    for (Rung rung : plan.rungs()) {
      String client = study.entry(rung.label()).map(Study.Entry::client).orElse(Units.NONE);
      table.row(
          List.of(
              rung.label(),
              client,
              Units.count(rung.connections()),
              rung.attempted() ? Units.clock(rung.likely()) : Units.NONE,
              against(rung)));
    }
    return "study: %s%n%s%n%n%s%n%n%s%n%nLoad: %s%n%n%s%n"
        .formatted(
            study.name(), study.question(), String.join("\n", stages.lines()), String.join("\n", table.lines()),
            StagedText.load(study, users), total(study, plan));
  }

  private static String rate(double perS) {
    return perS >= 1_000 ? Units.count(Math.round(perS)) : "%.4g".formatted(perS).replaceFirst("\\.0+$", "");
  }

  /** How much of a plan is within reach and how long it takes, as a clause. */
  public static String total(Study study, Plan plan) {
    String what = study.load().staged() != null ? "measurements" : study.capacity() != null ? "searches" : "rungs";
    long within = plan.all().stream().filter(Rung::attempted).count();
    String most = Units.clock(study.budgetNs() == null ? plan.most() : Duration.ofNanos(study.budgetNs()));
    return "%d of %d %s are within reach of this host; about %s, at most %s%s"
        .formatted(within, plan.size(), what, Units.clock(plan.likely()), most, study.budgetNs() == null ? "" : ", the study's budget");
  }

  private static String ladder(Study study, Plan plan) {
    if (study.capacity() != null) {
      return searches(study, study.capacity(), plan);
    }
    TextTable table =
        new TextTable().row(List.of("server", "connections", study.rateUnit(), "per connection", "about", ""));
    for (Rung rung : plan.all()) {
      table.row(
          List.of(
              rung.label(),
              Units.count(rung.connections()),
              rate(rung.ratePerS()) + (rung.key().driftCheck() ? " again" : ""),
              perConnection(study, rung),
              rung.attempted() ? Units.clock(rung.likely()) : Units.NONE,
              against(rung)));
    }
    return "study: %s%n%s%n%s%n%s%n%n%s%n"
        .formatted(study.name(), study.question(), axes(study), String.join("\n", table.lines()), total(study, plan));
  }

  private static String searches(Study study, Capacity capacity, Plan plan) {
    TextTable table = new TextTable().row(List.of("server", "connections", study.rateUnit(), "about", ""));
    for (Rung rung : plan.rungs()) {
      String rates = "%s to %s".formatted(Units.count(Math.round(rung.ratePerS())), Units.count(Math.round(capacity.mostPerS())));
      table.row(
          List.of(
              rung.label(), Units.count(rung.connections()), rates, rung.attempted() ? Units.clock(rung.likely()) : Units.NONE,
              against(rung)));
    }
    return "study: %s%n%s%n%s%n%s%n%n%s%n%s%n"
        .formatted(
            study.name(), study.question(), axes(study), String.join("\n", table.lines()), CapacityText.bound(study),
            total(study, plan));
  }

  /** A line for each axis, which ends with a line break; empty without any. */
  private static String axes(Study study) {
    StringBuilder lines = new StringBuilder();
    study.axes().forEach((name, values) -> lines.append("axis %s: %s%n".formatted(name, String.join(", ", values))));
    return lines.toString();
  }

  private static String against(Rung rung) {
    Obstacles obstacles = rung.obstacles();
    if (obstacles.clientMissing() != null) {
      return "client missing: " + obstacles.clientMissing();
    }
    String why = obstacles.outOfReach() != null ? obstacles.outOfReach() : obstacles.clientUnfit();
    String profile = rung.profile() == null ? "" : "extra repeat, profile " + rung.profile().id();
    return why == null ? profile : "out of reach: " + why;
  }

  /** How often each connection that sends does so. */
  private static String perConnection(Study study, Rung rung) {
    StudyLoad load = study.entry(rung.label()).map(study::load).orElse(study.load());
    int active = (int) Math.max(1, Math.round(rung.connections() * load.activeShare()));
    return "every " + Units.time(Math.round(load.slow().readers(active) / rung.ratePerS() * 1e9));
  }
}
