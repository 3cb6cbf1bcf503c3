package echoladder.openloop.run;

import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.client.Storm;
import echoladder.client.figures.StagedFigures;
import echoladder.linux.sockets.EphemeralPorts;
import echoladder.openloop.connection.Addresses;
import echoladder.openloop.connection.PlanNotPossible;
import echoladder.openloop.loop.Ramp;
import echoladder.openloop.loop.RollCall;
import echoladder.openloop.result.Counters;
import echoladder.openloop.result.IntervalLog;
import echoladder.openloop.result.ShardStatus;
import echoladder.openloop.shard.PhaseAnnouncer;
import echoladder.openloop.shard.Shard;
import echoladder.openloop.shard.Shards;
import echoladder.openloop.tls.TlsSessions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One load from first connect to result: ramp, warm-up, steady state, drain, hold, roll call. Drives its shards by telling them
 * times that have not come yet. One thread; {@link #stop} may come from any.
 */
public final class OpenLoopRun {
  private static final long SECOND_NS = 1_000_000_000L;
  private static final long LOOK_NS = 50_000_000L;
  // Ahead of a phase by this much, every loop and shard has learnt of it when it begins.
  private static final long NOTICE_NS = 200_000_000L;

  private final LoadPlan plan;
  private final @Nullable Path logPath;
  private final LoadEvents events;
  private final ServerLook server;
  private final ShardLauncher opening;
  private final LoadOutcome outcome;
  private final Intervals intervals;
  private List<Shard> shards = List.of();
  private List<ShardStatus> parts = List.of();
  private PerHost perHost = PerHost.NONE;
  private Map<String, LoadResult> byHost = Map.of();
  private long scheduleStartNs;
  private volatile boolean stopped;

  /** On this host, against a server that is seen by the plan's pid or page. */
  public OpenLoopRun(LoadPlan plan, @Nullable Path logPath, LoadEvents events) {
    this(plan, logPath, events, new ServerSide(plan.serverPid(), plan.serverTree(), plan.serverMetrics()), OpenLoopRun::here);
  }

  /** Wherever its processes and the server are. */
  public OpenLoopRun(LoadPlan plan, @Nullable Path logPath, LoadEvents events, ServerLook server, ShardLauncher opening) {
    this.plan = plan;
    this.logPath = logPath;
    this.events = events;
    this.server = server;
    this.opening = opening;
    this.outcome = new LoadOutcome(plan);
    this.intervals = new Intervals(plan, events, outcome);
  }

  /** Starts the processes of a load on this host: as few as its descriptor limit allows. */
  private static ShardLauncher.Opened here(LoadPlan plan) throws IOException, PlanNotPossible {
    String complaint = plan.tls() == null ? null : TlsSessions.complaint(plan.tls());
    if (complaint != null) {
      throw new PlanNotPossible(complaint);
    }
    Addresses addresses = Addresses.of(plan, EphemeralPorts.read());
    List<Shard> shards = Shards.open(plan, addresses);
    List<String> sources = addresses.sources().stream().map(address -> address.toString().replaceFirst(":0$", "")).toList();
    return new ShardLauncher.Opened(shards, shards.size() * Shards.loops(plan, shards.size()), sources, PerHost.NONE);
  }

  /** Ends the load early; what was measured so far becomes the result, marked as interrupted. */
  public void stop() {
    stopped = true;
  }

  /** The results of single hosts by their names, once the load is over; none of a load on one host. */
  public Map<String, LoadResult> byHost() {
    return byHost;
  }

  /**
   * Runs the load.
   *
   * @throws PlanNotPossible where it cannot be begun on this host
   * @throws IOException where a client process or the interval log failed
   */
  public LoadResult run() throws IOException, PlanNotPossible {
    ShardLauncher.Opened processes = opening.open(plan);
    shards = processes.shards();
    perHost = processes.perHost();
    try (IntervalLog log = IntervalLog.open(logPath)) {
      intervals.begin(processes, log);
      outcome.opened(processes.sources(), shards.size(), processes.loops());
      ramp();
      if (!stopped && status().get(Counters.Of.ESTABLISHED) > 0) {
        warmUp();
        steady();
        drain();
      }
      finish();
      StagedFigures staged = shards.getFirst().staged();
      if (staged != null) {
        events.staged(staged);
      }
      intervals.enter(Phase.HOLD, -1);
      events.hold();
      storm();
      rollCall();
      ShardStatus end = status();
      byHost = perHost.results(parts, stopped);
      return outcome.result(end, intervals.totals(), stopped);
    } finally {
      shards.forEach(Shard::close);
    }
  }

  private void ramp() throws IOException {
    intervals.enter(Phase.RAMP, -1);
    long notice = NOTICE_NS / 4;
    long first = System.nanoTime() + notice;
    // Where it was announced anew, processes that had been told in time began with an earlier beginning, and may have ended already.
    long start = Math.min(first, announce(notice, Shard::ramp));
    while (!stopped && !status().rampDone()) {
      long now = System.nanoTime();
      pause(now + Ramp.lookNs(now - start));
    }
    long end = System.nanoTime();
    outcome.rampEnded(start, end, status());
    perHost.rampEnded(start, end, parts);
  }

  private void warmUp() throws IOException {
    long start = announce(NOTICE_NS, Shard::schedule);
    scheduleStartNs = start;
    intervals.enter(Phase.WARM_UP, start + plan.warmUpMax().toNanos());
    WarmUp warmUp = new WarmUp(plan.warmUpMin(), plan.warmUpMax(), plan.warmUpEchoes(), start);
    long before = status().get(Counters.Of.ANSWERED_EVER);
    long nextLook = start;
    while (!stopped && !warmUp.over(System.nanoTime(), status().get(Counters.Of.ANSWERED_EVER) - before)) {
      if (System.nanoTime() >= nextLook) {
        nextLook += SECOND_NS;
        ShardStatus status = status();
        warmUp.compilers(System.nanoTime(), status.compileMs() / 1e3, server.compileSeconds());
        warmUp.cpu(
            status.get(Counters.Of.ANSWERED_EVER), WarmUp.watchedNs(status.cpuNs(), server.look().cpuNs(), plan.spin().isPositive()));
      }
      pause(System.nanoTime() + LOOK_NS);
    }
    String missing = warmUp.missing(status().get(Counters.Of.ANSWERED_EVER) - before);
    if (missing != null && !stopped) {
      outcome.doubt(new Reason(ReasonCode.WARM_UP_INCOMPLETE, missing));
    }
    long end = System.nanoTime();
    outcome.warmUpEnded(start, end);
    perHost.warmUpEnded(start, end);
  }

  private void steady() throws IOException {
    if (stopped) {
      return;
    }
    long length = plan.steady().toNanos();
    long start =
        new PhaseAnnouncer(shards, System::nanoTime).make(NOTICE_NS, this::steadyStart, (shard, at) -> shard.steady(at, at + length));
    long end = start + length;
    pause(start);
    intervals.enter(Phase.STEADY, end);
    outcome.steadyBegan(start, status(), server);
    perHost.steadyBegan(start, parts);
    while (!stopped && System.nanoTime() < end) {
      pause(Math.min(end, System.nanoTime() + 2 * LOOK_NS));
      if (System.nanoTime() < end && outcome.thirdOver(System.nanoTime())) {
        outcome.lookAtThird(status(), server);
      }
    }
    long over = Math.min(end, System.nanoTime());
    outcome.steadyEnded(over, status(), server);
    perHost.steadyEnded(over, parts);
  }

  /** The first moment from then on at which the schedule lets a steady state begin; any, where users come in stages. */
  private long steadyStart(long ns) {
    return plan.staged() != null ? ns : plan.schedule().steadyStart(ns, scheduleStartNs, plan.periodNs());
  }

  private void drain() throws IOException {
    if (stopped) {
      return;
    }
    long end = System.nanoTime() + plan.drain().toNanos();
    intervals.enter(Phase.DRAIN, end);
    while (!stopped && System.nanoTime() < end && status().get(Counters.Of.OUTSTANDING) > 0) {
      pause(System.nanoTime() + LOOK_NS / 5);
    }
  }

  private void finish() throws IOException {
    for (Shard shard : shards) {
      shard.finish();
    }
    long bound = System.nanoTime() + 60 * SECOND_NS;
    while (!status().settled() && System.nanoTime() < bound) {
      pause(System.nanoTime() + LOOK_NS / 5);
    }
    writeInterval();
  }

  /**
   * Says that connections may end now, and waits until all that did are back. Whoever hears of the phase restarts the server.
   */
  private void storm() throws IOException {
    Storm storm = plan.storm();
    long open = storm == null ? 0 : status().openConnections();
    if (stopped || storm == null || open == 0) {
      return;
    }
    long start = announce(NOTICE_NS / 4, Shard::storm);
    pause(start);
    long end = start + storm.within().toNanos();
    intervals.enter(Phase.STORM, end);
    while (!stopped && System.nanoTime() < end && !status().stormOver(open)) {
      pause(System.nanoTime() + LOOK_NS / 5);
    }
    writeInterval();
    if (!stopped) {
      outcome.stormed(start, open, storm, status().stormNotInTime());
    }
  }

  /**
   * Asks every connection for one more echo, so that "held" is said of each. Users in stages are not asked: a server that
   * fell behind them is a figure, and owes more than an echo. A subscriber over HTTP has nothing more to ask on its connection.
   */
  private void rollCall() throws IOException {
    if (stopped || !plan.callsRoll() || status().get(Counters.Of.ESTABLISHED) == 0) {
      return;
    }
    long start = announce(NOTICE_NS / 4, Shard::rollCall);
    long timeoutNs = plan.connectTimeout().toNanos();
    long end = start + RollCall.lengthNs(plan) + timeoutNs;
    intervals.enter(Phase.ROLL_CALL, end);
    // Who is being opened anew is asked late, and has as long to answer as anybody.
    long most = end + timeoutNs;
    long asked = 0;
    ShardStatus status = status();
    while (!stopped && System.nanoTime() < end && status.rollCallOpen()) {
      long now = System.nanoTime();
      pause(now + Ramp.lookNs(now - start));
      status = status();
      if (status.get(Counters.Of.ASKED) > asked) {
        asked = status.get(Counters.Of.ASKED);
        end = Math.max(end, Math.min(most, System.nanoTime() + timeoutNs));
      }
    }
    if (!stopped) {
      double seconds = (System.nanoTime() - start) / 1e9;
      outcome.rollCalled(seconds);
      perHost.rollCalled(seconds);
    }
  }

  /** Sleeps until then, writing an interval and telling of progress at each full second. */
  private void pause(long untilNs) throws IOException {
    do {
      long wake = Math.min(untilNs, intervals.dueNs());
      long rest = wake - System.nanoTime();
      if (rest > 0) {
        try {
          TimeUnit.NANOSECONDS.sleep(rest);
        } catch (InterruptedException e) {
          stopped = true;
          return;
        }
      }
      if (System.nanoTime() >= intervals.dueNs()) {
        writeInterval();
      }
    } while (System.nanoTime() < untilNs && !stopped);
  }

  private void writeInterval() throws IOException {
    intervals.write(this::status);
  }

  private ShardStatus status() throws IOException {
    List<ShardStatus> now = new ArrayList<>();
    for (Shard shard : shards) {
      now.add(shard.status());
    }
    parts = now;
    ShardStatus whole = parts.size() == 1 ? parts.getFirst() : ShardStatus.sum(parts);
    if (!whole.dead().isEmpty()) {
      throw new IOException("an event loop of the client died: " + whole.dead());
    }
    return whole;
  }

  private long announce(long noticeNs, PhaseAnnouncer.Order order) throws IOException {
    return new PhaseAnnouncer(shards, System::nanoTime).make(noticeNs, order);
  }
}
