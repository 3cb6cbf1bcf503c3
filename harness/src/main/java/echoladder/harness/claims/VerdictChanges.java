package echoladder.harness.claims;

import echoladder.harness.claims.ClaimOutcome.Holding;
import echoladder.harness.common.Units;
import echoladder.harness.report.table.Table;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which verdicts of a ledger are others than those of the one that was published before it, and why: by its rules, by what was
 * measured, or because it can be told now, or not any more. Pure.
 *
 * @param earlier what was published before it
 * @param changed those claims of which the verdict is another now
 */
record VerdictChanges(Earlier earlier, List<Change> changed, int same, List<String> added) {
  VerdictChanges {
    changed = List.copyOf(changed);
    added = List.copyOf(added);
  }

  /**
   * A verdict that changed.
   *
   * @param then in the words of today's kind
   */
  record Change(String id, String then, String now, String why) {}

  /** The changes of a ledger; null where none was published before it. */
  static @Nullable VerdictChanges of(Ledger ledger) {
    Earlier earlier = ledger.earlier();
    if (earlier == null) {
      return null;
    }
    List<Change> changed = new ArrayList<>();
    List<String> added = new ArrayList<>();
    int same = 0;
    for (Ledger.Entry entry : ledger.entries()) {
      Earlier.Entry before = earlier.entry(entry.claim().id());
      if (before == null) {
        added.add(entry.claim().id());
      } else if (verdict(entry.claim().kind(), before.outcome()).equals(verdict(entry.claim().kind(), entry.outcome()))) {
        same++;
      } else {
        changed.add(new Change(entry.claim().id(), words(entry.claim().kind(), before.outcome()), entry.words(), why(before, entry)));
      }
    }
    return new VerdictChanges(earlier, changed, same, added);
  }

  private static String verdict(@Nullable Kind kind, ClaimOutcome outcome) {
    return kind == null ? outcome.holding().words() : kind.verdict(outcome);
  }

  private static String words(@Nullable Kind kind, ClaimOutcome outcome) {
    return kind == null ? outcome.words() : kind.words(outcome);
  }

  private static String why(Earlier.Entry before, Ledger.Entry now) {
    ClaimOutcome outcome = now.outcome();
    List<String> rules = now.claim().rules().stream().map(Rule::text).toList();
    List<String> parts = new ArrayList<>();
    if (before.verdict() == Holding.CANNOT_BE_TOLD) {
      parts.add("it could not be told then (" + before.measured() + ")");
    }
    if (outcome.holding() == Holding.CANNOT_BE_TOLD) {
      parts.add("it cannot be told now (" + outcome.reason() + ")");
    }
    List<String> gone = without(before.ruleTexts(), rules);
    List<String> come = before.rules().isEmpty() ? List.of() : without(rules, before.ruleTexts());
    if (!gone.isEmpty() || !come.isEmpty()) {
      parts.add("its rules are others: " + or(gone, "nothing") + " became " + or(come, "nothing"));
    }
    if (before.verdict() != Holding.CANNOT_BE_TOLD && outcome.holding() != Holding.CANNOT_BE_TOLD) {
      parts.add("measured " + before.measured() + " then, " + LedgerText.measuredAlone(now) + " now");
    }
    return String.join("; ", parts);
  }

  private static List<String> without(List<String> some, List<String> others) {
    return some.stream().filter(text -> !others.contains(text)).toList();
  }

  private static String or(List<String> texts, String none) {
    return texts.isEmpty() ? none : String.join(" and ", texts);
  }

  /** In a sentence or two. */
  String summary() {
    List<String> parts =
        List.of(
            same == 1 ? "1 verdict is the same" : same + " verdicts are the same",
            changed.size() + " changed",
            added.isEmpty() ? "no claim is new" : added.size() == 1 ? "1 claim is new" : added.size() + " claims are new");
    return ("Against the ledger %s, begun %s, which was published last before this one: %s."
            + " Verdicts of then are in the words of a claim's kind of today.")
        .formatted(earlier.runId(), Units.clockTime(earlier.startedAt()), String.join(", ", parts));
  }

  /** A row per verdict that changed. */
  Table table() {
    Table table = new Table().words("claim", "then", "now", "why");
    changed.forEach(change -> table.row(change.id, change.then, change.now, change.why));
    return table;
  }
}
