package echoladder.harness.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import echoladder.harness.study.Profile;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * An extra repeat in which a profiler watched a server. It stands apart from the rungs of its run: it is paired with nothing, pooled
 * with nothing, and none of its figures is quoted.
 *
 * @param kind what the profiler looked at
 * @param rung as it was measured meanwhile; its repeat is beyond the study's
 * @param watched what the profiler saw; null = nothing
 * @param problem why it saw nothing; null where it did, and where the rung was not climbed
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ProfileRecord(
    Profile.Kind kind,
    RungRecord rung,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Watched watched,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String problem) {
  /** One that was not climbed, for the reason in its rung. */
  public static ProfileRecord none(Profile.Kind kind, RungRecord rung) {
    return new ProfileRecord(kind, rung, null, null);
  }

  /** Its count of that name; empty where the profiler saw none. */
  public Optional<Count> count(String name) {
    return watched == null ? Optional.empty() : watched.counts().stream().filter(count -> count.name().equals(name)).findFirst();
  }

  /**
   * What a profiler saw within its window, which lies in the steady state.
   *
   * @param seconds that it watched
   * @param echoes of that time, by the rate that was achieved over the steady state
   * @param counts the most first; none of stacks
   * @param stacks file of the stacks in the run's folder, one a line with how often it was seen; null = there is none
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Watched(
      double seconds,
      double echoes,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Count> counts,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String stacks) {
    public Watched {
      counts = List.copyOf(Objects.requireNonNullElse(counts, List.of()));
    }
  }

  /**
   * How often something happened.
   *
   * @param name of a system call or an event
   * @param perEcho over the window's echoes
   * @param failedPerEcho of it, what the kernel answered by an error; null = that is not counted
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Count(String name, double perEcho, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double failedPerEcho) {}
}
