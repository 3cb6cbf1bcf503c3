package echoladder.openloop.run;

import echoladder.client.LoadPlan;
import echoladder.client.Phase;
import echoladder.client.Progress;
import echoladder.openloop.result.Counters;
import echoladder.openloop.result.IntervalLog;
import echoladder.openloop.result.Quantiles;
import echoladder.openloop.result.Recorders;
import echoladder.openloop.result.ShardStatus;
import echoladder.openloop.result.TimeKind;
import echoladder.openloop.shard.Shard;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What a load shows while it goes on: each second an interval of its log, and how far it is. One thread. */
final class Intervals {
  private static final long LENGTH_NS = 1_000_000_000L;

  private final LoadPlan plan;
  private final LoadEvents events;
  private final LoadOutcome outcome;
  private final EnumMap<TimeKind, Histogram> totals = new EnumMap<>(TimeKind.class);
  private List<Shard> shards = List.of();
  private PerHost perHost = PerHost.NONE;
  private @Nullable IntervalLog log;
  private Phase phase = Phase.RAMP;
  private long phaseEndNs = -1;
  private long beganNs;
  private long beganEpochMs;
  private long answeredBefore;

  Intervals(LoadPlan plan, LoadEvents events, LoadOutcome outcome) {
    this.plan = plan;
    this.events = events;
    this.outcome = outcome;
  }

  /** Asks all shards how they are. */
  interface Asking {
    ShardStatus status() throws IOException;
  }

  /** The first interval begins now. */
  void begin(ShardLauncher.Opened processes, @Nullable IntervalLog into) {
    shards = processes.shards();
    perHost = processes.perHost();
    log = into;
    beganNs = System.nanoTime();
    beganEpochMs = System.currentTimeMillis();
  }

  /** A phase begins; it ends then, where that is known, else -1. */
  void enter(Phase next, long endNs) {
    phase = next;
    phaseEndNs = endNs;
    events.phase(next, System.nanoTime());
  }

  /** When the interval is to be written. */
  long dueNs() {
    return beganNs + LENGTH_NS;
  }

  /** All that was recorded in intervals so far. */
  Map<TimeKind, Histogram> totals() {
    return totals;
  }

  /** Writes the interval, tells of progress and begins the next one. */
  void write(Asking asking) throws IOException {
    long now = System.nanoTime();
    long epochMs = System.currentTimeMillis();
    EnumMap<TimeKind, Histogram> interval = new EnumMap<>(TimeKind.class);
    for (int i = 0; i < shards.size(); i++) {
      if (perHost == PerHost.NONE) {
        shards.get(i).addIntervalTo(interval);
        continue;
      }
      EnumMap<TimeKind, Histogram> own = new EnumMap<>(TimeKind.class);
      shards.get(i).addIntervalTo(own);
      perHost.recorded(i, own);
      own.forEach((kind, h) -> interval.computeIfAbsent(kind, _ -> Recorders.emptyHistogram()).add(h));
    }
    interval.forEach((kind, h) -> totals.computeIfAbsent(kind, k -> Recorders.emptyHistogram()).add(h));
    if (log != null) {
      TreeMap<String, Histogram> requests = new TreeMap<>();
      for (Shard shard : shards) {
        shard.addRequestsTo(requests);
      }
      log.write(interval, requests, beganEpochMs, epochMs);
    }
    outcome.recorded(beganNs, now, interval.get(TimeKind.RESPONSE));
    ShardStatus status = asking.status();
    long answered = status.get(Counters.Of.ANSWERED_EVER);
    events.progress(
        new Progress(
            phase,
            now,
            phaseEndNs < 0 ? -1 : Math.max(0, phaseEndNs - now),
            (int) (status.get(Counters.Of.ESTABLISHED) - status.lostConnections()),
            (int) (status.failedConnects() + status.lostConnections()),
            status.get(Counters.Of.SENT_EVER),
            answered,
            (answered - answeredBefore) / ((now - beganNs) / 1e9),
            status.get(Counters.Of.LATE),
            users(now),
            times(interval)));
    answeredBefore = answered;
    beganNs = now;
    beganEpochMs = epochMs;
  }

  private static Progress.Times times(EnumMap<TimeKind, Histogram> interval) {
    return new Progress.Times(
        Quantiles.percentiles(interval.get(TimeKind.RESPONSE)), Quantiles.percentiles(interval.get(TimeKind.SERVICE)),
        Quantiles.percentiles(interval.get(TimeKind.LATENESS)));
  }

  /** The users that a staged load has now. */
  private @Nullable Integer users(long now) {
    long steadyStartNs = phaseEndNs - plan.steady().toNanos();
    return plan.staged() == null || phase != Phase.STEADY
        ? null
        : (Integer) (int) Math.round(plan.staged().usersAt(now - steadyStartNs));
  }
}
