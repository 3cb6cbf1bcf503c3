package echoladder.harness.claims;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What the figures say of a claim.
 *
 * @param holding of all rules together
 * @param certainty whether another run could say otherwise; null where it cannot be told
 * @param reason why it cannot be told; null where it can
 * @param rules each of them, in the claim's order; none where nothing was run
 * @param beside figures that decide nothing, as {@code step.figure: value}
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ClaimOutcome(
    @JsonProperty("verdict") Holding holding, @Nullable Certainty certainty, @Nullable String reason, List<OfRule> rules,
    List<String> beside) {
  public ClaimOutcome {
    rules = List.copyOf(rules);
    beside = List.copyOf(beside);
  }

  /** Whether a claim holds on this host. */
  public enum Holding {
    @JsonProperty("holds")
    HOLDS("holds"),
    @JsonProperty("does-not-hold")
    DOES_NOT_HOLD("does not hold"),
    @JsonProperty("cannot-be-told-here")
    CANNOT_BE_TOLD("cannot be told here");

    private final String words;

    Holding(String words) {
      this.words = words;
    }

    /** As a reader sees it. */
    public String words() {
      return words;
    }
  }

  /**
   * What the figures say of one rule.
   *
   * @param rule its text
   * @param measured what stands against it, or why nothing does
   * @param certainty null where it cannot be told
   * @param margin by which factor the figure is away from the nearer bound, 1 or more; null where there is no such factor
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record OfRule(
      String rule, String measured, @JsonProperty("verdict") Holding holding, @Nullable Certainty certainty, @Nullable Double margin) {
    static OfRule cannot(String rule, String why) {
      return new OfRule(rule, why, Holding.CANNOT_BE_TOLD, null, null);
    }

    /** The holding as a reader sees it, with its doubt. */
    String words() {
      return holding.words() + (certainty == null ? "" : certainty.behind());
    }
  }

  /** Nothing was, or could be, measured. */
  static ClaimOutcome cannot(String reason) {
    return new ClaimOutcome(Holding.CANNOT_BE_TOLD, null, reason, List.of(), List.of());
  }

  /** The holding as a reader sees it, with its doubt. */
  String words() {
    return holding.words() + (certainty == null ? "" : certainty.behind());
  }
}
