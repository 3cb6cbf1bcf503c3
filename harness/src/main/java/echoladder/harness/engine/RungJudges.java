package echoladder.harness.engine;

import echoladder.client.LoadResult;
import echoladder.client.Reason;
import echoladder.harness.judgement.Judge;
import echoladder.harness.judgement.Observed;
import echoladder.harness.judgement.QuotableReasons;
import echoladder.harness.lab.LabMark;
import echoladder.harness.metric.Figures;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.metric.NetworkMetrics;
import echoladder.harness.probe.HostGaps;
import echoladder.harness.results.RungHost;
import echoladder.harness.run.RungServer;
import echoladder.harness.run.Testbed;
import echoladder.harness.study.Study;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everyone who judges a rung, one after the other: its figures, what speaks against it, and which of that counts. */
final class RungJudges {
  private final RungPlans plans;
  private final @Nullable HostGaps gaps;

  /**
   * Judges of one rung.
   *
   * @param plans what was asked of its client
   * @param gaps of the host before the run; null = it was not looked at
   */
  RungJudges(RungPlans plans, @Nullable HostGaps gaps) {
    this.plans = plans;
    this.gaps = gaps;
  }

  /**
   * What the judges say.
   *
   * @param load with the reasons that make the rung invalid
   * @param aside reasons that make nothing invalid
   * @param hosts each host for the record; null of one host
   */
  record Judged(LoadResult load, Figures figures, List<Reason> aside, @Nullable List<RungHost> hosts) {}

  Judged of(RungServer server, Evidence seen) {
    Study study = plans.context().setup().study();
    Testbed bed = plans.stand().bed();
    BorderReadings borders = seen.borders();
    LoadResult known = seen.known();
    List<RungHost> hosts = seen.hosts().records(borders.steadyStart, borders.steadyEnd);
    Observed observed =
        new Observed(
            plans.context().stop().requested(),
            seen.ending(),
            borders.failure.isEmpty() ? seen.page().failure() : borders.failure,
            seen.changed(),
            server.mismatches(
                new RungServer.Loaded(
                    borders.ready, borders.steadyEnd, seen.load().connections().established(), seen.page().restart())),
            borders.steady,
            bed.serverElsewhere(),
            bed.clientsAfar(),
            seen.hosts().doubts(hosts, study.thresholds(), seen.load().placement().spins()),
            plans.stand().contender().entry().settings().network());
    Figures figures = figures(seen, known, observed);
    List<Reason> doubts =
        Judge.doubts(known, figures, observed, study.thresholds(), study.bounds().responseTimeP99Ns(), plans.askedPerS());
    QuotableReasons parted = QuotableReasons.of(doubts, known, LabMark.here());
    return new Judged(known.judged(parted.counting()), figures, parted.aside(), hosts);
  }

  private Figures figures(Evidence seen, LoadResult known, Observed observed) {
    BorderReadings borders = seen.borders();
    SideSpeeds speeds = borders.speeds;
    Figures measured =
        Figures.measured(
                borders.readings(
                    known, plans.stand().used(), observed.serverElsewhere(), seen.ofOneProcess(), gaps, observed.clientsAfar()))
            .with(HostMetrics.HOST_WORK, speeds == null ? null : speeds.serverNs())
            .with(HostMetrics.CLIENT_WORK, speeds == null ? null : speeds.clientNs());
    return NetworkMetrics.cut(NetworkMetrics.counted(measured, borders.ready, borders.after), borders.cut);
  }
}
