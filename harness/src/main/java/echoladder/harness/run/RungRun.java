package echoladder.harness.run;

import echoladder.client.Doubt;
import echoladder.client.Invalidity;
import echoladder.client.LoadClient;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Target;
import echoladder.harness.plan.Rung;
import echoladder.harness.probe.Sampler;
import echoladder.harness.probe.Subject;
import echoladder.harness.results.ProbeFigures;
import echoladder.harness.results.RungRecord;
import echoladder.harness.server.JavaBinary;
import echoladder.harness.server.ReadyLine;
import echoladder.harness.server.ServerNotReadyException;
import echoladder.harness.server.ServerProcess;
import echoladder.harness.verdict.Judge;
import echoladder.harness.verdict.Observed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One rung from start to stop of its server. Whatever fails becomes a record with its reason; only a full disk and the
 * like, which would spoil every further rung too, is thrown.
 */
final class RungRun {
  private static final Duration STOP_BOUND = Duration.ofSeconds(10);

  private final RunContext context;
  private final Contender contender;
  private final Rung rung;
  private final Path serverLog;
  private final Path histograms;
  private final LoadClient client;
  private final Borders borders = new Borders();
  private final String startedAt = Instant.now().toString();
  private final long startNs = System.nanoTime();

  RungRun(RunContext context, Contender contender, Rung rung) {
    this.context = context;
    this.contender = contender;
    this.rung = rung;
    String name = "%07d-%s".formatted(rung.connections(), rung.label());
    serverLog = context.folder().file(name + ".server.log");
    histograms = context.folder().file(name + ".hlog");
    client = context.clients().make(contender.tool(), context.folder().file(name + ".client.log"));
  }

  RungRecord climb() throws IOException {
    context.display().step(rung, "start server");
    Settings before = Settings.read();
    List<String> argv = contender.argv(JavaBinary.path());
    try (ServerProcess server = ServerProcess.start(argv, serverLog)) {
      ReadyLine ready = awaitReady(server);
      double readySeconds = (System.nanoTime() - startNs) / 1e9;
      RungRecord.Started started =
          new RungRecord.Started(
              context.portable(argv), ready.pid(), ready.port(), ready.metricsPort(), readySeconds, ready.config());
      EchoCheck.of(contender.protocol(), ready.reachableHost(), ready.port());
      return loaded(server, ready, started, before);
    } catch (ServerNotReadyException | IOException e) {
      return failed(Invalidity.SERVER_NOT_READY, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed(Invalidity.INTERRUPTED, "interrupted while the server was starting");
    }
  }

  private ReadyLine awaitReady(ServerProcess server) throws ServerNotReadyException, InterruptedException {
    try (var _ = context.stop().onStop(server::terminate)) {
      return server.awaitReady(Duration.ofNanos(context.study().bounds().serverStartNs()));
    }
  }

  private RungRecord loaded(ServerProcess server, ReadyLine ready, RungRecord.Started started, Settings before) {
    Subject subject = new Subject(ready.pid(), ready.metrics(), () -> Family.othersThan(server.pid()));
    PhaseFollower follower = new PhaseFollower(context, rung, borders, ready.gc());
    LoadResult load;
    String metricsFailure;
    try (Sampler sampler = new Sampler(subject, follower::sampled);
        var _ = context.stop().onStop(client::stop)) {
      var _ = server.ended().thenRun(client::stop);
      follower.begin(sampler);
      load = client.run(plan(ready), histograms, follower);
      metricsFailure = sampler.metricsFailure();
    } catch (IOException e) {
      load = nothing("the client could not do it: " + e.getMessage());
      metricsFailure = "";
    }
    // Asked before it is stopped: from here on its end is our doing.
    String ending = server.alive() || context.stop().requested() ? null : server.ending() + server.tail();
    context.display().step(rung, "stop server");
    String stopped = server.stop(STOP_BOUND);
    if (stopped != null) {
      context.display().note(rung.label() + ": " + stopped);
    }
    Observed observed =
        new Observed(
            context.stop().requested(),
            ending,
            borders.failure.isEmpty() ? metricsFailure : borders.failure,
            before.changes(Settings.read()));
    ProbeFigures figures = FiguresOf.rung(borders, load);
    List<Doubt> doubts = Judge.doubts(load, figures, observed, context.study().thresholds());
    // A load tool of others gives percentiles, and percentiles are no histogram.
    String log = Files.isRegularFile(histograms) ? histograms.getFileName().toString() : null;
    return record(started, Judge.judged(load, doubts), figures, log);
  }

  private LoadPlan plan(ReadyLine ready) {
    Target target = new Target(ready.reachableHost(), ready.port());
    return RungLoad.of(context.study(), rung, contender.protocol(), contender.tool(), target)
        .serverPid(ready.pid())
        .serverMetrics(ready.metrics())
        .build();
  }

  private RungRecord failed(Invalidity reason, String detail) {
    boolean stop = context.stop().requested();
    Doubt doubt =
        stop
            ? new Doubt(Invalidity.INTERRUPTED, "the run was stopped while the server started")
            : new Doubt(reason, detail);
    return record(null, NoLoad.because(client.name(), rung, doubt), null, null);
  }

  private LoadResult nothing(String why) {
    return NoLoad.because(client.name(), rung, new Doubt(Invalidity.CLIENT_DIED, why));
  }

  private RungRecord record(
      RungRecord.@Nullable Started started,
      LoadResult load,
      @Nullable ProbeFigures figures,
      @Nullable String histogramFile) {
    return new RungRecord(
        rung.label(),
        rung.connections(),
        rung.ratePerS(),
        RungRecord.Status.MEASURED,
        null,
        startedAt,
        (System.nanoTime() - startNs) / 1e9,
        started,
        load,
        figures,
        histogramFile,
        borders.staged);
  }
}
