package echoladder.harness.claims;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What the figures say of a claim.
 *
 * @param verdict of all rules together
 * @param close whether it could be the other one by chance
 * @param reason why it cannot be told; null where it can
 * @param rules each of them, in the claim's order; none where nothing was run
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Outcome(Verdict verdict, boolean close, @Nullable String reason, List<OfRule> rules) {
  public Outcome {
    rules = List.copyOf(rules);
  }

  /** Whether a claim holds on this host. */
  public enum Verdict {
    @JsonProperty("holds")
    HOLDS("holds"),
    @JsonProperty("does-not-hold")
    DOES_NOT_HOLD("does not hold"),
    @JsonProperty("cannot-be-told-here")
    CANNOT_BE_TOLD("cannot be told here");

    private final String words;

    Verdict(String words) {
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
   * @param measured what stands against it
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record OfRule(String rule, String measured, Verdict verdict, boolean close) {}

  /** Nothing was, or could be, measured. */
  static Outcome cannot(String reason) {
    return new Outcome(Verdict.CANNOT_BE_TOLD, false, reason, List.of());
  }

  /** The verdict as a reader sees it, with its doubt. */
  String words() {
    return verdict.words() + (close ? " (close)" : "");
  }
}
