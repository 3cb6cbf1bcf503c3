package echoladder.openloop.run;

import static echoladder.openloop.result.Quantiles.percentiles;
import static echoladder.openloop.result.Quantiles.shareBelow;

import echoladder.client.CpuPerEcho;
import echoladder.client.LoadJudge;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult.ClientCondition;
import echoladder.client.LoadResult.Cost;
import echoladder.client.LoadResult.Messages;
import echoladder.client.LoadResult.Pace;
import echoladder.client.LoadResult.Placement;
import echoladder.client.LoadResult.Times;
import echoladder.client.LoadResult;
import echoladder.client.PhaseBoundary;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.client.Storm;
import echoladder.client.Verdict;
import echoladder.client.figures.Crowd;
import echoladder.client.figures.Deliveries;
import echoladder.client.figures.Handshakes;
import echoladder.client.figures.LateShares;
import echoladder.client.figures.Percentiles;
import echoladder.client.figures.SlowReaderFigures;
import echoladder.client.figures.Stamps;
import echoladder.openloop.result.Counters;
import echoladder.openloop.result.ShardStatus;
import echoladder.openloop.result.Thirds;
import echoladder.openloop.result.TimeKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Collects what a load showed at the borders of its phases, and makes the result of it. One thread. */
public final class LoadOutcome {
  /** The client in results whose requests wait for no answer, as in study.yaml. */
  public static final String OPEN_LOOP = "open-loop";

  /** The client in results of users in a closed loop, whom the same process drives; as in study.yaml. */
  public static final String CLOSED_LOOP = "closed-loop";

  private final LoadPlan plan;
  private final List<Reason> doubts = new ArrayList<>();
  private List<String> sources = List.of();
  private int shards = 1;
  private int loops = 1;
  private double rampSeconds;
  private double warmUpSeconds;
  private double steadySeconds;
  private long steadyStartNs;
  private int established;
  private @Nullable ShardStatus atStart;
  private @Nullable ShardStatus atEnd;
  private ServerLook.@Nullable Seen serverAtStart;
  private ServerLook.@Nullable Seen serverAtEnd;
  private @Nullable String serverCpus;
  private @Nullable Double rollCallSeconds;
  private long stormStartNs;
  private long stormConnections;
  private long stormMissing;
  private @Nullable Duration stormWithin;
  private @Nullable Thirds thirds;

  LoadOutcome(LoadPlan plan) {
    this.plan = plan;
  }

  /** The client's name in results of a plan. */
  public static String client(LoadPlan plan) {
    return plan.closedLoop() ? CLOSED_LOOP : OPEN_LOOP;
  }

  void opened(List<String> sourceAddresses, int shardCount, int loopCount) {
    sources = sourceAddresses;
    shards = shardCount;
    loops = loopCount;
  }

  void rampEnded(long startNs, long endNs, ShardStatus status) {
    // A load may be stopped after its beginning was announced and before it came.
    rampSeconds = Math.max(0, (endNs - startNs) / 1e9);
    established = (int) status.get(Counters.Of.ESTABLISHED);
  }

  void warmUpEnded(long startNs, long endNs) {
    warmUpSeconds = Math.max(0, (endNs - startNs) / 1e9);
  }

  void steadyBegan(long startNs, ShardStatus status, ServerLook server) {
    steadyStartNs = startNs;
    atStart = status;
    long readNs = System.nanoTime();
    serverAtStart = server.look();
    if (plan.staged() == null && plan.schedule().level()) {
      thirds = new Thirds(startNs, plan.steady().toNanos());
      thirds.look(status.get(Counters.Of.ANSWERED_EVER), serverAtStart.cpuNs());
    }
    border("beginning", startNs, Math.max(readNs, serverAtStart.atNs()));
  }

