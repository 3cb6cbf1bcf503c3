package echoladder.harness.engine;

import echoladder.client.Doubt;
import echoladder.client.Invalidity;
import echoladder.client.LoadClient;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.harness.host.Fleet;
import echoladder.harness.host.HostSettings;
import echoladder.harness.judgement.HostsJudge;
import echoladder.harness.judgement.Judge;
import echoladder.harness.judgement.Observed;
import echoladder.harness.judgement.SetAside;
import echoladder.harness.lab.LabMark;
import echoladder.harness.metric.Figures;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.metric.NetworkMetrics;
import echoladder.harness.plan.Planner;
import echoladder.harness.plan.Rung;
import echoladder.harness.probe.HostGaps;
import echoladder.harness.probe.Sampler;
import echoladder.harness.results.Attempt;
import echoladder.harness.results.LimitsRecord;
import echoladder.harness.results.RungHost;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.UnwritableException;
import echoladder.harness.run.Contender;
import echoladder.harness.run.Placed;
import echoladder.harness.run.RunContext;
import echoladder.harness.run.RungLoad;
import echoladder.harness.run.RungPlace;
import echoladder.harness.run.RungServer;
import echoladder.harness.run.Stand;
import echoladder.harness.server.Attachment;
import echoladder.harness.server.ServerNotReadyException;
import echoladder.harness.settings.AppliedSettings;
import echoladder.harness.study.Study;
import echoladder.linux.cpu.CpuList;
import echoladder.linux.process.CpuAffinity;
import echoladder.linux.process.KernelLog;
import echoladder.openloop.LoadOverHosts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One rung against the server of its stand. Whatever fails becomes a record with its reason; only a full disk and the like,
 * which would spoil every further rung too, is thrown.
 */
