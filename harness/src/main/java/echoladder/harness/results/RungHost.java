package echoladder.harness.results;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What one host of a rung showed by itself. The rung's own figures are those of all client hosts together, with merged
 * histograms; its host figures are those of the server's host. Null = not of that kind of host, or not to be had.
 *
 * @param name in the inventory
 * @param group {@code servers} or {@code clients}
 * @param connectionsRequested of its part
 * @param connectionsEstablished with a verified echo
 * @param achievedPerS echoes per second of the steady state
 * @param responseTimeP50Ns of its own histogram, and so the two that follow
 * @param clientCpuUsPerEcho of its client processes
 * @param clientRssBytes of the same
 * @param hostIdleShare part of its CPU over the steady state that nobody used, 0 to 1
 * @param hostStealShare part that a hypervisor took, 0 to 1
 * @param clockAheadNs its CLOCK_MONOTONIC less that of the process that ran the study, before the rung
 * @param clockUncertaintyNs half of the shortest of 20 round trips; the larger of before and after the rung
 * @param clockDriftNs by how much it gained during the rung
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record RungHost(
    String name,
    String group,
    @Nullable Integer connectionsRequested,
    @Nullable Integer connectionsEstablished,
    @Nullable Double achievedPerS,
    @Nullable Long responseTimeP50Ns,
    @Nullable Long responseTimeP99Ns,
    @Nullable Long sendLatenessP99Ns,
    @Nullable Double clientCpuUsPerEcho,
    @Nullable Long clientRssBytes,
    @Nullable Double hostIdleShare,
    @Nullable Double hostStealShare,
    @Nullable Long clockAheadNs,
    @Nullable Long clockUncertaintyNs,
    @Nullable Long clockDriftNs) {
  /** Whether it held connections of the load. */
  public boolean client() {
    return connectionsRequested != null;
  }
}
