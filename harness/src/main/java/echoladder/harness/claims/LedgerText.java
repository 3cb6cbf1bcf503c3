package echoladder.harness.claims;

import echoladder.harness.common.TextTable;
import echoladder.harness.common.Units;
import echoladder.harness.report.table.Table;
import echoladder.harness.report.words.MarkdownText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The ledger as text: LEDGER.md, and the table on the terminal. Pure. */
final class LedgerText {
  /** On the terminal; the whole of it is in LEDGER.md and on the page. */
  private static final int LETTERS = 150;

  private LedgerText() {}

  /** A row per claim, for the terminal. */
  static String table(Ledger ledger) {
    TextTable table = new TextTable().row(List.of("claim", "verdict", "measured here"));
    for (Ledger.Entry entry : ledger.entries()) {
      String measured = measured(entry);
      String cut = measured.length() <= LETTERS ? measured : measured.substring(0, LETTERS - 1) + "…";
      table.row(List.of(entry.claim().id(), entry.words(), cut));
    }
    String believed = ledger.believed().stream().map(text -> text + "\n").collect(Collectors.joining());
    return String.join("\n", table.lines()) + "\n" + believed + ledger.counts() + "\n" + notReached(ledger);
  }

  private static String notReached(Ledger ledger) {
    return ledger.notReached().isEmpty() ? "" : "not come to: " + String.join(", ", ledger.notReached()) + "\n";
  }

  /** LEDGER.md. */
  static String markdown(Ledger ledger) {
    List<String> lines = new ArrayList<>();
    lines.add(MarkdownText.plain("# " + ledger.question()));
    lines.add("");
    believed(ledger.sentences(), ledger.believed(), id -> "#" + anchor(id), lines);
    lines.add(ledger.counts() + ". Run `" + ledger.runId() + "`, begun " + ledger.startedAt() + ". " + notes(ledger));
    changes(ledger, lines);
    for (Ledger.Group group : ledger.groups()) {
      lines.add("");
      lines.add("## " + group.title());
      lines.add("");
      lines.add(table(group).markdown());
    }
    for (Ledger.Entry entry : ledger.entries()) {
      lines.add("");
      lines.add("<a id=\"" + anchor(entry.claim().id()) + "\"></a>");
      lines.add("");
      lines.add("## " + entry.claim().id() + ": " + entry.words());
      lines.add("");
      said(entry.claim(), lines);
      lines.add("");
      outcome(entry, lines);
    }
    lines.add("");
    lines.add("Again: `" + MarkdownText.code(ledger.reproduce()) + "`");
    return String.join("\n", lines) + "\n";
  }

  /** What is another verdict than in the ledger before. */
  private static void changes(Ledger ledger, List<String> lines) {
    VerdictChanges changes = VerdictChanges.of(ledger);
    if (changes == null) {
      return;
    }
    lines.addAll(List.of("", "## Which verdicts changed, and why", "", MarkdownText.plain(changes.summary())));
    if (!changes.changed().isEmpty()) {
      lines.addAll(List.of("", changes.table().markdown()));
    }
  }

  /** Where a claim stands on a page of its ledger. */
  static String anchor(String id) {
    return "claim-" + id;
  }

  /**
   * What a reader should believe, with the claims that it follows from.
   *
   * @param link to a claim, by its id
   */
  static void believed(List<Sentence> sentences, List<String> texts, UnaryOperator<String> link, List<String> lines) {
    for (int i = 0; i < texts.size(); i++) {
      String claims = sentences.get(i).claims().stream().map(id -> "[" + id + "](" + link.apply(id) + ")")
          .collect(Collectors.joining(", "));
      lines.add("%d. %s (%s)".formatted(i + 1, MarkdownText.plain(texts.get(i)), claims));
    }
    if (!texts.isEmpty()) {
      lines.add("");
    }
  }

  /** The table of a topic, whose claims lead to where they stand on the page. */
  static LedgerTable table(Ledger.Group group) {
    LedgerTable table = new LedgerTable();
    group.entries().forEach(entry -> table.add(entry.claim(), entry, "#" + anchor(entry.claim().id())));
    return table;
  }

  /** What a reader must know of the whole of it. */
  static String notes(Ledger ledger) {
    return "Each workload was held within "
        + Units.bytes(ledger.memoryLimitBytes())
        + ", each server by nothing of that kind."
        + (ledger.quick() ? " **A quick run:** smaller sizes, and what takes long left out." : "")
        + (ledger.complete()
            ? ""
            : " **Not complete:** it was stopped before " + String.join(", ", ledger.notReached()) + ".");
  }

  /** Where an entry's figures are kept besides ledger.json: the folders of its climbs. */
  static List<String> runs(Ledger.Entry entry) {
    return entry.runs().stream().flatMap(run -> Stream.ofNullable(run.folder())).toList();
  }

  /** What was said, by whom, and what is asked here. */
  static void said(Claim claim, List<String> lines) {
    lines.add(
        MarkdownText.plain("%s Published: %s, on: %s (%s).".formatted(claim.said(), claim.published(), claim.host(), claim.source())));
    if (claim.kind() != null) {
      lines.add("");
      lines.add("Kind: " + claim.kind().explained() + ".");
    }
    if (claim.differs() != null) {
      lines.add("");
      lines.add(MarkdownText.plain("Measured here instead: " + claim.differs()));
    }
    if (claim.question() != null) {
      lines.add("");
      lines.add(MarkdownText.plain("Asked here: " + claim.question()));
    }
  }

  /** What came of it: rules with what was measured, and what stands beside. */
  static void outcome(Ledger.Entry entry, List<String> lines) {
    ClaimOutcome outcome = entry.outcome();
    lines.add(MarkdownText.plain("**" + entry.words() + "**" + (outcome.reason() == null ? "" : ": " + outcome.reason()) + "."));
    if (!outcome.rules().isEmpty()) {
      lines.add("");
      lines.add(rules(outcome).markdown());
    }
    if (!outcome.beside().isEmpty()) {
      lines.add("");
      lines.add(MarkdownText.plain("Beside it, deciding nothing: " + String.join("; ", outcome.beside()) + "."));
    }
    if (!runs(entry).isEmpty()) {
      lines.add("");
      lines.add("Climbed in " + runs(entry).stream().map(run -> "`" + run + "`").collect(Collectors.joining(", ")) + ".");
    }
  }

  /** The rules with what was measured. */
  static Table rules(ClaimOutcome outcome) {
    Table table = new Table().words("rule, written before", "measured", "away from the bound", "it");
    outcome.rules().forEach(of -> table.row(of.rule(), of.measured(), Units.times(of.margin()), of.words()));
    return table;
  }

  /** What was measured for each rule, without the rules. */
  static String measuredAlone(Ledger.Entry entry) {
    return entry.outcome().rules().stream().map(ClaimOutcome.OfRule::measured).collect(Collectors.joining("; "));
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
}
