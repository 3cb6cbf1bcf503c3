package echoladder.harness.claims;

import com.fasterxml.jackson.annotation.JsonInclude;
import echoladder.harness.common.Units;
import echoladder.harness.results.RunFolder;
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
 * @param foreignCpuShare of the host's CPU that others than the ladder and what it started had meanwhile, 0 to 1; null where that
 *     is not known, and of a climb, each rung of which has a verdict on that
 * @param figures the workload's line, or those of a climb; null where there are none
 * @param folder of a climb's run, below that of the ledger; null of a workload, whose figures are here alone
 * @param tookNs from before its process was started to after its end; null in a ledger from before this was told, and of what is stated
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
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String folder,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long tookNs) {
  static final String DONE = "done";

  /** In place of a step: what the source itself states. */
  static final String SOURCE = "source";

  /** How it ended: nothing was run. */
  static final String STATED = "stated";

  /** As for a rung of a climb, see study.schema.json: beyond this the others' work is what is timed. */
  static final double FOREIGN_CPU_SHARE_MOST = 0.2;

  public StepRun {
    command = List.copyOf(command);
  }

  /** What the source of an arithmetic claim states, as if it were a run; none of other claims. */
  static List<StepRun> stated(Claim claim) {
    return claim.figures().isEmpty()
        ? List.of()
        : List.of(new StepRun(SOURCE, 1, List.of("published"), STATED, "", null, RunFolder.tree(claim.figures()), null, null));
  }

  /** Whether a repeat would be the same: nothing was measured. */
  boolean isStated() {
    return endedBy.equals(STATED);
  }

  /** This run with the share of the host's CPU that others had. */
  StepRun with(@Nullable Double foreign) {
    return new StepRun(step, repeat, command, endedBy, detail, foreign, figures, folder, tookNs);
  }

  /** This run with other figures. */
  StepRun withFigures(@Nullable JsonNode others) {
    return new StepRun(step, repeat, command, endedBy, detail, foreignCpuShare, others, folder, tookNs);
  }

  /** This run with how long it took, in ns. */
  StepRun took(long ns) {
    return new StepRun(step, repeat, command, endedBy, detail, foreignCpuShare, figures, folder, ns);
  }

  /** Why a figure of it may not be compared, in a sentence; null where it may. */
  @Nullable String missing(Rule.StepFigure figure) {
    // What a climb measured stands whatever ended it further up; a workload that ended early measured something else.
    if (!endedBy.equals(DONE) && !isStated() && (folder == null || figure(figure.figure()) == null)) {
      return "%s ended by %s: %s".formatted(step, endedBy, detail);
    }
    if (foreignCpuShare != null && foreignCpuShare > FOREIGN_CPU_SHARE_MOST && figure.needsQuiet()) {
      return "others had %s of the host's CPU while %s ran: its times are theirs as much"
          .formatted(Units.percent(foreignCpuShare), step);
    }
    return figure(figure.figure()) == null ? figure + " was not measured" + because(figure) : null;
  }

  /** The reasons why a figure's rung may not be quoted, to follow a sentence; empty where there is none. */
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
