package echoladder.harness.judgement;

import static java.util.stream.Collectors.joining;

import echoladder.client.Blame;
import echoladder.client.LoadJudge;
import echoladder.client.LoadResult;
import echoladder.client.PhaseBoundary;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.harness.common.Units;
import echoladder.harness.metric.Figures;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.Percentile;
import echoladder.harness.metric.Quoting;
import echoladder.harness.metric.ServerTimes;
import echoladder.harness.metric.Times;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Judges a rung: what the client says against its own measurement, by the study's thresholds, and what only the harness
 * can see. Pure.
 */
public final class Judge {
  private Judge() {}

  /**
   * Everything that speaks against the rung, the harness's reasons first; empty = valid.
   *
   * @param responseTimeP99Ns the study's bound on the p99 of the server time, of the response time where there are no stamps
   * @param askedPerS messages per second that the client was asked to intend; 0 = users in stages decide it as they go
   */
  public static List<Reason> doubts(
      LoadResult load, Figures figures, Observed observed, Study.Thresholds thresholds, long responseTimeP99Ns, double askedPerS) {
    if (observed.stopRequested()) {
      return LoadJudge.ofStopped(
          new Reason(ReasonCode.INTERRUPTED, "the run was stopped after %.1f s of steady state".formatted(load.pace().steadySeconds())),
          load.verdictReasons());
    }
    List<Reason> doubts = new ArrayList<>();
    if (observed.serverEnding() != null) {
      add(doubts, ReasonCode.SERVER_DIED, "the server " + observed.serverEnding() + " while it was loaded");
    } else if (!observed.metricsFailure().isEmpty()) {
      add(doubts, ReasonCode.METRICS_UNREACHABLE, observed.metricsFailure());
    }
    long lateMostNs = PhaseBoundary.mostNs(thresholds.hiccupMostNs());
    observed.borders().forEach(border -> border.doubt(lateMostNs).ifPresent(doubts::add));
    observed.mismatches().forEach(seen -> add(doubts, ReasonCode.SERVER_MISMATCH, seen));
    List<Reason> ofClients = new ArrayList<>(load.verdictReasons());
    ofClients.addAll(Objects.requireNonNullElse(observed.ofClientHosts(), List.of()));
    for (Reason doubt : ofClients) {
      // A load tool's own bounds are not the study's. A client that was told to stop because its server was gone has been spoken of
      // above.
      boolean consequence = doubt.reason() == ReasonCode.INTERRUPTED && observed.serverEnding() != null;
      // The client does not know what the study bears.
      boolean borne = doubt.reason() == ReasonCode.BORDER_LATE && lateMostNs > PhaseBoundary.mostNs();
      if (!doubt.reason().byBound() && !consequence && !borne) {
        doubts.add(doubt);
      }
    }
    List<Part> parts = parts(load, figures, observed);
    doubts.addAll(
        LoadJudge.doubts(
            load.pace(), load.messages(), LoadJudge.ClientDelays.of(load.hiccup(), load.times(), load.crowd()), thresholds.ofLoad(),
            askedPerS, stolen(parts, figures)));
    doubts.addAll(LoadJudge.churn(load.crowd(), thresholds.ofLoad()));
    Times kind = ServerTimes.of(load);
    Long p99 = ServerTimes.percentiles(load).p99Ns();
    boolean gaps = Quoting.gaps(kind, Percentile.P99, figures);
    if (p99 != null && p99 > responseTimeP99Ns && !gaps) {
      add(doubts, ReasonCode.RESPONSE_TIME_BEYOND_BOUND, "%s p99 was %s, the study's bound is %s"
          .formatted(kind.words(), Units.time(p99), Units.time(responseTimeP99Ns)));
    }
    // A p99 that the host's gaps made spoils nothing by having moved.
    doubts.addAll(LoadJudge.drift(gaps ? load.drift().ofCpu() : load.drift(), thresholds.ofDrift()));
    ofHost(parts, figures, thresholds, observed, doubts);
    doubts.addAll(NetworkJudge.doubts(observed.network(), figures));
    for (String changed : observed.changedSettings()) {
      add(doubts, ReasonCode.SETTING_CHANGED, changed);
    }
    return starved(doubts);
  }

  /**
   * Where client and server together left the host no time, and nobody else took any, the client was late because it starved:
   * what it missed is part of the result, and no fault of its own.
   */
  private static List<Reason> starved(List<Reason> doubts) {
    boolean full = doubts.stream().anyMatch(doubt -> doubt.reason() == ReasonCode.HOST_SATURATED);
    boolean others = doubts.stream().anyMatch(doubt -> doubt.reason().blame() == Blame.OTHERS);
    if (!full || others) {
      return doubts;
    }
    List<Reason> late = doubts.stream().filter(doubt -> doubt.reason().ofStarving()).toList();
    String beside = late.stream().map(doubt -> "; the client starved beside it: " + doubt.detail()).collect(joining());
    return doubts.stream()
        .filter(doubt -> !late.contains(doubt))
        .map(doubt -> doubt.reason() == ReasonCode.HOST_SATURATED ? new Reason(doubt.reason(), doubt.detail() + beside) : doubt)
        .toList();
  }

