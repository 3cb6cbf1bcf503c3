package echoladder.client;

/**
 * What a load tool of others says of itself while it runs. Its own word, for comparison: nothing is judged by it alone.
 * Totals are since the start of the load.
 *
 * @param monotonicNs CLOCK_MONOTONIC when it was said
 * @param connectionsOpen connections that it takes for open
 * @param sentBytes written
 * @param receivedBytes read
 */
public record ToolSaid(long monotonicNs, long connectionsOpen, long sentBytes, long receivedBytes) {}
