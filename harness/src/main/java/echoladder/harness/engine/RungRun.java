package echoladder.harness.engine;

import echoladder.client.LoadClient;
import echoladder.client.LoadResult;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.harness.host.HostSettings;
import echoladder.harness.metric.Figures;
import echoladder.harness.plan.Rung;
import echoladder.harness.probe.HostGaps;
import echoladder.harness.probe.Sampler;
import echoladder.harness.results.Attempt;
import echoladder.harness.results.LimitsRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.UnwritableException;
import echoladder.harness.run.CpuPinning;
import echoladder.harness.run.RunContext;
import echoladder.harness.run.RungServer;
import echoladder.harness.run.Stand;
import echoladder.harness.run.Testbed;
import echoladder.harness.server.ServerNotReadyException;
import echoladder.harness.settings.AppliedSettings;
import echoladder.linux.process.CpuAffinity;
import echoladder.linux.process.KernelLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One rung against the server of its stand. Whatever fails becomes a record with its reason; only a full disk and the like,
 * which would spoil every further rung too, is thrown.
 */
final class RungRun {
  private final RunContext context;
  private final Step step;
  private final Rung rung;
  private final Stand stand;
  private final Testbed bed;
  private final RungTry one;
  private final RungPlans plans;
  private final RungJudges judges;
  private final Path serverLog;
  private final Path histograms;
  private final LoadClient client;
  private final BorderReadings borders = new BorderReadings();
  private volatile Observers observers = Observers.NONE;

  /**
   * What a step is measured under.
   *
   * @param waited how it was waited for a quiet host; null = it was not
   * @param gaps of the host before the run; null = it was not looked at
   * @param warmUpMost bound on the warm-up, as the run has a budget; null = the study's
   */
  record Terms(Attempt.@Nullable Waited waited, @Nullable HostGaps gaps, @Nullable Duration warmUpMost) {}

  /**
   * One try of its rung.
   *
   * @param stand whose server it gets
   */
  RungRun(RunContext context, Step step, Stand stand, Terms terms) {
    this.context = context;
    this.step = step;
    this.rung = step.rung();
    this.stand = stand;
    this.bed = stand.bed();
    this.one = new RungTry(rung, step.before(), terms.waited());
    this.plans = new RungPlans(context, rung, stand, terms.warmUpMost());
    this.judges = new RungJudges(plans, terms.gaps());
    String name = rung.key().stem(context.setup().study().repeats(), one.number());
    serverLog = context.folder().file(name + ".server.log");
    histograms = context.folder().file(name + ".hlog");
    client = context.setup().clients().make(stand.contender().tool(), context.folder().file(name + ".client.log"), stand.placed().client());
  }

  RungRecord climb() throws IOException {
    AppliedSettings applied;
    try {
      applied = stand.settings();
    } catch (IOException e) {
      return failed(ReasonCode.SERVER_NOT_READY, "its settings could not be made: " + e.getMessage(), null);
    }
    try (CpuPinning.Seat _ = stand.placed().take()) {
      one.runsOn(CpuAffinity.ofThread());
      RungRecord record = opened(applied);
      if (record.has(ReasonCode.HOST_LOST)) {
        // Nothing can be measured without it. What was, is kept, and the run is gone on with when it is back.
        context.stop().request();
      }
      return record;
    }
  }

  /** Opens the server, drives the load and judges what that showed. */
  private RungRecord opened(AppliedSettings applied) throws IOException {
    List<String> kernelLog = KernelLog.read().orElse(null);
    try {
      HostSettings before = bed.settings();
      RungServer server = stand.open(rung, serverLog);
      bed.check(server, stand.contender());
      StandWarmUp.ifWanted(plans, server);
      LimitEvidence limits =
          LimitEvidence.begin(
              server, context.setup().study(), stand.contender(), rung, bed.sources(stand.contender()),
              stand.used() ? stand.log(serverLog) : null);
      Evidence seen = driven(server, before);
      RungJudges.Judged judged = judges.of(server, seen);
      LimitsRecord met =
          limits == null
              ? null
              : limits.end(borders, seen.known(), seen.page().acceptErrors(), seen.ending(), stand.log(serverLog));
      // A load tool of others gives percentiles, and percentiles are no histogram.
      String log = Files.isRegularFile(histograms) ? histograms.getFileName().toString() : null;
      return one.record(server.started(), judged.load(), judged.figures(), borders.staged, log, judged.aside(), met, judged.hosts());
    } catch (UnwritableException e) {
      throw e;
    } catch (ServerNotReadyException | IOException e) {
      // A server whose log cannot be created for want of room has not failed.
      context.folder().probe();
      String why = String.valueOf(e.getMessage());
      stand.stop(rung);
      String lost = bed.lost();
      return lost != null
          ? failed(ReasonCode.HOST_LOST, lost, null)
          : failed(ReasonCode.SERVER_NOT_READY, why, limits(applied, kernelLog, why));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed(ReasonCode.INTERRUPTED, "interrupted while the server was starting", null);
    }
  }