  void steadyEnded(long endNs, ShardStatus status, ServerLook server) {
    steadySeconds = (endNs - steadyStartNs) / 1e9;
    atEnd = status;
    long readNs = System.nanoTime();
    serverAtEnd = server.look();
    if (thirds != null) {
      thirds.look(status.get(Counters.Of.ANSWERED_EVER), serverAtEnd.cpuNs());
    }
    serverCpus = server.cpus();
    border("end", endNs, Math.max(readNs, serverAtEnd.atNs()));
  }

  /** Whether a third of the steady state is over that nobody has looked at. */
  boolean thirdOver(long nowNs) {
    return thirds != null && thirds.due(nowNs);
  }

  void lookAtThird(ShardStatus status, ServerLook server) {
    if (thirds != null) {
      thirds.look(status.get(Counters.Of.ANSWERED_EVER), server.look().cpuNs());
    }
  }

  /** Response times that were recorded between these moments of the steady state. */
  void recorded(long fromNs, long toNs, @Nullable Histogram responses) {
    if (thirds != null) {
      thirds.interval(fromNs, toNs, responses);
    }
  }

  /** The server was restarted, and so many connections were given their time to come back; {@code missing} of them did not. */
  void stormed(long startNs, long connections, Storm asked, long missing) {
    stormStartNs = startNs;
    stormConnections = connections;
    stormMissing = missing;
    stormWithin = asked.within();
  }

  /** Every connection was asked for one more echo, and was given that long. */
  void rollCalled(double seconds) {
    rollCallSeconds = seconds;
  }

  private void border(String which, long dueNs, long readNs) {
    new PhaseBoundary(which, "the client", dueNs, readNs).doubt(PhaseBoundary.mostNs()).ifPresent(this::doubt);
  }

  /** CPU of the server over the steady state; null where either end of it is missing. */
  private @Nullable Long serverCpuNs() {
    Long from = serverAtStart == null ? null : serverAtStart.cpuNs();
    Long to = serverAtEnd == null ? null : serverAtEnd.cpuNs();
    // A counter that fell is of another process.
    return from == null || to == null || to < from ? null : (Long) (to - from);
  }

  /** A page that was named and told nothing is said: figures that are asked for do not just go missing. */
  private void doubtPage() {
    Stream.of(serverAtStart, serverAtEnd)
        .filter(seen -> seen != null && !seen.failure().isEmpty())
        .findFirst()
        .ifPresent(seen -> doubt(new Reason(ReasonCode.METRICS_UNREACHABLE, seen.failure())));
  }

  void doubt(Reason doubt) {
    doubts.add(doubt);
  }

