package echoladder.harness.verdict;

import echoladder.client.Doubt;
import echoladder.client.Invalidity;
import echoladder.client.LoadResult;
import echoladder.harness.results.ProbeFigures;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judges a rung: what the client says against its own measurement, by the study's thresholds, and what only the harness
 * can see. Pure.
 */
public final class Judge {
  /** Judged here from the figures, as the study and not the client sets their thresholds. */
  private static final Set<Invalidity> BY_THRESHOLD =
      Set.of(Invalidity.OFFERED_RATE_NOT_REACHED, Invalidity.LATE_SENDS, Invalidity.CLIENT_HICCUP);

  private Judge() {}

  /** A Poisson process of n messages has a deviation of sqrt(n), a constant schedule less: this many are no chance. */
  private static final double DEVIATIONS = 6;

  /**
   * Everything that speaks against the rung, the harness's reasons first; empty = valid.
   *
   * @param askedPerS messages per second that the client was asked to intend; 0 = users in stages decide it as they go
   */
  public static List<Doubt> doubts(
      LoadResult load, @Nullable ProbeFigures probes, Observed observed, Study.Thresholds thresholds, double askedPerS) {
    List<Doubt> doubts = new ArrayList<>();
    if (observed.stopRequested()) {
      add(doubts, Invalidity.INTERRUPTED, "the run was stopped after %.1f s of steady state"
          .formatted(load.steadySeconds()));
    }
    if (observed.serverEnding() != null) {
      add(doubts, Invalidity.SERVER_DIED, "the server " + observed.serverEnding() + " while it was loaded");
    } else if (!observed.metricsFailure().isEmpty() && !observed.stopRequested()) {
      add(doubts, Invalidity.METRICS_UNREACHABLE, observed.metricsFailure());
    }
    observed.mismatches().forEach(seen -> add(doubts, Invalidity.SERVER_MISMATCH, seen));
    for (Doubt doubt : load.verdictReasons()) {
      // A client that was told to stop, by the user or because its server was gone, has been spoken of above.
      boolean told = observed.stopRequested() || observed.serverEnding() != null;
      boolean consequence = doubt.reason() == Invalidity.INTERRUPTED && told;
      if (!BY_THRESHOLD.contains(doubt.reason()) && !consequence) {
        doubts.add(doubt);
      }
    }
    if (load.steadySeconds() > 0) {
      ofLoad(load, probes, thresholds, askedPerS, doubts);
    }
    if (probes != null) {
      ofHost(probes, thresholds, observed.serverElsewhere(), doubts);
    }
    for (String changed : observed.changedSettings()) {
      add(doubts, Invalidity.SETTING_CHANGED, changed);
    }
    return doubts;
  }

  private static void ofLoad(
      LoadResult load,
      @Nullable ProbeFigures probes,
      Study.Thresholds thresholds,
      double askedPerS,
      List<Doubt> doubts) {
    if (load.scheduled() == 0) {
      add(doubts, Invalidity.OFFERED_RATE_NOT_REACHED, "no message was intended within the steady state");
      return;
    }
    double asked = askedPerS * load.steadySeconds();
    if (load.scheduled() < thresholds.achievedShareLeast() * asked - DEVIATIONS * Math.sqrt(asked)) {
      add(doubts, Invalidity.OFFERED_RATE_NOT_REACHED, "the client intended %,d messages where %,.6g/s over %.1f s are %,.0f (achieved_share_least %s)"
          .formatted(
              load.scheduled(), askedPerS, load.steadySeconds(), asked, percent(thresholds.achievedShareLeast())));
    }
    double achieved = (double) load.echoesInSteady() / load.scheduled();
    if (achieved < thresholds.achievedShareLeast()) {
      add(doubts, Invalidity.OFFERED_RATE_NOT_REACHED, "%,d echoes in a steady state that intended %,d, %s (achieved_share_least %s)"
          .formatted(load.echoesInSteady(), load.scheduled(), percent(achieved), percent(thresholds.achievedShareLeast())));
    }
    double late = (double) load.lateSends() / load.scheduled();
    if (late > thresholds.lateShareMost()) {
      add(doubts, Invalidity.LATE_SENDS, "%,d of %,d sends were over 1 ms late though their connection was free, %s (late_share_most %s)%s"
          .formatted(
              load.lateSends(), load.scheduled(), percent(late), percent(thresholds.lateShareMost()), stolen(probes)));
    }
    Long hiccup = load.hiccup().maxNs();
    if (hiccup != null && hiccup > thresholds.hiccupMostNs()) {
      add(doubts, Invalidity.CLIENT_HICCUP, "a timed wait of the client overran by %.0f ms (hiccup_most %.0f ms)"
          .formatted(hiccup / 1e6, thresholds.hiccupMostNs() / 1e6));
    }
  }

  /** A virtual machine that is not given its processors in time makes sends late without being the client's fault. */
  private static String stolen(@Nullable ProbeFigures probes) {
    Double steal = probes == null ? null : probes.hostStealShare();
    return steal == null || steal == 0 ? "" : "; meanwhile the hypervisor took %s of the host's CPU".formatted(percent(steal));
  }

  private static void ofHost(
      ProbeFigures probes, Study.Thresholds thresholds, boolean serverElsewhere, List<Doubt> doubts) {
    String host = serverElsewhere ? "the client's host's CPU" : "the host's CPU";
    Double idle = probes.hostIdleShare();
    if (idle != null && idle < thresholds.hostIdleShareLeast()) {
      add(doubts, Invalidity.HOST_SATURATED, "%s of %s was idle (host_idle_share_least %s)"
          .formatted(percent(idle), host, percent(thresholds.hostIdleShareLeast())));
    }
    Double steal = probes.hostStealShare();
    if (steal != null && steal > thresholds.stealShareMost()) {
      add(doubts, Invalidity.HOST_TOO_NOISY, "%s of %s was taken by the hypervisor (steal_share_most %s)"
          .formatted(percent(steal), host, percent(thresholds.stealShareMost())));
    }
    Double foreign = probes.foreignCpuShare();
    if (foreign != null && foreign > thresholds.foreignCpuShareMost()) {
      add(doubts, Invalidity.HOST_TOO_NOISY,
          "%s of %s went to %s (foreign_cpu_share_most %s)"
              .formatted(percent(foreign), host, serverElsewhere ? "others than the client" : "neither server nor client", percent(thresholds.foreignCpuShareMost())));
    }
  }

  private static void add(List<Doubt> doubts, Invalidity reason, String detail) {
    doubts.add(new Doubt(reason, detail));
  }

  private static String percent(double share) {
    return "%.2f %%".formatted(share * 100);
  }
}
