package echoladder.harness.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import echoladder.client.Reason;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The search for the highest rate that one server holds at one connection count: the answer lies between the two rates.
 *
 * @param server its label
 * @param capacityHeldPerS the highest rate that was held, messages per second over all connections; null = none was
 * @param capacityNotHeldPerS the lowest rate above it that was shown not to be held; null = none was
 * @param undecidedPerS the rate between the two that could not be decided; null = there is none
 * @param confirmed whether a try of three times the length held the rate too
 * @param end why the search ended
 * @param gaveWay what gave way at the lowest rate that was not held, or was in the way at the one that is undecided
 * @param atLeast why the rate that was held is a lower bound, in which case nothing is ranked by it; null = it is none
 * @param tries all of them, the first first
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record CapacityRecord(
    String server,
    int connections,
    @Nullable Double capacityHeldPerS,
    @Nullable Double capacityNotHeldPerS,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double undecidedPerS,
    boolean confirmed,
    End end,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Reason> gaveWay,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String atLeast,
    List<Try> tries) {
  public CapacityRecord {
    gaveWay = List.copyOf(Objects.requireNonNullElse(gaveWay, List.of()));
    tries = List.copyOf(tries);
  }

  /** Why a search ended. */
  public enum End {
    /** The interval is as narrow as the study asks, and its lower end is confirmed. */
    @JsonProperty("found")
    FOUND,
    /** The study's most rate was held: the study ended, not the server. */
    @JsonProperty("most-rate")
    MOST_RATE,
    /** Not even the first rate was held. */
    @JsonProperty("first-rate")
    FIRST_RATE,
    /** A rate could not be decided, and none above it was tried. */
    @JsonProperty("undecided")
    UNDECIDED,
    /** The study allows no more tries. */
    @JsonProperty("most-tries")
    MOST_TRIES,
    /** The run was stopped, is under way, or was killed. */
    @JsonProperty("unfinished")
    UNFINISHED
  }

  /** What one try at a rate showed. */
  public enum Outcome {
    /** Response p99 within the bound, nothing lost, the rate achieved. */
    @JsonProperty("held")
    HELD,
    /** Connections or messages were lost, or the rate was not achieved, by the server's or the full host's doing. */
    @JsonProperty("lost")
    LOST,
    /** Nothing was lost, and the p99 was beyond the bound, also that of the messages sent on time. */
    @JsonProperty("too-slow")
    TOO_SLOW,
    /** The client or the host's other work was in the way: it says nothing of the server. */
    @JsonProperty("undecided")
    UNDECIDED
  }

  /**
   * One try, whose figures are those of the rung of this server, connection count, rate and repeat.
   *
   * @param repeat which try at that rate, from 1
   * @param length how many times the study's steady state it lasted
   * @param why what gave way or was in the way; none where the rate was held
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Try(
      double ratePerS, int repeat, int length, Outcome outcome, @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Reason> why) {
    public Try {
      why = List.copyOf(Objects.requireNonNullElse(why, List.of()));
    }

    /** Whether that is its rung, of those of this server and connection count. */
    public boolean isOf(RungRecord rung) {
      return rung.ratePerS() == ratePerS && rung.repeat() == repeat;
    }
  }

  /** Whether the search gave a result: an interval, or a lower bound with what is in the way of more. */
  public boolean told() {
    return switch (end) {
      case FOUND, MOST_RATE, FIRST_RATE -> true;
      case UNDECIDED -> capacityHeldPerS != null && atLeast != null;
      case MOST_TRIES, UNFINISHED -> false;
    };
  }

  /** The rung of one of its tries, among those of its run; empty where the run does not have it. */
  public Optional<RungRecord> rung(Try one, List<RungRecord> rungs) {
    return rungs.stream()
        .filter(rung -> rung.server().equals(server) && rung.connections() == connections)
        .filter(one::isOf)
        .findFirst();
  }

  /** The last try that held the rate of the answer; empty where none was held. */
  public Optional<Try> held() {
    return tries.stream()
        .filter(one -> one.outcome() == Outcome.HELD && Objects.equals(one.ratePerS(), capacityHeldPerS))
        .reduce((_, last) -> last);
  }
}
