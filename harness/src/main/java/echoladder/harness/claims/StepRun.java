package echoladder.harness.claims;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * One run of a step.
 *
 * @param step its name
 * @param repeat from 1
 * @param command as it was started
 * @param endedBy of the workload's own line; {@code killed} or {@code failed} where it wrote none
 * @param detail why, where it did not do all that was asked
 * @param foreignCpuShare of the host's CPU that others had meanwhile, 0 to 1; null where that is not known
 * @param figures the workload's line; null where it wrote none
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record StepRun(
    String step,
    int repeat,
    List<String> command,
    String endedBy,
    String detail,
    @Nullable Double foreignCpuShare,
    @Nullable JsonNode figures) {
  static final String DONE = "done";

  /** As for a rung of a climb, see study.schema.json: beyond this the others' work is what is timed. */
  static final double FOREIGN_CPU_SHARE_MOST = 0.2;

  public StepRun {
    command = List.copyOf(command);
  }

  /** The same with what others had of the host. */
  StepRun with(@Nullable Double foreign) {
    return new StepRun(step, repeat, command, endedBy, detail, foreign, figures);
  }

  /** Whether all that was asked for was done. */
  boolean done() {
    return endedBy.equals(DONE);
  }

  /** Whether what this run says of times, rates and shares of CPU is spoilt by others on the host. */
  boolean noisy() {
    return foreignCpuShare != null && foreignCpuShare > FOREIGN_CPU_SHARE_MOST;
  }

  /** A figure; null where there is none of that name. */
  @Nullable Double figure(String name) {
    return figures != null && figures.path(name).isNumber() ? (Double) figures.path(name).asDouble() : null;
  }
}