final class RungRun {
  private final RunContext context;
  private final Contender contender;
  private final RungPlace place;
  private final Rung rung;
  private final Stand stand;
  private final Step step;
  private final RungTry one;
  private final @Nullable HostGaps gaps;
  private final Path ownLog;
  private final Path histograms;
  private final LoadClient client;
  private final BorderReadings borders = new BorderReadings();
  private final @Nullable Duration warmUpMost;
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
    this.gaps = terms.gaps();
    this.warmUpMost = terms.warmUpMost();
    this.step = step;
    this.context = context;
    this.contender = stand.contender();
    this.place = new RungPlace(context, contender);
    this.rung = step.rung();
    this.stand = stand;
    this.one = new RungTry(rung, step.before(), terms.waited());
    String name = rung.key().stem(context.setup().study().repeats(), one.number());
    ownLog = context.folder().file(name + ".server.log");
    histograms = context.folder().file(name + ".hlog");
    client = context.setup().clients().make(contender.tool(), context.folder().file(name + ".client.log"), stand.placed().client());
  }

  RungRecord climb() throws IOException {
    AppliedSettings applied;
    try {
      applied = stand.settings();
    } catch (IOException e) {
      return failed(Invalidity.SERVER_NOT_READY, "its settings could not be made: " + e.getMessage());
    }
    try (Placed.Seat _ = stand.placed().take()) {
      one.runsOn(CpuAffinity.ofThread());
      RungRecord record = climb(applied);
      if (record.has(Invalidity.HOST_LOST)) {
        // Nothing can be measured without it. What was, is kept, and the run is gone on with when it is back.
        context.stop().request();
      }
      return record;
    }
  }

  private RungRecord climb(AppliedSettings applied) throws IOException {
    List<String> kernelLog = KernelLog.read().orElse(null);
    try {
      HostSettings before = place.hostSettings();
      RungServer server = stand.open(rung, ownLog);
      place.check(server);
      Study study = context.setup().study();
      if (!stand.used() && context.setup().attached() == null && StandWarmUp.wanted(study)) {
        for (double ratePerS : Planner.warmUpRates(study)) {
          StandWarmUp.of(context, stand, rung, server, plan(server, ratePerS, Planner.WARM_UP_END));
        }
        stand.warmed();
      }
      return loaded(server, before);
    } catch (UnwritableException e) {
      throw e;
    } catch (ServerNotReadyException | IOException e) {
      // A server whose log cannot be created for want of room has not failed.
      context.folder().probe();
      String why = String.valueOf(e.getMessage());
      stand.stop(rung);
      String lost = place.lost();
      return lost != null
          ? failed(Invalidity.HOST_LOST, lost)
          : failed(Invalidity.SERVER_NOT_READY, why, limits(applied, kernelLog, why));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed(Invalidity.INTERRUPTED, "interrupted while the server was starting");
    }
  }

  private LoadResult load(RungServer server, PhaseFollower phases) throws IOException {
    LoadPlan plan = plan(server, rung.ratePerS(), steady()).build();
    try (Observers others = Observers.of(new RungObserver.Subject(context, rung, stand, server, borders), step.observers())) {
      observers = others;
      phases.tell(others);
      return client.run(plan, histograms, phases);
    }
  }

  private RungRecord loaded(RungServer server, HostSettings before) throws UnwritableException {
    LimitsSeen limits = LimitsSeen.begin(server, contender, rung, place.sources(), stand.used() ? stand.log(ownLog) : null);
    Map<String, Long> acceptErrors = Map.of();
    PhaseFollower follower = new PhaseFollower(context, step, borders, server);
    LoadResult load;
    String metricsFailure;
    String restart = "";
    boolean lost;
    Fleet hosts = place.hosts();
    Map<String, Fleet.Clocks> clocks = Map.of();
    try (Sampler sampler = new Sampler(server.readings(), follower::sampled, follower::missed);
        var _ = context.stop().onStop(client::stop);
        var _ = hosts == null ? (Fleet.Watch) () -> {} : hosts.onLost(client::stop)) {
      server.onEnd(
          () -> {
            if (!observers.endedServer()) {
              client.stop();
            }
          });
      // Without its samples the rung is not whole, so it need not go on.
      var _ = context.samples().failed().thenRun(client::stop);
      borders.workBeforeNs = hostWork(server);
      follower.begin(sampler);
      Map<String, Long> errorsBefore = sampler.acceptErrors();
      context.metrics().begin(rung.label(), rung.connections());
      load = load(server, follower);
      borders.after = sampler.atEnd();
      borders.workAfterNs = hostWork(server);
      clocks = hosts == null ? Map.of() : hosts.compareClocksAgain();
      acceptErrors = LimitsSeen.since(errorsBefore, sampler.acceptErrors());
      // With the live heap every figure is taken. Then all connections end at once, and the page of a million of them may
      // be silent for longer than it is waited for.
      metricsFailure = borders.liveHeap != null ? "" : sampler.metricsFailure();
      restart = sampler.restart();
      // Each of these may be the first sign of a server whose end is not to be seen yet.
      lost =
          load.connections().failed() > 0
              || !sampler.metricsFailure().isEmpty()
              || !borders.failure.isEmpty();
    } catch (IOException | UncheckedIOException e) {
      // A client that cannot write for want of room is no finding about the rung.
      context.folder().probe();
      load = nothing(new Doubt(Invalidity.CLIENT_DIED, "the client could not do it: " + e.getMessage()));
      metricsFailure = "";
      lost = true;
    }
    String gone = place.lost();
    if (gone != null && !context.stop().requested()) {
      load = nothing(new Doubt(Invalidity.HOST_LOST, gone));
    }
    UnwritableException unwritten = context.samples().failed().getNow(null);
    if (unwritten != null) {
      throw unwritten;
    }
    context.metrics().end();
    // Asked before it is stopped: from here on its end is our doing.
    String ending = context.stop().requested() ? null : observers.ending(server, lost);
    if (step.server().last() || ending != null || gone != null) {
      stand.stop(rung);
    }
    Study study = context.setup().study();
    List<RungHost> seenHosts = null;
    List<Doubt> ofHosts = null;
    if (hosts != null) {
      HostsSeen each = new HostsSeen(hosts, borders, client instanceof LoadOverHosts over ? over.byHost() : List.of(), clocks);
      seenHosts = each.records();
      ofHosts = each.clockDoubts();
      ofHosts.addAll(HostsJudge.doubts(seenHosts, study.thresholds(), load.placement().spins()));
    }
    Attachment attached = context.setup().attached();
    // On one machine its figures are of server and clients, as over loopback.
    boolean afar = hosts != null && !hosts.onOneKernel();
    Observed observed =
        new Observed(
            context.stop().requested(),
            ending,
            borders.failure.isEmpty() ? metricsFailure : borders.failure,
            place.changedSince(before),
            server.mismatches(new RungServer.Loaded(borders.ready, borders.steadyEnd, load.connections().established(), restart)),
            borders.steady,
            attached != null && !attached.sameHost(),
            afar,
            ofHosts,
            contender.entry().settings().network());
    boolean oneProcess = restart.isEmpty();
    LoadResult known = oneProcess ? load : load.withoutServer();
    Figures figures =
        Figures.measured(borders.readings(known, attached != null || stand.used(), observed.serverElsewhere(), oneProcess, gaps, afar))
            .with(HostMetrics.HOST_WORK, borders.workNs());
    figures = NetworkMetrics.counted(figures, borders.ready, borders.after);
    SetAside doubts =
        SetAside.of(
            Judge.doubts(known, figures, observed, study.thresholds(), study.bounds().responseTimeP99Ns(), askedPerS()), known,
            LabMark.here());
    LimitsRecord seen = limits == null ? null : limits.end(borders, known, acceptErrors, ending, stand.log(ownLog));
    // A load tool of others gives percentiles, and percentiles are no histogram.
    String log = Files.isRegularFile(histograms) ? histograms.getFileName().toString() : null;
    return one.record(server.started(), known.judged(doubts.counting()), figures, borders.staged, log, doubts.aside(), seen, seenHosts);
  }

  /** CPU time of a fixed piece of work on the server's processors; null where they are not this host's, and where nobody asks. */
  private @Nullable Long hostWork(RungServer server) {
    CpuList cpus = place.hosts() != null || server.pid() == null ? null : CpuAffinity.of(server.pid());
    // In a lab CPU time tells nothing.
    OptionalLong ns = cpus == null || LabMark.here() != null ? OptionalLong.empty() : context.hostWork().apply(cpus);
    return ns.isEmpty() ? null : (Long) ns.getAsLong();
  }

  private LoadPlan.Builder plan(RungServer server, double ratePerS, Duration steady) {
    Study study = context.setup().study();
    LoadPlan.Builder plan =
        RungLoad.of(study, contender.entry(), rung.connections(), ratePerS, steady, contender.protocol(), server.target());
    if (warmUpMost != null) {
      plan.warmUp(Duration.ofNanos(study.phases().warmUpMinNs()), warmUpMost, study.phases().warmUpEchoes(ratePerS));
    }
    return plan
        .seed(context.setup().study().load(contender.entry()).seedOf(rung.repeat()))
        .serverPid(server.pid())
        .serverTree(server.wholeTree())
        .http(contender.asked())
        .serverMetrics(server.metrics())
        .sourceAddresses(place.sources())
        .cpus(stand.placed().loops())
        .allowedTargets(place.allowed());
  }

  private Duration steady() {
    return Duration.ofNanos(context.setup().study().phases().steadyNs()).multipliedBy(rung.length());
  }

  /** Users in stages ask when they are done: what their schedule comes to is a figure, not a demand. */
  private double askedPerS() {
    return context.setup().study().load(contender.entry()).staged() == null ? rung.ratePerS() : 0;
  }

  /** What a server that did not get ready shows of limits; null where that cannot be seen. */
  private @Nullable LimitsRecord limits(AppliedSettings applied, @Nullable List<String> kernelLog, String why) {
    if (context.setup().attached() != null || place.hosts() != null || context.stop().requested()) {
      return null;
    }
    try {
      return LimitsSeen.notReady(contender, rung, place.sources(), applied, kernelLog, why, ownLog);
    } catch (IOException e) {
      context.display().note(rung.label() + ": what bound the server could not be looked at: " + e.getMessage());
      return null;
    }
  }

  private RungRecord failed(Invalidity reason, String detail) {
    return failed(reason, detail, null);
  }

  private RungRecord failed(Invalidity reason, String detail, @Nullable LimitsRecord limits) {
    boolean stop = context.stop().requested();
    Doubt doubt =
        stop
            ? new Doubt(Invalidity.INTERRUPTED, "the run was stopped while the server started")
            : new Doubt(reason, detail);
    return one.record(null, nothing(doubt), Figures.NONE, borders.staged, null, List.of(), limits, null);
  }

  private LoadResult nothing(Doubt why) {
    return LoadResult.nothing(client.name(), rung.connections(), rung.ratePerS(), List.of(), why);
  }
}