  /**
   * Processors that are judged by themselves.
   *
   * @param cpu whose CPU it is, in words
   * @param saturated what it means that little of it is idle; null = nothing, as a client that polls leaves none
   */
  private record Part(String cpu, Metric idle, Metric steal, @Nullable ReasonCode saturated) {}

  private static String host(Observed observed) {
    return observed.clientsAfar() ? "the server's host's CPU" : observed.serverElsewhere() ? "the client's host's CPU" : "the host's CPU";
  }

  /** Those of server and client where each has its own; else all of the host, which they share. */
  private static List<Part> parts(LoadResult load, Figures figures, Observed observed) {
    LoadResult.Placement at = load.placement();
    if (figures.value(HostMetrics.SERVER_CPUS_IDLE_SHARE) == null || figures.value(HostMetrics.CLIENT_CPUS_IDLE_SHARE) == null) {
      ReasonCode ofClient = at.spins() ? null : ReasonCode.CLIENT_SATURATED;
      return List.of(
          new Part(
              host(observed), HostMetrics.IDLE_SHARE, HostMetrics.STEAL_SHARE,
              observed.clientsAfar() ? ReasonCode.SERVER_SATURATED : observed.serverElsewhere() ? ofClient : ReasonCode.HOST_SATURATED));
    }
    return List.of(
        new Part(
            "the CPU of the server's processors (%s)".formatted(at.serverCpus()),
            HostMetrics.SERVER_CPUS_IDLE_SHARE, HostMetrics.SERVER_CPUS_STEAL_SHARE, ReasonCode.SERVER_SATURATED),
        new Part(
            "the CPU of the client's processors (%s)".formatted(at.clientCpus()),
            HostMetrics.CLIENT_CPUS_IDLE_SHARE, HostMetrics.CLIENT_CPUS_STEAL_SHARE,
            at.spins() ? null : ReasonCode.CLIENT_SATURATED));
  }

  /** A virtual machine that is not given its processors in time makes sends late without being the client's fault. */
  private static String stolen(List<Part> parts, Figures figures) {
    Part ofClient = parts.getLast();
    Double steal = figures.value(ofClient.steal());
    return steal == null || steal == 0 ? ""
        : "; meanwhile the hypervisor took %s of %s".formatted(LoadJudge.percent(steal), ofClient.cpu());
  }

  private static void ofHost(
      List<Part> parts, Figures figures, Study.Thresholds thresholds, Observed observed, List<Reason> doubts) {
    for (Part part : parts) {
      Double idle = figures.value(part.idle());
      if (part.saturated() != null && idle != null && idle < thresholds.hostIdleShareLeast() && !taken(part, figures, thresholds)) {
        add(doubts, part.saturated(), "%s of %s was idle (host_idle_share_least %s)"
            .formatted(LoadJudge.percent(idle), part.cpu(), LoadJudge.percent(thresholds.hostIdleShareLeast())));
      }
    }
    for (Part part : parts) {
      Double steal = figures.value(part.steal());
      if (steal != null && steal > thresholds.stealShareMost()) {
        add(doubts, ReasonCode.HOST_TOO_NOISY, "%s of %s was taken by the hypervisor (steal_share_most %s)"
            .formatted(LoadJudge.percent(steal), part.cpu(), LoadJudge.percent(thresholds.stealShareMost())));
      }
    }
    Double foreign = figures.value(HostMetrics.FOREIGN_SHARE);
    if (foreign != null && foreign > thresholds.foreignCpuShareMost()) {
      add(doubts, ReasonCode.HOST_TOO_NOISY,
          "%s of %s went to %s (foreign_cpu_share_most %s)"
              .formatted(
                  LoadJudge.percent(foreign), host(observed), others(observed),
                  LoadJudge.percent(thresholds.foreignCpuShareMost())));
    }
  }

  /** Whether others took so much of these processors that without them enough would have been idle: noise is no saturation. */
  private static boolean taken(Part part, Figures figures, Study.Thresholds thresholds) {
    double idle = share(figures, part.idle(), 0);
    double steal = share(figures, part.steal(), thresholds.stealShareMost());
    double foreign = share(figures, HostMetrics.FOREIGN_SHARE, thresholds.foreignCpuShareMost());
    return steal + foreign > 0 && idle + steal + foreign >= thresholds.hostIdleShareLeast();
  }

  /** A share that is over a bound; else 0. */
  private static double share(Figures figures, Metric of, double bound) {
    Double share = figures.value(of);
    return share == null || share <= bound ? 0 : share;
  }

  private static String others(Observed observed) {
    return observed.clientsAfar() ? "others than the server" : observed.serverElsewhere() ? "others than the client"
        : "neither server nor client";
  }

  private static void add(List<Reason> doubts, ReasonCode reason, String detail) {
    doubts.add(new Reason(reason, detail));
  }
}
