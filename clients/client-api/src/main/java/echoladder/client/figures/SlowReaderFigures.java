package echoladder.client.figures;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What became of connections that read nothing, or little, from the beginning of the steady state on; everything is null of a load in which
 * all read.
 *
 * @param slowReaders such connections
 * @param slowReadersEnded of those, connections that the server ended
 * @param slowReadersOpen of those, connections that were open when the steady state ended
 * @param slowReadersOwedBytes messages that were due to them: published in the steady state, or to be sent from its beginning on while they
 *     were open, with what was late by then
 * @param slowReadersSentBytes what they sent from the beginning of the steady state on; null where the server pushes
 * @param slowReadersReadBytes what they read meanwhile
 * @param slowReadersClientBytes kernel memory of the queues at the client's end of those that were open when the steady state ended
 * @param ended end of such a connection − beginning of the steady state
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record SlowReaderFigures(
    @Nullable Long slowReaders,
    @Nullable Long slowReadersEnded,
    @Nullable Long slowReadersOpen,
    @Nullable Long slowReadersOwedBytes,
    @Nullable Long slowReadersSentBytes,
    @Nullable Long slowReadersReadBytes,
    @Nullable Long slowReadersClientBytes,
    @JsonUnwrapped(prefix = "slow_reader_ended_") Percentiles ended) {
  /** All read. */
  public static final SlowReaderFigures NONE = new SlowReaderFigures(null, null, null, null, null, null, null, Percentiles.NONE);
}
