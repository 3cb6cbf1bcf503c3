package echoladder.client;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Locale;

/** What a measurement is worth. docs/decisions/verdicts.md says why there are three. */
public enum Verdict {
  /** It may be quoted. */
  @JsonProperty("valid")
  VALID,
  /** A result: this load cannot be carried here. No percentile of it is quoted, and it is compared with nothing. */
  @JsonProperty("saturated")
  SATURATED,
  /** The measurement itself is at fault. It is shown and never quoted. */
  @JsonProperty("invalid")
  INVALID;

  /** As in run.json. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What stands in brackets behind a value that may not be quoted; nothing behind one that may. */
  public String note() {
    return this == VALID ? "" : " (" + id() + ")";
  }

  /**
   * Valid where there is no doubt but of {@linkplain ReasonCode#noise() noise}, which has no part in it. One reason that
   * {@linkplain ReasonCode#spoils() spoils} makes it invalid; otherwise one that
   * {@linkplain ReasonCode#saturates() the load can cause} makes it saturated. A fault of the study alone is invalid, and beside
   * a load that was not carried it changes nothing: a full host is also looked at late.
   */
  public static Verdict of(List<Reason> all) {
    List<Reason> doubts = all.stream().filter(doubt -> !doubt.reason().noise()).toList();
    if (doubts.isEmpty()) {
      return VALID;
    }
    return doubts.stream().noneMatch(doubt -> doubt.reason().spoils())
            && doubts.stream().anyMatch(doubt -> doubt.reason().saturates())
        ? SATURATED
        : INVALID;
  }
}
