package echoladder.harness.soak;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What a server held at one moment of its soak; null = this server or this host does not tell.
 *
 * @param seconds since the first sample
 * @param descriptors open ones of the process
 * @param threads as the kernel counts them
 * @param rssBytes resident memory
 * @param liveHeapBytes heap in use right after a collection
 * @param directBytes buffers outside of the heap that the JVM counts
 * @param socketSlabBytes kernel objects of sockets, of the whole host
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record SoakSample(
    double seconds,
    @Nullable Long descriptors,
    @Nullable Long threads,
    @Nullable Long rssBytes,
    @Nullable Long liveHeapBytes,
    @Nullable Long directBytes,
    @Nullable Long socketSlabBytes) {}
