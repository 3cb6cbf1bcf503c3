package echoladder.client;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import echoladder.client.figures.Crowd;
import echoladder.client.figures.LateShares;
import echoladder.client.figures.Percentiles;
import echoladder.client.figures.Stamps;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The result of a load tool. In JSON all groups are spread out: the names are those of their components in snake_case, with
 * the prefix of the group, {@code response_time_p99_ns} and so on. They are a contract (docs/run.schema.json). A figure that
 * a load tool cannot give is null, or 0 where it is a count: the README of each folder under clients/ says which.
 *
 * @param client the tool's name
 * @param errors every failed system call or connection by its cause, e.g. {@code "connect ECONNREFUSED": 12}
 * @param hiccup by how much the client's timed waits overran
 * @param responseTimeLowerBoundBeyond percentiles (0-100) above this are lower bounds (">="), as that share was never
 *     answered; null where everything was
 * @param histogramOverflows recorded values beyond the histograms' 1 h, counted at 1 h
 * @param serviceTimeCoverageConnections connections that service times were taken from, where a load tool of others looks at
 *     some only; null where they cover all of them
 * @param responseTimeFloorNs response times around and below this are the load tool's own timers, not the server; null
 *     where the client has no such floor
 * @param verdict valid, saturated or invalid
 * @param verdictReasons why; empty where valid
 * @param crowd of a load whose connections act at once
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record LoadResult(
    String client,
    @JsonUnwrapped(prefix = "connections_") Connections connections,
    Map<String, Long> errors,
    @JsonUnwrapped Pace pace,
    @JsonUnwrapped Messages messages,
    @JsonUnwrapped(prefix = "hiccup_") Percentiles hiccup,
    @Nullable Double responseTimeLowerBoundBeyond,
    long histogramOverflows,
    @JsonUnwrapped Cost cost,
    @JsonUnwrapped ClientCondition condition,
    @Nullable Integer serviceTimeCoverageConnections,
    @Nullable Long responseTimeFloorNs,
    Verdict verdict,
    List<Reason> verdictReasons,
    @JsonUnwrapped Times times,
    @JsonUnwrapped Placement placement,
    @JsonUnwrapped Drift drift,
    @JsonUnwrapped Crowd crowd) {

  /**
   * Counts of the connections by what became of them.
   *
   * @param requested as planned
   * @param established had at least one verified echo
   * @param refused connects answered with RST (ECONNREFUSED)
   * @param timedOut connects without verified echo within the connect timeout
   * @param lost established connections that the peer ended (by FIN or its protocol) before the end, or that churn could not replace
   * @param reset established connections that ended with an error such as ECONNRESET
   * @param held established connections that answered one more echo after the hold, the roll call; null where none was made
   * @param dropped established connections that the client gave up, as what came on them was not the answer; null from load tools of
   *     others and in older results, whose {@code lost} has them
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Connections(
      int requested, int established, int refused, int timedOut, int lost, int reset, @Nullable Integer held, @Nullable Integer dropped) {
    /** Connections that ended before the load did, or were refused. */
    public int failed() {
      return lost + reset + refused + (dropped == null ? 0 : dropped);
    }
  }

  /**
   * Rates, and how long the phases took.
   *
   * @param offeredPerS the schedule's rate over the steady state, messages per second
   * @param achievedPerS {@link Messages#echoesInSteady} per second of the steady state: what was carried
   * @param rampSeconds from the first connect to the last verified or failed one
   * @param connectsPerS established connections per second of the ramp, each verified by an echo
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Pace(
      double offeredPerS, double achievedPerS, double steadySeconds, double warmUpSeconds, double rampSeconds, double connectsPerS) {
    /** Rates by what was counted; a phase that did not come to be has none. */
    public static Pace of(
        double offeredPerS, long echoesInSteady, double steadySeconds, double warmUpSeconds, double rampSeconds, int established) {
      return new Pace(
          offeredPerS, steadySeconds == 0 ? 0 : echoesInSteady / steadySeconds, steadySeconds, warmUpSeconds, rampSeconds,
          rampSeconds == 0 ? 0 : established / rampSeconds);
    }
  }

  /**
   * Counts of messages: of those intended in the steady state unless said otherwise.
   *
   * @param sent written to a socket completely
   * @param answered echoed completely and rightly
   * @param unanswered without complete echo at the end, on connections still open
   * @param failed on connections that were lost or never established
   * @param echoMismatches messages, of any phase, of which an echoed byte was wrong
   * @param lateSends sends that were later than the client's bound although their connection was free
   * @param echoesInSteady echoes of the load completed between the beginning and the end of the steady state, of whatever
   *     phase: the divisor of CPU per echo; the first echo of a connection that churn opened is none of them
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Messages(
      long scheduled, long sent, long answered, long unanswered, long failed, long echoMismatches, long lateSends, long echoesInSteady) {
    /** Nothing was intended. */
    public static final Messages NONE = new Messages(0, 0, 0, 0, 0, 0, 0, 0);
  }

  /**
   * Times by their kind. Of each message, server time, send lateness and receive delay add up to its response time: docs/METHOD.md.
   *
   * @param connect TCP connection made − intended connect
   * @param firstEcho first verified echo − intended connect
   * @param response last echoed byte − intended send; the unanswered are recorded at their age
   * @param lateShares what of the percentiles of the response time is the client's lateness: of results from before there were stamps alone
   * @param sendLateness actual send − the intended one, or − the arrival of the answer that it waited for where that is later
   * @param service last echoed byte − actual send
   * @param server arrival of the last echoed byte by the kernel's stamp − actual send, and the wait before it for the answer to an
   *     earlier message of the connection; the unanswered are recorded at their age; nothing where stamps do not suffice
   * @param receiveDelay the client's read of the last echoed byte − its arrival by the kernel's stamp
   * @param stamps how many answers had a stamp
   */
  public record Times(
      @JsonUnwrapped(prefix = "connect_time_") Percentiles connect,
      @JsonUnwrapped(prefix = "first_echo_time_") Percentiles firstEcho,
      @JsonUnwrapped(prefix = "response_time_") Percentiles response,
      @JsonUnwrapped(prefix = "response_time_") @Nullable LateShares lateShares,
      @JsonUnwrapped(prefix = "send_lateness_") Percentiles sendLateness,
      @JsonUnwrapped(prefix = "service_time_") Percentiles service,
      @JsonUnwrapped(prefix = "server_time_") Percentiles server,
      @JsonUnwrapped(prefix = "receive_delay_") Percentiles receiveDelay,
      @JsonUnwrapped Stamps stamps) {
    /** Nothing was recorded. */
    public static final Times NONE = of(Percentiles.NONE, Percentiles.NONE, Percentiles.NONE);

    /** Those of a load tool that measures no other. */
    public static Times of(Percentiles connect, Percentiles response, Percentiles service) {
      return unstamped(connect, Percentiles.NONE, response, LateShares.UNKNOWN, Percentiles.NONE, service);
    }

    /** Those of a load without stamps. */
    public static Times unstamped(
        Percentiles connect, Percentiles firstEcho, Percentiles response, @Nullable LateShares lateShares, Percentiles sendLateness,
        Percentiles service) {
      return new Times(
          connect, firstEcho, response, lateShares, sendLateness, service, Percentiles.NONE, Percentiles.NONE, Stamps.NONE);
    }
  }

  /**
   * What client and server took; null where that process is not ours to see.
   *
   * @param clientCpuUsPerEcho CPU of all client processes over the steady state, per echo; null where the client polled
   * @param serverCpuUsPerEcho the same of the server, without its hiccup meter where the server tells it
   * @param clientRssBytes at the end of the steady state, all client processes
   * @param serverRssBytes at the end of the steady state
   * @param clientCpuSeconds CPU of all client processes over the steady state, what they spent on polling included
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Cost(
      @Nullable Double clientCpuUsPerEcho,
      @Nullable Double serverCpuUsPerEcho,
      @Nullable Long clientRssBytes,
      @Nullable Long serverRssBytes,
      @Nullable Double clientCpuSeconds) {
    /** Nothing is known. */
    public static final Cost UNKNOWN = new Cost(null, null, null, null, null);

    private Cost withoutServer() {
      return new Cost(clientCpuUsPerEcho, null, clientRssBytes, null, clientCpuSeconds);
    }
  }

  /**
   * How the client was made up, and how it fared.
   *
   * @param clientGcPauseMaxNs longest pause of a collector in the client during the steady state
   * @param clientAllocatedBytesPerEcho Java heap that the client's event loops allocated per echo of the steady state
   * @param clientBytesPerConnection sum of the client's own arrays per connection
   * @param shards client processes used
   * @param loops event loops over all shards
   * @param sourceAddresses addresses connected from; empty = the kernel's choice
   * @param tcpNodelay whether TCP_NODELAY was read back as on, at the client's end
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record ClientCondition(
      @Nullable Long clientGcPauseMaxNs,
      @Nullable Double clientAllocatedBytesPerEcho,
      @Nullable Double clientBytesPerConnection,
      int shards,
      int loops,
      List<String> sourceAddresses,
      @Nullable Boolean tcpNodelay) {
    /** The condition of a client that tells only its processes, threads and addresses. */
    public static ClientCondition of(int shards, int loops, List<String> sourceAddresses) {
      return new ClientCondition(null, null, null, shards, loops, sourceAddresses, null);
    }
  }

  /**
   * The placement of the load: processors in the kernel's form, e.g. {@code 0-3,8}, as the kernel told at the end of the steady
   * state; null where that is not known, as in older results.
   *
   * @param clientCpus of the client's event loops
   * @param clientHelperCpus of its other threads: the same where no processor was left for them
   * @param serverCpus of the server
   * @param spinNs how long before a send was due the client began to poll its sockets; 0 = it slept
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Placement(
      @Nullable String clientCpus, @Nullable String clientHelperCpus, @Nullable String serverCpus, @Nullable Long spinNs) {
    /** Nothing is known. */
    public static final Placement UNKNOWN = new Placement(null, null, null, null);

    /** Whether the client polled, so that its CPU and that of the host say nothing of an echo. */
    public boolean spins() {
      return spinNs != null && spinNs > 0;
    }
  }

  /**
   * The last third of the steady state against the first, as a multiple of it; null where that is not known, or stands on
   * too little.
   *
   * @param serverCpuLastThirdMultipleOfFirst CPU of the server per echo
   * @param responseTimeP99LastThirdMultipleOfFirst p99 of response times
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Drift(
      @Nullable Double serverCpuLastThirdMultipleOfFirst, @Nullable Double responseTimeP99LastThirdMultipleOfFirst) {
    /** Nothing is known. */
    public static final Drift UNKNOWN = new Drift(null, null);

    /** That of CPU alone. */
    public Drift ofCpu() {
      return new Drift(serverCpuLastThirdMultipleOfFirst, null);
    }

    private Drift withoutServer() {
      return new Drift(null, responseTimeP99LastThirdMultipleOfFirst);
    }
  }

  /** The result of a load that never began, for that reason. */
  public static LoadResult nothing(String client, int connections, double offeredPerS, List<String> sourceAddresses, Reason why) {
    return new LoadResult(
        client, new Connections(connections, 0, 0, 0, 0, 0, null, null), Map.of(), Pace.of(offeredPerS, 0, 0, 0, 0, 0), Messages.NONE,
        Percentiles.NONE, null, 0, Cost.UNKNOWN, ClientCondition.of(0, 0, sourceAddresses), null, null, Verdict.INVALID,
        List.of(why), Times.NONE, Placement.UNKNOWN, Drift.UNKNOWN, Crowd.NONE);
  }

  /** Whether it is the result that this load cannot be carried here. */
  public boolean saturated() {
    return verdict == Verdict.SATURATED;
  }

  /** Whether nothing speaks against quoting this. */
  public boolean valid() {
    return verdict == Verdict.VALID;
  }

  /** This result with these reasons, and the verdict that follows from them. */
  public LoadResult judged(List<Reason> doubts) {
    return with(cost, drift, Verdict.of(doubts), List.copyOf(doubts));
  }

  /** This result without figures of the server, as they are of several processes. */
  public LoadResult withoutServer() {
    return with(cost.withoutServer(), drift.withoutServer(), verdict, verdictReasons);
  }

  private LoadResult with(Cost ofEnds, Drift overThirds, Verdict then, List<Reason> reasons) {
    return new LoadResult(
        client, connections, errors, pace, messages, hiccup, responseTimeLowerBoundBeyond, histogramOverflows, ofEnds, condition,
        serviceTimeCoverageConnections, responseTimeFloorNs, then, reasons, times, placement, overThirds, crowd);
  }
}
