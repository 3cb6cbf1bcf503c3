package echoladder.harness.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * How a rung came to be measured.
 *
 * @param number which try it is, from 1
 * @param harnessCpus processors that the ladder itself ran on meanwhile, e.g. {@code 0-1}; null = not known
 * @param waited how it was waited for a quiet host before; null = it was not
 * @param excluded the other tries, in the order in which they were made, each with its own figures: the host disturbed them, or they
 *     were not valid after a valid one; they count for nothing
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Attempt(
    int number,
    @Nullable String harnessCpus,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Waited waited,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<RungRecord> excluded) {
  /** A rung is measured as often, at most. */
  public static final int MOST = 4;

  public Attempt {
    excluded = List.copyOf(Objects.requireNonNullElse(excluded, List.of()));
  }

  /** With a later try among those excluded. */
  Attempt with(RungRecord later) {
    return new Attempt(number, harnessCpus, waited, Stream.concat(excluded.stream(), Stream.of(later)).toList());
  }

  Attempt withoutExcluded() {
    return new Attempt(number, harnessCpus, waited, List.of());
  }

  /**
   * What was waited for before a rung, by the last look at the host.
   *
   * @param seconds waited; 0 = the first look was quiet, or nothing was left of the time allowed
   * @param quiet whether the last look found the host quiet
   * @param stealShare of the host's CPU that the hypervisor took while it was looked at, 0 to 1; null = not known
   * @param gapShare of the time that went in gaps longer than 1 ms, on the processor that had most of them, 0 to 1
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Waited(double seconds, boolean quiet, @Nullable Double stealShare, double gapShare) {}
}
