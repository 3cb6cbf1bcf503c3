package echoladder.harness.claims;

import echoladder.harness.common.Units;
import echoladder.harness.report.page.Page;
import echoladder.harness.report.table.EnvironmentRows;
import echoladder.harness.report.table.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** ledger.html: one file with everything in it, from ledger.json alone, in the form of a run's report. */
final class LedgerPage {
  private LedgerPage() {}

  static String of(Ledger ledger) {
    LedgerPlots plots = LedgerPlots.of(ledger);
    Map<String, Map<String, Object>> byId = new LinkedHashMap<>();
    ledger.entries().forEach(entry -> byId.put(entry.claim().id(), claim(entry, plots)));
    Map<String, Object> map = new HashMap<>();
    map.put("question", ledger.question());
    map.put("counts", ledger.counts());
    map.put("runId", ledger.runId());
    map.put("started", Units.clockTime(ledger.startedAt()));
    map.put("memory", Units.bytes(ledger.memoryLimitBytes()));
    map.put("quick", ledger.quick());
    map.put("notReached", String.join(", ", ledger.notReached()));
    map.put("incomplete", !ledger.complete());
    map.put("sentences", sentences(ledger, byId.keySet()));
    map.put("believed", !ledger.sentences().isEmpty());
    VerdictChanges changes = VerdictChanges.of(ledger);
    map.put("compared", changes != null);
    map.put("changes", changes == null ? "" : changes.summary());
    map.put("changed", changes == null || changes.changed().isEmpty() ? "" : changes.table().html());
    map.put("topics", ledger.groups().stream().map(LedgerPage::topic).toList());
    map.put("claims", List.copyOf(byId.values()));
    map.put("reproduce", ledger.reproduce());
    map.put("commit", EnvironmentRows.commit(ledger.environment()));
    map.put("environment", EnvironmentRows.table(ledger.environment()).html());
    return Page.of("ledger.html.mustache", map);
  }

  /** Those of the claims that are in the ledger are links. */
  private static List<Map<String, Object>> sentences(Ledger ledger, Set<String> measured) {
    List<Map<String, Object>> all = new ArrayList<>();
    List<String> believed = ledger.believed();
    for (int i = 0; i < believed.size(); i++) {
      List<String> of = ledger.sentences().get(i).claims().stream().filter(measured::contains).toList();
      all.add(Map.of("text", believed.get(i), "of", of));
    }
    return all;
  }

  private static Map<String, Object> topic(Ledger.Group group) {
    return Map.of("topic", group.id(), "title", group.title(), "table", LedgerText.table(group).html());
  }

  private static Map<String, Object> claim(Ledger.Entry entry, LedgerPlots plots) {
    Claim claim = entry.claim();
    ClaimOutcome outcome = entry.outcome();
    Map<String, Object> map = new HashMap<>();
    map.put("id", claim.id());
    map.put("said", claim.said());
    map.put("source", claim.source());
    map.put("bound", claim.kind() == null ? "" : claim.kind().explained());
    map.put("anyKind", claim.kind() != null);
    map.put("published", claim.published());
    map.put("host", claim.host());
    map.put("differs", claim.differs() == null ? "" : claim.differs());
    map.put("other", claim.differs() != null);
    map.put("question", claim.question() == null ? "" : claim.question());
    map.put("asked", claim.question() != null);
    map.put("verdict", entry.words());
    map.put("reason", outcome.reason() == null ? "" : outcome.reason());
    map.put("untold", outcome.reason() != null);
    map.put("rules", outcome.rules().isEmpty() ? "" : LedgerText.rules(outcome).html());
    map.put("beside", outcome.beside());
    map.put("anyBeside", !outcome.beside().isEmpty());
    map.put("plots", Page.plot("What was measured for " + claim.id(), plots.panels(claim), plots.series()));
    map.put("runs", entry.runs().isEmpty() ? "" : runs(entry).html());
    return map;
  }

  private static Table runs(Ledger.Entry entry) {
    Table table = new Table().words("step").figures("repeat").words("ended by").figures("CPU of others").words("command", "run");
    for (StepRun run : entry.runs()) {
      table.row(
          run.step(),
          String.valueOf(run.repeat()),
          run.endedBy() + " " + run.detail(),
          Units.percent(run.foreignCpuShare()),
          "`" + String.join(" ", run.command()) + "`",
          run.folder() == null ? "" : "`" + run.folder() + "`");
    }
    return table;
  }
}