  LoadResult result(ShardStatus end, Map<TimeKind, Histogram> totals, boolean stopped) {
    long scheduled = end.get(Counters.Of.SCHEDULED);
    long echoes = 0;
    Double clientCpu = null;
    Double clientCpuSeconds = null;
    Double serverCpu = null;
    Double allocated = null;
    Long clientRss = null;
    if (atStart != null && atEnd != null) {
      ShardStatus from = atStart;
      ShardStatus to = atEnd;
      echoes = to.get(Counters.Of.ANSWERED_EVER) - from.get(Counters.Of.ANSWERED_EVER);
      clientCpuSeconds = (to.cpuNs() - from.cpuNs()) / 1e9;
      // What polling takes is no cost of an echo.
      clientCpu = plan.spin().isZero() ? CpuPerEcho.us(to.cpuNs() - from.cpuNs(), echoes) : null;
      allocated = echoes == 0 ? null : (Double) ((double) (to.allocatedBytes() - from.allocatedBytes()) / echoes);
      clientRss = to.rssBytes();
      Long serverNs = serverCpuNs();
      serverCpu = CpuPerEcho.ofServer(serverNs, echoes);
      CpuPerEcho.doubt(serverNs, echoes, plan.serverPid()).ifPresent(this::doubt);
    }
    doubtPage();
    Judgement.of(plan, end, steadySeconds, stopped, doubts);
    if (stormWithin != null) {
      Judgement.ofStorm(end, stormMissing, stormConnections, stormWithin, doubts);
    }
    if (rollCallSeconds != null) {
      Judgement.ofRollCall(end, rollCallSeconds, stormMissing, doubts);
    }
    Histogram response = totals.get(TimeKind.RESPONSE);
    long youngest = end.get(Counters.Of.YOUNGEST_UNANSWERED_NS);
    Pace pace =
        Pace.of(steadySeconds == 0 ? 0 : scheduled / steadySeconds, echoes, steadySeconds, warmUpSeconds, rampSeconds, established);
    Messages messages =
        new Messages(
            scheduled,
            end.get(Counters.Of.SENT),
            end.get(Counters.Of.ANSWERED),
            end.get(Counters.Of.UNANSWERED),
            end.get(Counters.Of.FAILED),
            end.get(Counters.Of.MISMATCHES),
            end.get(Counters.Of.LATE),
            echoes);
    Percentiles hiccup = percentiles(totals.get(TimeKind.HICCUP));
    LoadJudge.Bounds bounds = LoadJudge.Bounds.DEFAULT;
    boolean staged = plan.staged() != null;
    Stamps stamps = stamps(end);
    Times times =
        new Times(
            percentiles(totals.get(TimeKind.CONNECT)),
            percentiles(totals.get(TimeKind.FIRST_ECHO)),
            percentiles(response),
            LateShares.UNKNOWN,
            percentiles(totals.get(TimeKind.LATENESS)),
            percentiles(totals.get(TimeKind.SERVICE)),
            stamps.suffice() ? percentiles(totals.get(TimeKind.SERVER)) : Percentiles.NONE,
            percentiles(totals.get(TimeKind.RECEIVE_DELAY)),
            stamps);
    Crowd crowd = crowd(end, totals);
    doubts.addAll(
        LoadJudge.doubts(
            pace, messages, LoadJudge.ClientDelays.of(hiccup, times, crowd), staged ? bounds.staged() : bounds,
            staged ? 0 : plan.ratePerSecond(), ""));
    LoadResult.Drift drift = thirds == null ? LoadResult.Drift.UNKNOWN : thirds.drift();
    doubts.addAll(LoadJudge.drift(drift, LoadJudge.DriftBounds.DEFAULT));
    doubts.addAll(LoadJudge.churn(crowd, bounds));
    return new LoadResult(
        client(plan),
        new LoadResult.Connections(
            plan.connections(),
            established,
            (int) end.get(Counters.Of.REFUSED),
            (int) end.get(Counters.Of.TIMED_OUT),
            (int) end.get(Counters.Of.LOST),
            (int) end.get(Counters.Of.RESET),
            rollCallSeconds == null ? null : (Integer) (int) end.get(Counters.Of.PRESENT),
            (int) end.get(Counters.Of.DROPPED)),
        end.errors(),
        pace,
        messages,
        hiccup,
        messages.unanswered() == 0 || response == null ? null : (Double) shareBelow(response, youngest),
        end.get(Counters.Of.OVERFLOWS),
        new Cost(
            clientCpu, serverCpu, clientRss, serverAtEnd == null ? null : serverAtEnd.rssBytes(), clientCpuSeconds),
        new ClientCondition(
            atEnd == null ? null : (Long) atEnd.gcPauseMaxNs(),
            allocated,
            (double) end.get(Counters.Of.ARRAY_BYTES) / plan.connections(),
            shards,
            loops,
            sources,
            end.nodelay()),
        null,
        null,
        Verdict.of(doubts),
        List.copyOf(doubts),
        times,
        new Placement(
            told(end.cpus()), told(end.helperCpus()), serverCpus, plan.spin().toNanos()),
        drift,
        crowd);
  }

