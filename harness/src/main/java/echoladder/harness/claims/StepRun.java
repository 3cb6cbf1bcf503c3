package echoladder.harness.claims;

import com.fasterxml.jackson.annotation.JsonInclude;
import echoladder.harness.common.Units;
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
 * @param endedBy of the workload's own line; {@code killed} or {@code failed} where it wrote none; of a climb how that ended
 * @param detail why, where it did not do all that was asked
 * @param foreignCpuShare of the host's CPU that others had meanwhile, 0 to 1; null where that is not known, and of a climb,
 *     each rung of which has a verdict on that
 * @param figures the workload's line, or those of a climb; null where there are none
 * @param folder of a climb's run, below that of the ledger; null of a workload, whose figures are here alone
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record StepRun(
    String step,
    int repeat,
    List<String> command,
    String endedBy,
    String detail,
    @Nullable Double foreignCpuShare,
    @Nullable JsonNode figures,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String folder) {
  static final String DONE = "done";

  /** As for a rung of a climb, see study.schema.json: beyond this the others' work is what is timed. */
  static final double FOREIGN_CPU_SHARE_MOST = 0.2;

  public StepRun {
    command = List.copyOf(command);
  }

  /** The same with what others had of the host. */
  StepRun with(@Nullable Double foreign) {
    return new StepRun(step, repeat, command, endedBy, detail, foreign, figures, folder);
  }

  /** Why a figure of it may not be compared, in a sentence; null where it may. */
  @Nullable String missing(Rule.StepFigure figure) {
    // What a climb measured stands whatever ended it further up; a workload that ended early measured something else.
    if (!endedBy.equals(DONE) && (folder == null || figure(figure.figure()) == null)) {
      return "%s ended by %s: %s".formatted(step, endedBy, detail);
    }
    if (foreignCpuShare != null && foreignCpuShare > FOREIGN_CPU_SHARE_MOST && figure.needsQuiet()) {
      return "others had %s of the host's CPU while %s ran: its times are theirs as much"
          .formatted(Units.percent(foreignCpuShare), step);
    }
    return figure(figure.figure()) == null ? figure + " was not measured" + because(figure) : null;
  }

  /** Of a rung that may not be quoted the reasons. */
  private String because(Rule.StepFigure figure) {
    String rung = figure.figure().substring(Rule.StepFigure.base(figure.figure()).length());
    String why = figures == null ? "" : figures.path(ClimbFigures.INVALID + rung).asString("");
    return why.isEmpty() ? "" : ", as its rung may not be quoted: " + why;
  }

  /** A figure; null where there is none of that name. */
  @Nullable Double figure(String name) {
    return figures != null && figures.path(name).isNumber() ? (Double) figures.path(name).asDouble() : null;
  }
}