  /** Drives the load, reads the probes meanwhile, and stops the server where no later step needs it. */
  private Evidence driven(RungServer server, HostSettings before) throws UnwritableException {
    PhaseFollower follower = new PhaseFollower(context, step, borders, server);
    Testbed.EachHost hosts = bed.eachHost(client);
    Evidence.Page page = Evidence.Page.UNREAD;
    LoadResult load;
    boolean doubted = true;
    try (Sampler sampler = new Sampler(server.readings(), follower::sampled, follower::missed);
        SideSpeeds speeds = new SideSpeeds(context.hostWork(), bed.serverCpus(server), bed.clientCpus(stand.placed()));
        var _ = context.stop().onStop(client::stop);
        var _ = bed.onLost(client::stop)) {
      server.onEnd(
          () -> {
            if (!observers.endedServer()) {
              client.stop();
            }
          });
      // Without its samples the rung is not whole, so it need not go on.
      var _ = context.samples().failed().thenRun(client::stop);
      borders.speeds = speeds;
      follower.begin(sampler);
      Map<String, Long> errorsBefore = sampler.acceptErrors();
      context.metrics().begin(rung.label(), rung.connections());
      load = load(server, follower);
      borders.after = sampler.atEnd();
      speeds.end();
      hosts.loaded();
      Map<String, Long> acceptErrors = LimitEvidence.since(errorsBefore, sampler.acceptErrors());
      // With the live heap every figure is taken. Then all connections end at once, and the page of a million of them may
      // be silent for longer than it is waited for.
      page = new Evidence.Page(borders.liveHeap != null ? "" : sampler.metricsFailure(), sampler.restart(), acceptErrors);
      // Each of these may be the first sign of a server whose end is not to be seen yet.
      doubted = load.connections().failed() > 0 || !sampler.metricsFailure().isEmpty() || !borders.failure.isEmpty();
    } catch (IOException | UncheckedIOException e) {
      // A client that cannot write for want of room is no finding about the rung.
      context.folder().probe();
      load = nothing(new Reason(ReasonCode.CLIENT_DIED, "the client could not do it: " + e.getMessage()));
      doubted = true;
    }
    String gone = bed.lost();
    if (gone != null && !context.stop().requested()) {
      load = nothing(new Reason(ReasonCode.HOST_LOST, gone));
    }
    UnwritableException unwritten = context.samples().failed().getNow(null);
    if (unwritten != null) {
      throw unwritten;
    }
    context.metrics().end();
    // Asked before it is stopped: from here on its end is our doing.
    String ending = context.stop().requested() ? null : observers.ending(server, doubted);
    if (step.server().last() || ending != null || gone != null) {
      stand.stop(rung);
    }
    return new Evidence(load, borders, page, ending, bed.changedSince(before), hosts);
  }

  private LoadResult load(RungServer server, PhaseFollower phases) throws IOException {
    try (Observers others = Observers.of(new RungObserver.Subject(context, rung, stand, server, borders), step.observers())) {
      observers = others;
      phases.tell(others);
      return client.run(plans.of(server), histograms, phases);
    }
  }

  /** What a server that did not get ready shows of limits; null where that cannot be seen. */
  private @Nullable LimitsRecord limits(AppliedSettings applied, @Nullable List<String> kernelLog, String why) {
    if (!bed.startsServersHere() || context.stop().requested()) {
      return null;
    }
    try {
      return LimitEvidence.notReady(
          context.setup().study(), stand.contender(), rung, bed.sources(stand.contender()), applied, kernelLog, why, serverLog);
    } catch (IOException e) {
      context.display().note(rung.label() + ": what bound the server could not be looked at: " + e.getMessage());
      return null;
    }
  }

  private RungRecord failed(ReasonCode reason, String detail, @Nullable LimitsRecord limits) {
    Reason doubt =
        context.stop().requested()
            ? new Reason(ReasonCode.INTERRUPTED, "the run was stopped while the server started")
            : new Reason(reason, detail);
    return one.record(null, nothing(doubt), Figures.NONE, borders.staged, null, List.of(), limits, null);
  }

  private LoadResult nothing(Reason why) {
    return LoadResult.nothing(client.name(), rung.connections(), rung.ratePerS(), List.of(), why);
  }
}
