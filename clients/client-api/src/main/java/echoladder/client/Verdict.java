package echoladder.client;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/** Whether a measurement may be quoted. */
public enum Verdict {
  @JsonProperty("valid")
  VALID,
  @JsonProperty("invalid")
  INVALID;

  /** Valid where there is no doubt. */
  public static Verdict of(List<Doubt> doubts) {
    return doubts.isEmpty() ? VALID : INVALID;
  }
}
