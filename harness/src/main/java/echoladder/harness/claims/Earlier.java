package echoladder.harness.claims;

import com.fasterxml.jackson.annotation.JsonInclude;
import echoladder.harness.claims.ClaimOutcome.Holding;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What the ledger said that was published last when another was begun. It stays in that other ledger, which so can say for itself
 * which verdicts changed.
 *
 * @param runId of the earlier ledger
 * @param startedAt ISO 8601, UTC
 * @param entries those of its claims that it has
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Earlier(String runId, String startedAt, List<Entry> entries) {
  public Earlier {
    entries = List.copyOf(entries);
  }

  /**
   * What it said of one claim.
   *
   * @param kind as the claim had it then; null where kinds were not told yet
   * @param reason why it could not be told; null where it could
   * @param rules as they were then, with what was measured against each
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Entry(
      String id,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Kind kind,
      Holding verdict,
      @Nullable Certainty certainty,
      @Nullable String reason,
      List<OfRule> rules) {
    public Entry {
      rules = List.copyOf(rules);
    }

    /** Its outcome, without what decides no verdict. */
    ClaimOutcome outcome() {
      return new ClaimOutcome(verdict, certainty, reason, List.of(), List.of());
    }

    List<String> ruleTexts() {
      return rules.stream().map(OfRule::rule).toList();
    }

    String measured() {
      return reason != null ? reason : rules.stream().map(OfRule::measured).collect(Collectors.joining("; "));
    }
  }

  /** A rule and what was measured against it, as text. */
  public record OfRule(String rule, String measured) {}

  /** The latest of these, the latest first, which is quick where that is asked; null where none has any of the claims. */
  static @Nullable Earlier of(List<Ledger> published, boolean quick, List<Claim> claims) {
    List<String> ids = claims.stream().map(Claim::id).toList();
    return published.stream()
        .filter(ledger -> ledger.quick() == quick)
        .map(ledger -> new Earlier(ledger.runId(), ledger.startedAt(), said(ledger, ids)))
        .filter(earlier -> !earlier.entries.isEmpty())
        .findFirst()
        .orElse(null);
  }

  private static List<Entry> said(Ledger ledger, List<String> ids) {
    return ledger.entries().stream().filter(entry -> ids.contains(entry.claim().id())).map(Earlier::saidOf).toList();
  }

  private static Entry saidOf(Ledger.Entry of) {
    ClaimOutcome outcome = of.outcome();
    List<OfRule> rules = outcome.rules().stream().map(rule -> new OfRule(rule.rule(), rule.measured())).toList();
    return new Entry(of.claim().id(), of.claim().kind(), outcome.holding(), outcome.certainty(), outcome.reason(), rules);
  }

  /** Null where it had no such claim. */
  @Nullable Entry entry(String id) {
    return entries.stream().filter(entry -> entry.id.equals(id)).findFirst().orElse(null);
  }
}
