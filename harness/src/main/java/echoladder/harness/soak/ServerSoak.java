package echoladder.harness.soak;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The soak of one server, or of the ladder itself.
 *
 * @param startedAt ISO 8601, UTC
 * @param rungs that the ladder climbed; null = it is of a server
 * @param visits what was done beside the load
 * @param wrong what went wrong, in sentences: of server, load, visits or samples; none = nothing did
 * @param drifts of each figure that this server and this host tell
 * @param samples in their order
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ServerSoak(
    String server,
    String startedAt,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer rungs,
    Visits visits,
    List<String> wrong,
    List<Drift> drifts,
    List<SoakSample> samples) {
  public ServerSoak {
    wrong = List.copyOf(wrong);
    drifts = List.copyOf(drifts);
    samples = List.copyOf(samples);
  }

  /** Whether nothing went wrong and nothing grew beyond its bound. */
  public boolean held() {
    return wrong.isEmpty() && drifts.stream().allMatch(Drift::held);
  }

  /**
   * Visits beside the load, by what the visitor did.
   *
   * @param slowReaders sent, and read the echo in small pieces
   * @param resets sent, and reset the connection
   * @param halfCloses ended their side, and took the rest of the echo; null = nobody did, as server.yaml says that bytes before a FIN may
   *     be lost
   * @param scrapes read the metrics page
   * @param failed of all of them, those that did not get what they must
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Visits(
      long slowReaders, long resets, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long halfCloses, long scrapes, long failed) {
    static final Visits NONE = new Visits(0, 0, 0L, 0, 0);

    /** How many were paid. */
    long paid() {
      return slowReaders + resets + (halfCloses == null ? 0 : halfCloses) + scrapes;
    }
  }
}
