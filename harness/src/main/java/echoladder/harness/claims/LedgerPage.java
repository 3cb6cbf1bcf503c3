package echoladder.harness.claims;

import echoladder.harness.common.Units;
import echoladder.harness.report.EnvironmentRows;
import echoladder.harness.report.PlotPage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** ledger.html: one file with everything in it, from ledger.json alone, in the form of a run's report. */
final class LedgerPage {
  private LedgerPage() {}

  static String of(Ledger ledger) {
    LedgerPlots plots = LedgerPlots.of(ledger);
    List<Map<String, Object>> drawn = PlotPage.rows(plots.series(), plots.panels());
    List<Map<String, Object>> claims = new ArrayList<>();
    int next = 0;
    for (Ledger.Entry entry : ledger.entries()) {
      int count = plots.count(entry.claim());
      claims.add(claim(entry, drawn.subList(next, next + count)));
      next += count;
    }
    Map<String, Object> map = new HashMap<>();
    map.put("question", ledger.question());
    map.put("counts", ledger.counts());
    map.put("runId", ledger.runId());
    map.put("started", Units.clockTime(ledger.startedAt()));
    map.put("memory", Units.bytes(ledger.memoryLimitBytes()));
    map.put("quick", ledger.quick());
    map.put("notReached", String.join(", ", ledger.notReached()));
    map.put("incomplete", !ledger.complete());
    map.put("claims", claims);
    map.put("reproduce", ledger.reproduce());
    map.put("commit", EnvironmentRows.commit(ledger.environment()));
    map.put("environment", EnvironmentRows.of(ledger.environment()));
    return PlotPage.of("ledger.html.mustache", plots.series(), plots.panels(), map);
  }

  private static Map<String, Object> claim(Ledger.Entry entry, List<Map<String, Object>> plots) {
    Claim claim = entry.claim();
    Outcome outcome = entry.outcome();
    Map<String, Object> map = new HashMap<>();
    map.put("id", claim.id());
    map.put("said", claim.said());
    map.put("source", claim.source());
    map.put("published", claim.published());
    map.put("host", claim.host());
    map.put("question", claim.question() == null ? "" : claim.question());
    map.put("asked", claim.question() != null);
    map.put("verdict", outcome.words());
    map.put("kind", kind(outcome));
    map.put("reason", outcome.reason() == null ? "" : outcome.reason());
    map.put("untold", outcome.reason() != null);
    map.put("short", LedgerText.measured(entry));
    map.put("rules", outcome.rules().stream().map(LedgerPage::rule).toList());
    map.put("anyRules", !outcome.rules().isEmpty());
    map.put("beside", outcome.beside());
    map.put("anyBeside", !outcome.beside().isEmpty());
    map.put("plots", plots);
    map.put("runs", entry.runs().stream().map(LedgerPage::run).toList());
    map.put("anyRuns", !entry.runs().isEmpty());
    String folders = String.join(", ", LedgerText.runs(entry));
    map.put("from", folders.isEmpty() ? entry.runs().isEmpty() ? "" : "ledger.json" : folders);
    return map;
  }

  /** For the styles: a row that says nothing is muted. */
  private static String kind(Outcome outcome) {
    return switch (outcome.verdict()) {
      case HOLDS -> "valid";
      case DOES_NOT_HOLD -> "not";
      case CANNOT_BE_TOLD -> "none";
    };
  }

  private static Map<String, Object> rule(Outcome.OfRule rule) {
    return Map.of(
        "rule", rule.rule(), "measured", rule.measured(), "margin", Units.times(rule.margin()), "it", rule.words());
  }

  private static Map<String, Object> run(StepRun run) {
    return Map.of(
        "step", run.step(),
        "repeat", run.repeat(),
        "ended", run.endedBy(),
        "detail", run.detail(),
        "foreign", Units.percent(run.foreignCpuShare()),
        "command", String.join(" ", run.command()),
        "folder", run.folder() == null ? "" : run.folder());
  }
}
