package echoladder.client.figures;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What a {@link StagedLoad} showed.
 *
 * @param loop {@code closed} or {@code open}; times of a closed loop are service and server times and no others
 * @param ceilingPerS mean of users x requests / cycle over the stages: no closed loop of these users can make more
 *     requests per second, and the open loop intends just as many
 * @param spans those of the stages that were begun, in order, then the whole
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record StagedFigures(String loop, double ceilingPerS, List<Span> spans) {
  public StagedFigures {
    spans = List.copyOf(spans);
  }

  /** The figures of all stages together; null where none was begun. */
  public @Nullable Span whole() {
    return spans.isEmpty() ? null : spans.getLast();
  }

  /**
   * One stage, or all of them.
   *
   * @param stage 1 for the first; null for all together
   * @param usersFrom at its beginning
   * @param usersTo at its end
   * @param seconds that it lasted; less than planned where the load was stopped
   * @param ceilingPerS mean of users x requests / cycle within it
   * @param requests those of one kind each, in the order of the load, then all together under the name {@code all}
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Span(
      @Nullable Integer stage,
      int usersFrom,
      int usersTo,
      double seconds,
      double ceilingPerS,
      List<RequestFigures> requests) {
    /** The name under which all requests stand together. */
    public static final String ALL = "all";

    public Span {
      requests = List.copyOf(requests);
    }

    /** The figures of all requests together. */
    public RequestFigures all() {
      return requests.getLast();
    }
  }

  /**
   * Requests of one kind. Each belongs to the stage of its intended send.
   *
   * @param request its name
   * @param intended in this stage; in a closed loop the users' own pace
   * @param answered of those, rightly: status 200, the body asked for, not before its time; late ones included
   * @param achievedPerS right answers that came within the stage's boundaries, of whatever stage, per second of it
   * @param errors of those intended: the sum of the following
   * @param late answered rightly, but after the bound
   * @param wrongStatus answered with another status than 200
   * @param wrongBody answered with another body, or before their time
   * @param failed on a connection that had ended, or not understood
   * @param unanswered at the end
   * @param responseTime last byte − intended send, unanswered ones at their age; null of everything in a closed loop,
   *     which has no intended sends of its own
   * @param serviceTime last byte − actual send
   * @param serverTime last byte's arrival by the kernel's stamp − actual send, and the wait before it for an earlier answer; null, and
   *     no field, where {@link Stamps} do not suffice and of results from before there were any
   * @param lowerBoundBeyond percentiles (0-100) above this are lower bounds, as that share was never answered; null
   *     where all were
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record RequestFigures(
      String request,
      long intended,
      long answered,
      double achievedPerS,
      long errors,
      long late,
      long wrongStatus,
      long wrongBody,
      long failed,
      long unanswered,
      Times responseTime,
      Times serviceTime,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Times serverTime,
      @Nullable Double lowerBoundBeyond) {}

  /**
   * Times in ns; a percentile with fewer than {@link Percentiles#SAMPLES_BEYOND} samples beyond it is null, mean and
   * maximum only where nothing was recorded.
   *
   * @param count recorded values
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Times(
      long count,
      @Nullable Long meanNs,
      @Nullable Long p50Ns,
      @Nullable Long p90Ns,
      @Nullable Long p95Ns,
      @Nullable Long p99Ns,
      @Nullable Long maxNs) {
    /** Nothing recorded. */
    public static final Times NONE = new Times(0, null, null, null, null, null, null);
  }
}
