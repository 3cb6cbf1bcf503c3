package echoladder.external;

import echoladder.client.CpuPerEcho;
import echoladder.client.Doubt;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Percentiles;
import echoladder.client.Verdict;
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
 * @param echoesInSteady echoes completed in the steady state
 * @param scheduled messages that the steady state intended
 * @param sent of those, written
 * @param answered of those, echoed
 * @param unanswered of those, judged to be without echo
 * @param echoMismatches where the tool looks at what comes back
 * @param responseTime from the intended send, where the tool has one
 * @param serviceTime from the actual send
 * @param connectTime of all connections
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
    long echoesInSteady,
    long scheduled,
    long sent,
    long answered,
    long unanswered,
    long echoMismatches,
    Percentiles responseTime,
    Percentiles serviceTime,
    Percentiles connectTime,
    @Nullable Double responseTimeLowerBoundBeyond,
    int workers,
    List<String> sourceAddresses,
    @Nullable Integer serviceTimeCoverageConnections,
    @Nullable Long responseTimeFloorNs) {

  /** The result of a load. */
  public LoadResult result(LoadPlan plan, Course course, List<Doubt> doubts) {
    Sighting start = course.start();
    Sighting end = course.end();
    double steady = course.steadySeconds();
    double ramp = course.rampSeconds();
    return new LoadResult(
        client,
        plan.connections(),
        course.established(),
        0,
        0,
        connectionsLost,
        0,
        errors,
        offeredPerS,
        steady == 0 ? 0 : echoesInSteady / steady,
        steady,
        course.warmUpSeconds(),
        ramp,
        ramp == 0 ? 0 : course.established() / ramp,
        scheduled,
        sent,
        answered,
        unanswered,
        0,
        echoMismatches,
        0,
        echoesInSteady,
        responseTime,
        serviceTime,
        connectTime,
        Percentiles.NONE,
        Percentiles.NONE,
        Percentiles.NONE,
        responseTimeLowerBoundBeyond,
        0,
        start == null || end == null ? null : CpuPerEcho.us(Sighting.since(end.toolCpuNs(), start.toolCpuNs()), echoesInSteady),
        start == null || end == null ? null : CpuPerEcho.us(Sighting.since(end.serverCpuNs(), start.serverCpuNs()), echoesInSteady),
        end == null ? null : end.toolRssBytes(),
        end == null ? null : end.serverRssBytes(),
        null,
        null,
        null,
        1,
        workers,
        sourceAddresses,
        null,
        serviceTimeCoverageConnections,
        responseTimeFloorNs,
        doubts.isEmpty() ? Verdict.VALID : Verdict.INVALID,
        List.copyOf(doubts));
  }
}
