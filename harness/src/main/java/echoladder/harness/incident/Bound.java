package echoladder.harness.incident;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A limit, and where it stops the process.
 *
 * @param limit its name, as the doctor has it
 * @param subject what it bounds, where a process may have several: addresses of ports or of a listener, a file of a control group
 * @param unit of {@code used} and {@code most}
 * @param used now; null = not known
 * @param most the limit; Long.MAX_VALUE = unlimited; null = not known, or none is in force
 * @param perConnection how much a connection takes; null = not known
 * @param stopsAt connections of the process at which it is used up; Long.MAX_VALUE = at no number; null = not known
 * @param state what follows
 * @param arithmetic how {@code stopsAt} comes about, and what else is to be known
 * @param lift the command that lifts it; it begins with # where no command does
 * @param page runbooks/symptoms/PAGE.md
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Bound(
    String limit,
    @Nullable String subject,
    String unit,
    @Nullable Long used,
    @Nullable Long most,
    @Nullable Double perConnection,
    @Nullable Long stopsAt,
    State state,
    String arithmetic,
    String lift,
    String page) {

  /** What follows. */
  public enum State {
    /** There is no room for another connection. */
    @JsonProperty("stops-now")
    STOPS_NOW("STOPS IT NOW"),
    /** At the number of connections that is said. */
    @JsonProperty("stops-later")
    STOPS_LATER("later"),
    /** At that number or at a greater one, as a connection takes less than the arithmetic has. */
    @JsonProperty("not-before")
    NOT_BEFORE("not before that"),
    /** Connections do not use it up. */
    @JsonProperty("no")
    NO("does not"),
    @JsonProperty("unknown")
    UNKNOWN("not known");

    final String words;

    State(String words) {
      this.words = words;
    }
  }

  /** Whether the number is one at which the process stops, and not only one before which it does not. */
  boolean firm() {
    return state == State.STOPS_NOW || state == State.STOPS_LATER;
  }

  /** This limit as that of a subject, in a unit. */
  Bound of(String what, String in) {
    return new Bound(limit, what, in, used, most, perConnection, stopsAt, state, arithmetic, lift, page);
  }

  long at() {
    return stopsAt == null ? Amounts.ANY : stopsAt;
  }
}
