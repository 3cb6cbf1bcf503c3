package echoladder.harness.judgement;

import echoladder.client.Doubt;
import echoladder.client.Invalidity;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.results.RungRecord;
import echoladder.harness.study.Study;
import java.util.List;
import java.util.stream.Stream;

/**
 * Decides whether only the host's other work made a rung invalid. Such a rung says nothing of the server, so it is measured again.
 * The server's speed has no part in the decision: else the good outcomes would be chosen. Pure.
 */
public final class Disturbance {
  private Disturbance() {}

  /** Steal or foreign CPU beyond its bound, and no other reason but what follows from it: full processors, and a warm-up cut short. */
  public static boolean alone(RungRecord rung, Study.Thresholds thresholds) {
    if (rung.load() == null) {
      return false;
    }
    List<Invalidity> reasons = rung.load().verdictReasons().stream().map(Doubt::reason).toList();
    return reasons.contains(Invalidity.HOST_TOO_NOISY)
        && reasons.stream().allMatch(reason -> reason == Invalidity.HOST_TOO_NOISY || follows(reason, rung, thresholds));
  }

  /** Processors without idle CPU would have had enough of it, but for what others took; a warm-up needs more time with less CPU. */
  private static boolean follows(Invalidity reason, RungRecord rung, Study.Thresholds thresholds) {
    return switch (reason) {
      case HOST_SATURATED -> enough(rung, thresholds, HostMetrics.IDLE_SHARE, HostMetrics.STEAL_SHARE);
      case SERVER_SATURATED -> enough(rung, thresholds, HostMetrics.SERVER_CPUS_IDLE_SHARE, HostMetrics.SERVER_CPUS_STEAL_SHARE);
      case CLIENT_SATURATED -> enough(rung, thresholds, HostMetrics.CLIENT_CPUS_IDLE_SHARE, HostMetrics.CLIENT_CPUS_STEAL_SHARE);
      case WARM_UP_INCOMPLETE -> true;
      default -> false;
    };
  }

  private static boolean enough(RungRecord rung, Study.Thresholds thresholds, Metric idle, Metric steal) {
    double free =
        Stream.of(idle, steal, HostMetrics.FOREIGN_SHARE)
            .map(figure -> figure.value(rung))
            .mapToDouble(value -> value == null ? 0 : value)
            .sum();
    return free >= thresholds.hostIdleShareLeast();
  }
}
