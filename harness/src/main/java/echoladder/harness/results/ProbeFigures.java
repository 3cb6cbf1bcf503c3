package echoladder.harness.results;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What the harness measured beside the client. Null = could not be had. "Per connection" divides by the connections
 * that were established.
 *
 * @param serverRssAtReadyBytes before the first connection
 * @param serverRssBytesPerConnection growth from ready to the end of the steady state, per connection: free heap that
 *     the runtime keeps is in it
 * @param serverLiveHeapBytes after a collection that was forced once the steady state was over and all connections
 *     were still held
 * @param serverLiveHeapBytesPerConnection all of the live heap over the connections: the runtime's own share is in it
 * @param serverStackBytes stacks outside of the heap (Go)
 * @param kernelSocketBytesPerConnection growth of the kernel's socket objects from ready to the end of the steady state
 *     with both ends of each connection, as server and client share the host; null below 1,000 connections, as the
 *     files and sockets of other processes are in it
 * @param tcpBuffersBytes memory in TCP queues of the whole host at the end of the steady state
 * @param serverThreads at the end of the steady state
 * @param serverVoluntarySwitchesPerS over the steady state; null above 1,000 threads
 * @param serverInvoluntarySwitchesPerS the same
 * @param hostContextSwitchesPerS of the whole host over the steady state
 * @param serverGcCount collections within the steady state
 * @param serverGcPauseTotalNs their pauses together
 * @param serverHiccupP99Ns of the steady state, by the server's own meter: what a thread there that wanted to run waited at
 *     most for 99 % of the time; null where its page has none
 * @param serverHiccupMaxNs the longest of them
 * @param serverHiccupMeterCpuUsPerEcho CPU of that meter, which is left out of the server's; null where it cannot tell,
 *     and then it is in it
 * @param hostCpuUsPerEcho all CPU of the host that was not idle, per echo
 * @param unattributedCpuUsPerEcho of it, neither the server's nor the client's: interrupts, the harness, others
 * @param hostIdleShare of the host's CPU time over the steady state, 0 to 1
 * @param hostStealShare of it taken by the hypervisor
 * @param foreignCpuShare of it spent by neither server nor client
 * @param serverCpuUsAboveFloorPerEcho server's CPU per echo minus that of the floor at the same rung of the same run
 * @param serverCpuMultipleOfFloor the same as a multiple
 * @param serverEchoConnectionsOpen what the server itself said at the end of the steady state
 * @param serverAcceptErrors accepts that it said had failed
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ProbeFigures(
    @Nullable Long serverRssAtReadyBytes,
    @Nullable Double serverRssBytesPerConnection,
    @Nullable Long serverLiveHeapBytes,
    @Nullable Double serverLiveHeapBytesPerConnection,
    @Nullable Long serverStackBytes,
    @Nullable Double kernelSocketBytesPerConnection,
    @Nullable Long tcpBuffersBytes,
    @Nullable Long serverThreads,
    @Nullable Double serverVoluntarySwitchesPerS,
    @Nullable Double serverInvoluntarySwitchesPerS,
    @Nullable Double hostContextSwitchesPerS,
    @Nullable Long serverGcCount,
    @Nullable Long serverGcPauseTotalNs,
    @Nullable Long serverHiccupP99Ns,
    @Nullable Long serverHiccupMaxNs,
    @Nullable Double serverHiccupMeterCpuUsPerEcho,
    @Nullable Double hostCpuUsPerEcho,
    @Nullable Double unattributedCpuUsPerEcho,
    @Nullable Double hostIdleShare,
    @Nullable Double hostStealShare,
    @Nullable Double foreignCpuShare,
    @Nullable Double serverCpuUsAboveFloorPerEcho,
    @Nullable Double serverCpuMultipleOfFloor,
    @Nullable Long serverEchoConnectionsOpen,
    @Nullable Long serverAcceptErrors) {

  /** Nothing could be had. */
  public static final ProbeFigures NONE =
      new ProbeFigures(
          null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
          null, null, null, null, null, null, null);

  /** The same with the comparison with the floor. */
  public ProbeFigures withFloor(@Nullable Double aboveUs, @Nullable Double multiple) {
    return new ProbeFigures(
        serverRssAtReadyBytes, serverRssBytesPerConnection, serverLiveHeapBytes,
        serverLiveHeapBytesPerConnection, serverStackBytes, kernelSocketBytesPerConnection, tcpBuffersBytes,
        serverThreads, serverVoluntarySwitchesPerS, serverInvoluntarySwitchesPerS, hostContextSwitchesPerS,
        serverGcCount, serverGcPauseTotalNs, serverHiccupP99Ns, serverHiccupMaxNs, serverHiccupMeterCpuUsPerEcho,
        hostCpuUsPerEcho, unattributedCpuUsPerEcho, hostIdleShare, hostStealShare, foreignCpuShare, aboveUs,
        multiple, serverEchoConnectionsOpen, serverAcceptErrors);
  }
}
