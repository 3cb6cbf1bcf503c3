package echoladder.external;

import org.jspecify.annotations.Nullable;

/**
 * What was counted at one moment, beside the tool. Everything that could not be seen is null.
 *
 * @param monotonicNs when, CLOCK_MONOTONIC
 * @param kernel connections that the kernel holds established towards the targets
 * @param open the server's echo_connections_open
 * @param accepted the server's echo_connections_accepted_total
 * @param sentBytes the server's echo_sent_bytes_total
 * @param serverCpuNs CPU of the server so far, without its hiccup meter where the server tells it
 * @param serverRssBytes its resident memory
 * @param toolCpuNs CPU of the tool so far; null before it started and after its end
 * @param toolRssBytes its resident memory
 */
public record Sighting(
    long monotonicNs,
    @Nullable Integer kernel,
    @Nullable Long open,
    @Nullable Long accepted,
    @Nullable Long sentBytes,
    @Nullable Long serverCpuNs,
    @Nullable Long serverRssBytes,
    @Nullable Long toolCpuNs,
    @Nullable Long toolRssBytes) {

  /**
   * Connections held since {@code before}: the lower of what server and kernel say, as the kernel counts what the
   * server has not accepted and the server what the client has given up. Null where neither could be asked.
   */
  public @Nullable Integer held(Sighting before) {
    Integer byKernel = kernel == null || before.kernel == null ? null : (Integer) (kernel - before.kernel);
    Integer byServer = open == null || before.open == null ? null : (Integer) (int) (open - before.open);
    if (byKernel == null || byServer == null) {
      return byKernel == null ? byServer : byKernel;
    }
    return (Integer) Math.min(byKernel, byServer);
  }

  /** Connections accepted since {@code before}, or null. */
  public @Nullable Long acceptedSince(Sighting before) {
    return since(accepted, before.accepted);
  }

  /** The growth of a counter, or null where one end of it is missing. */
  static @Nullable Long since(@Nullable Long now, @Nullable Long then) {
    return now == null || then == null ? null : (Long) (now - then);
  }
}
