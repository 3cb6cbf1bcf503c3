package echoladder.harness.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import echoladder.harness.limits.KnownLimit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * How far one server got.
 *
 * @param server its label
 * @param highestValidConnections the highest rung with a valid measurement within the study's bounds; null = none
 * @param end why it did not go further
 * @param endedAtConnections the rung it ended at; null where every rung was climbed, or none was
 * @param reason one sentence
 * @param limit that ended it, or that was touched at the study's highest rung, where what was seen names one; null = none in
 *     particular
 * @param rates how far it got at each connection count, ascending; null where it has one rate
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ClimbRecord(
    String server,
    @Nullable Integer highestValidConnections,
    End end,
    @Nullable Integer endedAtConnections,
    String reason,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable KnownLimit limit,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<OfRates> rates) {

  /** How far a server with one rate got. */
  public ClimbRecord(
      String server, @Nullable Integer highestValidConnections, End end, @Nullable Integer endedAtConnections, String reason,
      @Nullable KnownLimit limit) {
    this(server, highestValidConnections, end, endedAtConnections, reason, limit, null);
  }

  /**
   * How far a server of several rates got at one connection count.
   *
   * @param highestValidPerS the highest rate below the end with a valid measurement; null = none
   * @param endedAtPerS the lowest rate that it did not hold; null where it held all
   * @param end why; null where it held all
   * @param reason one sentence; null where it held all
   * @param limit that ended it, where what was seen names one; null = none in particular
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record OfRates(
      int connections,
      @Nullable Double highestValidPerS,
      @Nullable Double endedAtPerS,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable End end,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String reason,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable KnownLimit limit) {
    /** At that many connections, of which nothing is known yet. */
    public static OfRates at(int connections) {
      return new OfRates(connections, null, null, null, null, null);
    }

    /** These rates with a higher valid one. */
    public OfRates valid(double perS) {
      return new OfRates(connections, perS, endedAtPerS, end, reason, limit);
    }

    /** These rates with the one that was not held, and why. */
    public OfRates ended(double perS, End why, String sentence, @Nullable KnownLimit met) {
      return new OfRates(connections, highestValidPerS, perS, why, sentence, met);
    }
  }

  /** The ways in which a climb ends. */
  public enum End {
    /** The highest rung of the study was climbed: the study ended, not the server. */
    @JsonProperty("top-of-study")
    TOP_OF_STUDY,
    /** The response time went beyond the study's bound. */
    @JsonProperty("response-time-bound")
    RESPONSE_TIME_BOUND,
    /** Connections or messages were not held. */
    @JsonProperty("not-held")
    NOT_HELD,
    /** The server process ended, or never got ready. */
    @JsonProperty("server-failed")
    SERVER_FAILED,
    /** The host's limits do not allow the next rung. */
    @JsonProperty("out-of-reach")
    OUT_OF_REACH,
    /** Its load tool is not on this host, so nothing was measured. */
    @JsonProperty("client-missing")
    CLIENT_MISSING,
    /** The run was stopped. */
    @JsonProperty("interrupted")
    INTERRUPTED,
    /** The run is still under way, or was killed. */
    @JsonProperty("unfinished")
    UNFINISHED
  }
}
