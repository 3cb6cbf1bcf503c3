package echoladder.harness.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * That a run was taken up again.
 *
 * @param resumedAt ISO 8601, UTC
 * @param rungsKept so many had been measured, or judged out of reach, before
 * @param discarded what an interrupted rung had left and was removed, by the names of its files without their endings
 * @param measuredAgain rungs that had been measured and whose interval logs were no longer whole, each with why
 * @param differences what was not as at the run's beginning; none of it makes rungs incomparable, else it had been refused
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ResumedRecord(
    String resumedAt,
    int rungsKept,
    List<String> discarded,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> measuredAgain,
    List<Difference> differences) {
  public ResumedRecord {
    measuredAgain = List.copyOf(Objects.requireNonNullElse(measuredAgain, List.of()));
    discarded = List.copyOf(discarded);
    differences = List.copyOf(differences);
  }

  /**
   * One thing that differs.
   *
   * @param name dotted, as in environment.json
   * @param begun its value when the run began
   * @param now its value when it was resumed
   */
  public record Difference(String name, String begun, String now) {}
}