  private Stamps stamps(ShardStatus end) {
    return plan.stamps()
        ? Stamps.of(
            end.get(Counters.Of.ANSWERED), end.get(Counters.Of.STAMPED), end.get(Counters.Of.STAMPS_SHARED),
            end.get(Counters.Of.STAMPS_DROPPED))
        : Stamps.NONE;
  }

  private Crowd crowd(ShardStatus end, Map<TimeKind, Histogram> totals) {
    boolean bursts = plan.bursts();
    Histogram answers = totals.get(TimeKind.BURST_ANSWER);
    boolean churn = plan.churn() != null;
    return new Crowd(
        bursts ? (Long) (answers == null ? 0 : answers.getTotalCount()) : null,
        percentiles(totals.get(TimeKind.BURST_SEND)),
        percentiles(answers),
        percentiles(totals.get(TimeKind.BURST_BACKLOG)),
        churn ? (Long) end.get(Counters.Of.CHURNED) : null,
        churn ? (Long) end.get(Counters.Of.CHURN_FAILED) : null,
        percentiles(totals.get(TimeKind.RECONNECT)),
        stormWithin == null ? Crowd.Reconnects.NONE : storm(end),
        plan.publish() == null ? Deliveries.NONE : deliveries(end, totals),
        slowReaders(end, totals),
        plan.tls() == null
            ? Handshakes.NONE
            : new Handshakes(end.get(Counters.Of.TLS_HANDSHAKES), end.get(Counters.Of.TLS_RESUMED)));
  }

  private static Deliveries deliveries(ShardStatus end, Map<TimeKind, Histogram> totals) {
    return new Deliveries(
        end.get(Counters.Of.PUBLISHES),
        end.get(Counters.Of.SCHEDULED),
        end.get(Counters.Of.ANSWERED),
        end.get(Counters.Of.DELIVERIES_MISSING),
        end.get(Counters.Of.DELIVERIES_DUPLICATE),
        end.get(Counters.Of.DELIVERIES_OUT_OF_ORDER),
        end.get(Counters.Of.DELIVERIES_MIXED),
        end.get(Counters.Of.AUDIENCES_DIFFER),
        percentiles(totals.get(TimeKind.DELIVERY)),
        percentiles(totals.get(TimeKind.FIRST_DELIVERY)),
        percentiles(totals.get(TimeKind.LAST_DELIVERY)));
  }

  private SlowReaderFigures slowReaders(ShardStatus end, Map<TimeKind, Histogram> totals) {
    return end.get(Counters.Of.SLOW_READERS) == 0
        ? SlowReaderFigures.NONE
        : new SlowReaderFigures(
            end.get(Counters.Of.SLOW_READERS),
            end.get(Counters.Of.SLOW_READERS_ENDED),
            end.get(Counters.Of.SLOW_READERS_OPEN),
            end.get(Counters.Of.SLOW_OWED_BYTES),
            plan.publish() == null ? (Long) end.get(Counters.Of.SLOW_SENT_BYTES) : null,
            end.get(Counters.Of.SLOW_READ_BYTES),
            end.get(Counters.Of.SLOW_CLIENT_BYTES),
            percentiles(totals.get(TimeKind.SLOW_READER_ENDED)));
  }

  private Crowd.Reconnects storm(ShardStatus end) {
    long last = end.get(Counters.Of.STORM_LAST_NS);
    return new Crowd.Reconnects(
        end.get(Counters.Of.STORM_LOST), end.get(Counters.Of.STORM_BACK), end.get(Counters.Of.STORM_TRIES),
        end.get(Counters.Of.STORM_REFUSED),
        end.get(Counters.Of.STORM_BROKEN), end.get(Counters.Of.STORM_TIMED_OUT), end.get(Counters.Of.STORM_OTHER),
        last == 0 ? null : (Double) ((last - stormStartNs) / 1e9));
  }

  private static @Nullable String told(String cpus) {
    return cpus.isEmpty() ? null : cpus;
  }
}
