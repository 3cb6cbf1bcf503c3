package echoladder.harness.claims;

import com.fasterxml.jackson.annotation.JsonProperty;
import echoladder.harness.claims.ClaimOutcome.Holding;

/**
 * What a claim is bound to. That decides what a measurement on another host can say of it: an absolute time can be met or not,
 * never refuted; a ratio can be.
 */
public enum Kind {
  @JsonProperty("host-bound")
  HOST_BOUND("host-bound", "an absolute time or amount of memory, which another host can meet or not, and never refute", "reproduced",
      "not reproduced here", false),
  @JsonProperty("ratio")
  RATIO("ratio", "a ratio, or a figure that no host decides; any host that keeps the conditions can refute it", "holds",
      "does not hold", true),
  @JsonProperty("order")
  ORDER("order", "which is more; any host that keeps the conditions can refute it", "holds", "does not hold", true),
  @JsonProperty("os-bound")
  OS_BOUND("OS-bound", "a limit, or a way to fail; a host can only say which limit ends it there", "ends so here",
      "does not end so here", false),
  @JsonProperty("version-bound")
  VERSION_BOUND("version-bound", "true or false of a release", "true of this release", "not true of this release", false),
  @JsonProperty("arithmetic")
  ARITHMETIC("arithmetic", "decided by the source's own figures, on no host", "follows from its own figures",
      "contradicts its own figures", false),
  @JsonProperty("own-question")
  OWN_QUESTION("own question", "nobody said it; it is asked beside a claim", "yes, here", "no, here", false);

  private final String words;
  private final String meaning;
  private final String met;
  private final String notMet;
  private final boolean undecidedWhereClose;

  Kind(String words, String meaning, String met, String notMet, boolean undecidedWhereClose) {
    this.words = words;
    this.meaning = meaning;
    this.met = met;
    this.notMet = notMet;
    this.undecidedWhereClose = undecidedWhereClose;
  }

  /** As a reader sees it. */
  String words() {
    return words;
  }

  /** The kind and what it means, for a page. */
  String explained() {
    return words + " (" + meaning + ")";
  }

  private boolean undecided(ClaimOutcome outcome) {
    return undecidedWhereClose && outcome.certainty() == Certainty.CLOSE;
  }

  /** What rules that were all met, or not, say of a claim of this kind. A ratio whose interval meets the bound decides nothing. */
  String verdict(ClaimOutcome outcome) {
    if (undecided(outcome)) {
      return "undecided";
    }
    return switch (outcome.holding()) {
      case HOLDS -> met;
      case DOES_NOT_HOLD -> notMet;
      case CANNOT_BE_TOLD -> Holding.CANNOT_BE_TOLD.words();
    };
  }

  /** The verdict as a reader sees it, with its doubt. */
  String words(ClaimOutcome outcome) {
    Certainty certainty = outcome.certainty();
    return verdict(outcome) + (certainty == null || undecided(outcome) ? "" : certainty.behind());
  }
}
