package echoladder.harness.engine;

import echoladder.client.LoadClient;
import echoladder.client.LoadListener;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Progress;
import echoladder.harness.plan.Planner;
import echoladder.harness.plan.Rung;
import echoladder.harness.run.RunContext;
import echoladder.harness.run.RungServer;
import echoladder.harness.run.Stand;
import echoladder.harness.study.Study;
import echoladder.linux.OwnedFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Warms a server that is to have several rates: a JVM compiles what runs often, so one that has only just started costs more CPU
 * per echo at its first rate, whichever that is, than at the same rate later. Nothing of it is measured.
 */
final class StandWarmUp {
  private static final LoadListener NOBODY =
      new LoadListener() {
        @Override
        public void phase(Phase phase, long monotonicNs) {}

        @Override
        public void progress(Progress progress) {}
      };

  private StandWarmUp() {}

  /**
   * Warms a server that nobody has loaded before, where the study wants that.
   *
   * @param plans of the rung which would be the first
   * @throws IOException where the client could not be started, or the server's page cannot be had afterwards
   */
  static void ifWanted(RungPlans plans, RungServer server) throws IOException, InterruptedException {
    Study study = plans.context().setup().study();
    Stand stand = plans.stand();
    boolean wanted = study.load().severalRates() && study.phases().standWarmUpNs() > 0;
    if (!wanted || stand.used()) {
      return;
    }
    for (double ratePerS : Planner.warmUpRates(study)) {
      if (plans.context().stop().requested()) {
        return;
      }
      warm(plans, server, plans.of(server, ratePerS, Planner.WARM_UP_END));
    }
    stand.warmed();
  }

  /** Serves one rate over as many connections as the rung has, for as long as the study says, and waits until they have gone. */
  private static void warm(RungPlans plans, RungServer server, LoadPlan.Builder load) throws IOException, InterruptedException {
    RunContext context = plans.context();
    Stand stand = plans.stand();
    Rung rung = plans.rung();
    Study study = context.setup().study();
    Duration length = Duration.ofNanos(study.phases().standWarmUpNs());
    LoadPlan plan = load.warmUp(length, length, 0).build();
    try (OwnedFolder scratch = OwnedFolder.temporary("warm-up")) {
      Path log = scratch.dir().resolve("client.log");
      Path histograms = scratch.dir().resolve("warm-up.hlog");
      LoadClient client = context.setup().clients().make(stand.contender().tool(), log, stand.placed().client());
      context.display().step(rung, "warm server up");
      LoadResult result;
      try (var _ = context.stop().onStop(client::stop)) {
        result = client.run(plan, histograms, NOBODY);
      }
      if (result.connections().established() < rung.connections() && !context.stop().requested()) {
        context.display().note(
            "%s: its server was warmed up with %,d of %,d connections"
                .formatted(rung.label(), result.connections().established(), rung.connections()));
      }
      if (!server.empty(context.stop()::requested)) {
        context.display().note(rung.label() + ": its server still had connections of its warm-up when the rung began");
      }
    }
  }
}
