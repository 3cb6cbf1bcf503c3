package echoladder.harness.claims;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How sure it is that another run would say the same; the more doubtful the later. */
public enum Certainty {
  /** The bound lies beyond what the repeats differ by. */
  @JsonProperty("clear")
  CLEAR(""),
  /** It was measured once: what another run would differ by was not measured. */
  @JsonProperty("once")
  ONCE("measured once"),
  /** The bound lies within what the repeats differ by, or beside the only one: another run could say otherwise. */
  @JsonProperty("close")
  CLOSE("close");

  private final String words;

  Certainty(String words) {
    this.words = words;
  }

  /** In brackets behind a verdict; nothing where there is no doubt. */
  String behind() {
    return words.isEmpty() ? "" : " (" + words + ")";
  }

  /** The more doubtful of two. */
  Certainty or(Certainty other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
