package echoladder.openloop;

import com.fasterxml.jackson.annotation.JsonInclude;
import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Progress;
import echoladder.client.StagedFigures;
import org.jspecify.annotations.Nullable;

/**
 * One JSON line on stdout of a client process that was started with {@code --plan -}. Exactly one component is set
 * besides the time.
 *
 * @param monotonicNs when it was written
 * @param phase a phase began
 * @param progress where the load stands
 * @param staged what a staged load showed
 * @param result the end
 * @param error the load could not be done; the process exits with 3
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record LoadEventLine(
    long monotonicNs,
    @Nullable Phase phase,
    @Nullable Progress progress,
    @Nullable StagedFigures staged,
    @Nullable LoadResult result,
    @Nullable String error) {}
