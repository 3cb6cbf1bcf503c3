package echoladder.openloop.command;

import com.fasterxml.jackson.annotation.JsonInclude;
import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Progress;
import echoladder.client.figures.StagedFigures;
import org.jspecify.annotations.Nullable;

/**
 * One JSON line on stdout of a client process that reads its plan from stdin. At most one component is set
 * besides the time; none says that the process does not stand still.
 *
 * @param monotonicNs when it was written
 * @param phase a phase began
 * @param progress where the load stands
 * @param staged what a staged load showed
 * @param result the end
 * @param error the load could not be done; the process exits with 3
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LoadEventLine(
    long monotonicNs,
    @Nullable Phase phase,
    @Nullable Progress progress,
    @Nullable StagedFigures staged,
    @Nullable LoadResult result,
    @Nullable String error) {}
