package echoladder.harness.study;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What a knob did to one figure, where less is better: the ratio of the value that is asked about to the one that it is held
 * against.
 *
 * @param figure its name in tables
 * @param pairs how many
 * @param ratio the estimate
 * @param low end of its interval
 * @param high end of its interval
 * @param detectable the least ratio above 1 that so many pairs find in 80 of 100 runs; null = not known
 * @param stands whether the difference stands among all of its table
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record KnobEffect(
    String figure,
    int pairs,
    double ratio,
    double low,
    double high,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double detectable,
    boolean stands) {
  /** Whether its interval excludes 1. */
  public boolean shown() {
    return high < 1 || low > 1;
  }

  /** Whether the figure is less. */
  public boolean less() {
    return high < 1;
  }
}
