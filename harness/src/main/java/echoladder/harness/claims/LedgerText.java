package echoladder.harness.claims;

import echoladder.harness.report.TextTable;
import echoladder.harness.report.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The ledger as text: LEDGER.md, and the table on the terminal. Pure. */
final class LedgerText {
  private LedgerText() {}

  /** A row per claim, for the terminal. */
  static String table(Ledger ledger) {
    TextTable table = new TextTable().row(List.of("claim", "verdict", "measured here"));
    for (Ledger.Entry entry : ledger.entries()) {
      table.row(List.of(entry.claim().id(), entry.outcome().words(), measured(entry)));
    }
    return String.join("\n", table.lines()) + "\n";
  }

  /** LEDGER.md. */
  static String markdown(Ledger ledger) {
    List<String> lines = new ArrayList<>();
    lines.add("# " + ledger.question());
    lines.add("");
    lines.add("Run `" + ledger.runId() + "`" + notes(ledger));
    lines.add("");
    lines.add("| claim | published | on | measured here | verdict |");
    lines.add("|---|---|---|---|---|");
    for (Ledger.Entry entry : ledger.entries()) {
      Claim claim = entry.claim();
      lines.add(
          "| **%s**: %s | %s | %s | %s | %s |"
              .formatted(
                  claim.id(),
                  cell(claim.said()),
                  cell(claim.published()),
                  cell(claim.host()),
                  cell(measured(entry)),
                  cell(entry.outcome().words())));
    }
    for (Ledger.Entry entry : ledger.entries()) {
      section(entry, lines);
    }
    lines.add("");
    lines.add("Again: `" + ledger.reproduce() + "`");
    return String.join("\n", lines) + "\n";
  }

  private static String notes(Ledger ledger) {
    return ", begun "
        + ledger.startedAt()
        + ", each workload within "
        + Units.bytes(ledger.memoryLimitBytes())
        + "."
        + (ledger.quick() ? " **A quick run:** smaller sizes, once each." : "")
        + (ledger.complete() ? "" : " **Not complete:** it was interrupted.");
  }

  private static void section(Ledger.Entry entry, List<String> lines) {
    Claim claim = entry.claim();
    lines.add("");
    lines.add("## " + claim.id() + ": " + entry.outcome().words());
    lines.add("");
    lines.add(claim.said() + " (" + claim.source() + "; " + claim.published() + ", on " + claim.host() + ")");
    if (claim.question() != null) {
      lines.add("");
      lines.add("Asked here: " + claim.question());
    }
    if (entry.outcome().reason() != null) {
      lines.add("");
      lines.add("It cannot be told here: " + entry.outcome().reason() + ".");
    }
    if (!entry.outcome().rules().isEmpty()) {
      lines.add("");
      lines.add("| rule, written before | measured | it |");
      lines.add("|---|---|---|");
      for (Outcome.OfRule rule : entry.outcome().rules()) {
        lines.add(
            "| %s | %s | %s%s |"
                .formatted(cell(rule.rule()), cell(rule.measured()), rule.verdict().words(), rule.close() ? ", close" : ""));
      }
    }
  }

  /** What stands against the claim's rules, or why nothing does. */
  static String measured(Ledger.Entry entry) {
    String reason = entry.outcome().reason();
    return reason != null
        ? reason
        : entry.outcome().rules().stream()
            .map(rule -> rule.rule() + ": " + rule.measured())
            .collect(Collectors.joining("; "));
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace('\n', ' ');
  }
}
