package echoladder.harness.claims;

import echoladder.harness.report.table.Table;

/** A topic's claims in one table, with what was measured: LEDGER.md, ledger.html and STUDY.md show it. */
final class LedgerTable {
  private static final String[] TEXT = {"claim", "who, when", "on", "published", "measured here", "verdict"};

  private final Table table = new Table().words(TEXT).words("from");

  /**
   * Adds a claim that a ledger has.
   *
   * @param claim as the table has to say it
   */
  void add(Claim claim, Ledger.Entry entry, String link) {
    add(claim, link, style(entry.outcome()), LedgerText.measured(entry), entry.words(), from(entry));
  }

  /** Adds a claim that no ledger has by its rules of today. */
  void addUnmeasured(Claim claim, String link) {
    add(claim, link, "none", "not by these rules yet", "not measured", "");
  }

  private void add(Claim claim, String link, String style, String measured, String verdict, String from) {
    table.named(
        new Table.Name(claim.id(), link, style),
        ": " + claim.said(), claim.who() == null ? claim.source() : claim.who(), claim.host(), claim.published(), measured,
        "**" + verdict + "**", from);
  }

  /** For the styles: a row that says nothing is muted. */
  private static String style(ClaimOutcome outcome) {
    return switch (outcome.holding()) {
      case HOLDS -> "valid";
      case DOES_NOT_HOLD -> "not";
      case CANNOT_BE_TOLD -> "none";
    };
  }

  /** Where its figures are kept. */
  private static String from(Ledger.Entry entry) {
    String folders = String.join(", ", LedgerText.runs(entry));
    String from = folders.isEmpty() ? entry.runs().isEmpty() ? "" : "ledger.json" : folders;
    return from.isEmpty() ? "" : "`" + from + "`";
  }

  /** For a page of text, which says below each claim where its figures are kept. */
  String markdown() {
    return table.only(TEXT).markdown();
  }

  String html() {
    return table.html();
  }
}
