package echoladder.external;

import echoladder.client.CpuPerEcho;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult.ClientCondition;
import echoladder.client.LoadResult.Cost;
import echoladder.client.LoadResult.Messages;
import echoladder.client.LoadResult.Pace;
import echoladder.client.LoadResult.Times;
import echoladder.client.LoadResult;
import echoladder.client.Reason;
import echoladder.client.Verdict;
import echoladder.client.figures.Crowd;
import echoladder.client.figures.Percentiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a driver makes of a load; with the counts and times of its {@link Course} it is the result.
 *
 * @param client the tool's name
 * @param connectionsLost by our own count
 * @param errors by their cause
 * @param offeredPerS messages per second that it was told to send
 * @param responseTimeLowerBoundBeyond as in {@link LoadResult}
 * @param workers its threads
 * @param sourceAddresses it was given
 * @param serviceTimeCoverageConnections as in {@link LoadResult}
 * @param responseTimeFloorNs as in {@link LoadResult}
 */
public record ToolFigures(
    String client,
    int connectionsLost,
    Map<String, Long> errors,
    double offeredPerS,
    Messages messages,
    @Nullable Double responseTimeLowerBoundBeyond,
    Times times,
    int workers,
    List<String> sourceAddresses,
    @Nullable Integer serviceTimeCoverageConnections,
    @Nullable Long responseTimeFloorNs) {

  /** The result of a load. */
  public LoadResult result(LoadPlan plan, Course course, List<Reason> doubts) {
    Sighting start = course.start();
    Sighting end = course.end();
    long echoes = messages.echoesInSteady();
    Long serverCpuNs = start == null || end == null ? null : Sighting.since(end.serverCpuNs(), start.serverCpuNs());
    List<Reason> all = new ArrayList<>(doubts);
    CpuPerEcho.doubt(serverCpuNs, echoes, plan.serverPid()).ifPresent(all::add);
    return new LoadResult(
        client,
        new LoadResult.Connections(plan.connections(), course.established(), 0, 0, connectionsLost, 0, null, null),
        errors,
        Pace.of(offeredPerS, echoes, course.steadySeconds(), course.warmUpSeconds(), course.rampSeconds(), course.established()),
        messages,
        Percentiles.NONE,
        responseTimeLowerBoundBeyond,
        0,
        new Cost(
            start == null || end == null ? null : CpuPerEcho.us(Sighting.since(end.toolCpuNs(), start.toolCpuNs()), echoes),
            CpuPerEcho.ofServer(serverCpuNs, echoes),
            end == null ? null : end.toolRssBytes(),
            end == null ? null : end.serverRssBytes(),
            null),
        ClientCondition.of(1, workers, sourceAddresses),
        serviceTimeCoverageConnections,
        responseTimeFloorNs,
        Verdict.of(all),
        List.copyOf(all),
        times,
        LoadResult.Placement.UNKNOWN,
        LoadResult.Drift.UNKNOWN,
        Crowd.NONE);
  }
}
