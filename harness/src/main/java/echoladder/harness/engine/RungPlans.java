package echoladder.harness.engine;

import echoladder.client.LoadPlan;
import echoladder.client.Tls;
import echoladder.harness.plan.Rung;
import echoladder.harness.run.RunCertificate;
import echoladder.harness.run.RunContext;
import echoladder.harness.run.RungLoad;
import echoladder.harness.run.RungServer;
import echoladder.harness.run.ServerUnderTest;
import echoladder.harness.run.Stand;
import echoladder.harness.run.Testbed;
import echoladder.harness.study.Study;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the client of a rung is asked for.
 *
 * @param warmUpMost bound on the warm-up, as the run has a budget; null = the study's
 */
record RungPlans(RunContext context, Rung rung, Stand stand, @Nullable Duration warmUpMost) {
  /** The load of the rung. */
  LoadPlan of(RungServer server) {
    Duration steady = Duration.ofNanos(study().phases().steadyNs()).multipliedBy(rung.length());
    return of(server, rung.ratePerS(), steady).build();
  }

  /** A load as the rung's, but for its rate and how long its steady state lasts. */
  LoadPlan.Builder of(RungServer server, double ratePerS, Duration steady) {
    Study study = study();
    ServerUnderTest contender = stand.contender();
    LoadPlan.Builder plan =
        RungLoad.of(study, contender.entry(), rung.connections(), ratePerS, steady, contender.protocol(), server.target());
    if (warmUpMost != null) {
      plan.warmUp(Duration.ofNanos(study.phases().warmUpMinNs()), warmUpMost, study.phases().warmUpEchoes(ratePerS));
    }
    Testbed bed = stand.bed();
    return plan
        .tls(trusted(study.load(contender.entry()).overTls()))
        .seed(study.load(contender.entry()).seedOf(rung.repeat()))
        .serverPid(server.pid())
        .serverTree(server.wholeTree())
        .http(bed.asked(contender))
        .serverMetrics(server.metrics())
        .sourceAddresses(bed.sources(contender))
        .cpus(stand.placed().loops())
        .allowedTargets(bed.allowed());
  }

  /** By now its server runs with the run's certificate. */
  private static @Nullable Tls trusted(@Nullable Tls asked) {
    try {
      return RunCertificate.trusted(asked);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Messages per second that the client is asked to intend. Users in stages ask when they are done: their schedule is no demand, so 0. */
  double askedPerS() {
    return study().load(stand.contender().entry()).staged() == null ? rung.ratePerS() : 0;
  }

  private Study study() {
    return context.setup().study();
  }
}
