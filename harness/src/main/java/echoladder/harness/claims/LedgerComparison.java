package echoladder.harness.claims;

import echoladder.harness.claims.ClaimOutcome.OfRule;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.TextTable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Several ledgers side by side: whether each claim has one verdict in all of them, and what was measured where it has not. */
public final class LedgerComparison {
  private static final String NOT_THERE = "not in it";

  private LedgerComparison() {}

  /**
   * As text.
   *
   * @throws Refusal (bad usage) where quick ones are among full ones, as their sizes are others
   */
  public static String of(List<Ledger> ledgers) {
    if (ledgers.stream().map(Ledger::quick).distinct().count() > 1) {
      throw Refusal.badUsage("quick ledgers have smaller sizes than full ones: compare those of one kind");
    }
    Set<String> ids = new LinkedHashSet<>();
    ledgers.forEach(ledger -> ledger.entries().forEach(entry -> ids.add(entry.claim().id())));
    List<String> heads = new ArrayList<>(List.of("claim"));
    ledgers.forEach(ledger -> heads.add(ledger.runId()));
    heads.add("verdict");
    TextTable table = new TextTable().row(heads);
    Map<Alike, List<String>> by = new EnumMap<>(Alike.class);
    for (String id : ids) {
      List<String> row = new ArrayList<>(List.of(id));
      for (Ledger ledger : ledgers) {
        Ledger.Entry entry = entry(ledger, id);
        row.add(entry == null ? NOT_THERE : entry.words());
      }
      Alike alike = alike(ledgers, id);
      row.add(alike.word);
      table.row(row);
      by.computeIfAbsent(alike, any -> new ArrayList<>()).add(id);
    }
    List<String> close = by.getOrDefault(Alike.CLOSE, List.of());
    List<String> differs = by.getOrDefault(Alike.DIFFERS, List.of());
    return String.join("\n", table.lines()) + "\n\n" + summary(ids.size(), close, differs) + details(ledgers, close)
        + details(ledgers, differs);
  }

  /** What several verdicts of one claim say together. */
  private enum Alike {
    SAME("the same"),
    /** Where two say different things, one of them at least is close to its bound, so another run could say otherwise. */
    CLOSE("close"),
    /** Two say different things, and neither is close. */
    DIFFERS("DIFFERS");

    private final String word;

    Alike(String word) {
      this.word = word;
    }
  }

  private static Alike alike(List<Ledger> ledgers, String id) {
    if (ledgers.stream().map(ledger -> verdict(ledger, id)).distinct().count() == 1) {
      return Alike.SAME;
    }
    long decided = ledgers.stream().filter(ledger -> !close(ledger, id)).map(ledger -> verdict(ledger, id)).distinct().count();
    return decided <= 1 ? Alike.CLOSE : Alike.DIFFERS;
  }

  private static boolean close(Ledger ledger, String id) {
    Ledger.Entry entry = entry(ledger, id);
    return entry != null && entry.outcome().certainty() == Certainty.CLOSE;
  }

  private static String verdict(Ledger ledger, String id) {
    Ledger.Entry entry = entry(ledger, id);
    return entry == null ? NOT_THERE : entry.verdict();
  }

  private static String summary(int all, List<String> close, List<String> differs) {
    return "%d of %d claims have the same verdict in all of these ledgers\n".formatted(all - close.size() - differs.size(), all)
        + said("close to their bound in a ledger, and no two ledgers contradict each other clearly", close)
        + said("with verdicts that contradict each other", differs);
  }

  private static String said(String what, List<String> claims) {
    return claims.isEmpty() ? "" : "%d %s: %s\n".formatted(claims.size(), what, String.join(", ", claims));
  }

  private static String details(List<Ledger> ledgers, List<String> others) {
    StringBuilder text = new StringBuilder();
    for (String id : others) {
      text.append('\n').append(id).append('\n');
      for (Ledger ledger : ledgers) {
        Ledger.Entry entry = entry(ledger, id);
        text.append("  ").append(ledger.runId()).append(": ");
        text.append(entry == null ? NOT_THERE : said(entry)).append('\n');
      }
    }
    return text.toString();
  }

  private static String said(Ledger.Entry entry) {
    String rules = entry.outcome().rules().stream().map(LedgerComparison::said).collect(Collectors.joining("; "));
    return rules.isEmpty() ? entry.words() + ", " + entry.outcome().reason() : rules;
  }

  private static String said(OfRule rule) {
    return rule.rule() + ": " + rule.measured() + ", " + rule.words();
  }

  private static Ledger.@Nullable Entry entry(Ledger ledger, String id) {
    return ledger.entries().stream().filter(entry -> entry.claim().id().equals(id)).findFirst().orElse(null);
  }
}
