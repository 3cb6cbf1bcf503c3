package echoladder.client;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What a load tool answers. In JSON the names are those of the components in snake_case, percentiles spread out as
 * {@code response_time_p99_ns} and so on; they are a contract (docs/run.schema.json). Counts of messages are those
 * intended in the steady state unless said otherwise. A figure that a load tool cannot give is null, or 0 where it is
 * a count: the README of each folder under clients/ says which.
 *
 * @param client the tool's name
 * @param connectionsRequested as planned
 * @param connectionsEstablished connections that have had at least one verified echo
 * @param connectionsRefused connects answered with RST (ECONNREFUSED)
 * @param connectionsTimedOut connects without verified echo within the connect timeout
 * @param connectionsLost established connections that the peer closed (FIN) before the end
 * @param connectionsReset established connections that ended with an error such as ECONNRESET
 * @param errors every failed system call or connection by its cause, e.g. {@code "connect ECONNREFUSED": 12}
 * @param offeredPerS the schedule's rate over the steady state, messages per second
 * @param achievedPerS echoes completed within the steady state, of whatever phase, per second of it: what was carried
 * @param steadySeconds length of the steady state
 * @param warmUpSeconds length of the warm-up
 * @param rampSeconds from the first connect to the last verified or failed one
 * @param connectsPerS established connections per second of the ramp, each verified by an echo
 * @param scheduled messages intended in the steady state
 * @param sent of those, written to a socket completely
 * @param answered of those, echoed completely and rightly
 * @param unanswered of those scheduled, without complete echo at the end, on connections still open
 * @param failed of those scheduled, on connections that were lost or never established
 * @param echoMismatches messages, of any phase, of which an echoed byte was wrong
 * @param lateSends sends that were later than the client's bound although their connection was free
 * @param echoesInSteady echoes completed between the beginning and the end of the steady state, of whatever phase:
 *     the divisor of CPU per echo
 * @param responseTime last echoed byte − intended send; the unanswered are recorded at their age
 * @param serviceTime last echoed byte − actual send
 * @param connectTime TCP connection made − intended connect
 * @param firstEchoTime first verified echo − intended connect
 * @param sendLateness actual − intended send, for sends whose connection was free
 * @param hiccup by how much the client's timed waits overran
 * @param responseTimeLowerBoundBeyond percentiles (0-100) above this are lower bounds (">="), as that share was never
 *     answered; null where everything was
 * @param histogramOverflows recorded values beyond the histograms' 1 h, counted at 1 h
 * @param clientCpuUsPerEcho CPU of all client processes over the steady state, per echo
 * @param serverCpuUsPerEcho the same of the server, without its hiccup meter where the server tells it; null where it is not
 *     ours to see
 * @param clientRssBytes at the end of the steady state, all client processes
 * @param serverRssBytes at the end of the steady state
 * @param clientGcPauseMaxNs longest pause of a collector in the client during the steady state
 * @param clientAllocatedBytesPerEcho Java heap that the client's event loops allocated per echo of the steady state
 * @param clientBytesPerConnection sum of the client's own arrays per connection
 * @param shards client processes used
 * @param loops event loops over all shards
 * @param sourceAddresses addresses connected from; empty = the kernel's choice
 * @param tcpNodelay whether TCP_NODELAY was read back as on, at the client's end
 * @param serviceTimeCoverageConnections connections that {@code serviceTime} was taken from, where a load tool of others
 *     looks at some only; null where it covers all of them
 * @param responseTimeFloorNs response times around and below this are the load tool's own timers, not the server; null
 *     where the client has no such floor
 * @param verdict valid or invalid
 * @param verdictReasons why; empty where valid
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record LoadResult(
    String client,
    int connectionsRequested,
    int connectionsEstablished,
    int connectionsRefused,
    int connectionsTimedOut,
    int connectionsLost,
    int connectionsReset,
    Map<String, Long> errors,
    double offeredPerS,
    double achievedPerS,
    double steadySeconds,
    double warmUpSeconds,
    double rampSeconds,
    double connectsPerS,
    long scheduled,
    long sent,
    long answered,
    long unanswered,
    long failed,
    long echoMismatches,
    long lateSends,
    long echoesInSteady,
    @JsonUnwrapped(prefix = "response_time_") Percentiles responseTime,
    @JsonUnwrapped(prefix = "service_time_") Percentiles serviceTime,
    @JsonUnwrapped(prefix = "connect_time_") Percentiles connectTime,
    @JsonUnwrapped(prefix = "first_echo_time_") Percentiles firstEchoTime,
    @JsonUnwrapped(prefix = "send_lateness_") Percentiles sendLateness,
    @JsonUnwrapped(prefix = "hiccup_") Percentiles hiccup,
    @Nullable Double responseTimeLowerBoundBeyond,
    long histogramOverflows,
    @Nullable Double clientCpuUsPerEcho,
    @Nullable Double serverCpuUsPerEcho,
    @Nullable Long clientRssBytes,
    @Nullable Long serverRssBytes,
    @Nullable Long clientGcPauseMaxNs,
    @Nullable Double clientAllocatedBytesPerEcho,
    @Nullable Double clientBytesPerConnection,
    int shards,
    int loops,
    List<String> sourceAddresses,
    @Nullable Boolean tcpNodelay,
    @Nullable Integer serviceTimeCoverageConnections,
    @Nullable Long responseTimeFloorNs,
    Verdict verdict,
    List<Doubt> verdictReasons) {

  /** Whether nothing speaks against quoting this. */
  public boolean valid() {
    return verdict == Verdict.VALID;
  }

  /** The same without the server's figures, where those that were read are of more than one process. */
  public LoadResult withoutServerFigures() {
    return with(null, null, verdict, verdictReasons);
  }

  /** The same, invalid for these doubts; valid where there are none. */
  public LoadResult judged(List<Doubt> doubts) {
    Verdict judged = doubts.isEmpty() ? Verdict.VALID : Verdict.INVALID;
    return with(serverCpuUsPerEcho, serverRssBytes, judged, List.copyOf(doubts));
  }

  private LoadResult with(
      @Nullable Double serverCpu, @Nullable Long serverRss, Verdict ofAll, List<Doubt> reasons) {
    return new LoadResult(
        client, connectionsRequested, connectionsEstablished, connectionsRefused, connectionsTimedOut, connectionsLost,
        connectionsReset, errors, offeredPerS, achievedPerS, steadySeconds, warmUpSeconds, rampSeconds, connectsPerS,
        scheduled, sent, answered, unanswered, failed, echoMismatches, lateSends, echoesInSteady, responseTime,
        serviceTime, connectTime, firstEchoTime, sendLateness, hiccup, responseTimeLowerBoundBeyond,
        histogramOverflows, clientCpuUsPerEcho, serverCpu, clientRssBytes, serverRss, clientGcPauseMaxNs,
        clientAllocatedBytesPerEcho, clientBytesPerConnection, shards, loops, sourceAddresses, tcpNodelay,
        serviceTimeCoverageConnections, responseTimeFloorNs, ofAll, reasons);
  }
}
