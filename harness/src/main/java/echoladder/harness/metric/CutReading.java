package echoladder.harness.metric;

import org.jspecify.annotations.Nullable;

/**
 * What was seen of a link that was cut with connections on it.
 *
 * @param connections that were on it, each with a verified echo
 * @param noticed of these, connections that the server had closed when the link was made whole again
 * @param firstSeconds from the cut until the server had closed one of them; null = it closed none
 * @param lastSeconds from the cut until it had closed all of them; null = some were left
 * @param rssBytes of the server, right after the cut; null = not known
 * @param kernelBytes of both ends, right after the cut, more than before the connections came: socket objects and queues; null = not known
 */
public record CutReading(
    int connections,
    int noticed,
    @Nullable Double firstSeconds,
    @Nullable Double lastSeconds,
    @Nullable Long rssBytes,
    @Nullable Long kernelBytes) {}
