package echoladder.client;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whether a measurement may be quoted. */
public enum Verdict {
  @JsonProperty("valid")
  VALID,
  @JsonProperty("invalid")
  INVALID
}
