package echoladder.client;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@link LoadPlan} that is being built: its parts, each with its default until it is said. */
final class LoadPlanDraft {
  Protocol protocol = Protocol.TCP;
  List<Target> targets;
  List<String> sourceAddresses = List.of();
  boolean planPorts = true;
  final int connections;
  final double ratePerSecond;
  Schedule schedule = Schedule.CONSTANT;
  long seed = 1;
  int messageBytes = 64;
  int inFlight = 1;
  double activeShare = 1;
  double connectsPerSecond = 5_000;
  int connectsUnderWay = LoadPlan.CONNECTS_UNDER_WAY;
  Duration connectTimeout = Duration.ofSeconds(10);
  Duration warmUpMin = Duration.ofSeconds(2);
  Duration warmUpMax = Duration.ofSeconds(10);
  long warmUpEchoes = 5_000;
  final Duration steady;
  Duration drain = Duration.ofSeconds(5);
  int loops;
  @Nullable String cpus;
  Duration spin = Duration.ZERO;
  @Nullable Long serverPid;
  @Nullable URI serverMetrics;
  List<String> allowedTargets = List.of();
  @Nullable StagedLoad staged;
  @Nullable Churn churn;
  @Nullable Storm storm;
  boolean serverTree;
  HttpAsk http = HttpAsk.ECHO;
  boolean stamps = true;
  @Nullable Publish publish;
  SlowReaders slowReaders = SlowReaders.NONE;
  @Nullable Tls tls;

  LoadPlanDraft(Target target, int connections, double ratePerSecond, Duration steady) {
    this.targets = List.of(target);
    this.connections = connections;
    this.ratePerSecond = ratePerSecond;
    this.steady = steady;
  }

  /** The plan. Less than one message is refused here and not by {@link LoadPlan}, as a host's part of a load may come to less. */
  LoadPlan plan() {
    LoadPlan plan = made();
    if (publish != null) {
      publish.check(plan);
    }
    slowReaders.check(plan);
    if (tls != null) {
      tls.check(plan);
    }
    String few = staged == null ? IntendedMessages.tooFew(connections, plan.publishesPerSecond(), plan.steady()) : null;
    Preconditions.check(few == null, "rate", ratePerSecond + "/s", String.valueOf(few));
    return plan;
  }

  private LoadPlan made() {
    return new LoadPlan(
        protocol, targets, sourceAddresses, planPorts, connections, ratePerSecond, schedule, seed, messageBytes, inFlight,
        activeShare, connectsPerSecond, connectsUnderWay, connectTimeout, warmUpMin, warmUpMax, warmUpEchoes, steady, drain,
        loops, cpus, spin,
        serverPid, serverMetrics, allowedTargets, staged, churn, storm, serverTree, http, stamps, publish, slowReaders, tls);
  }
}
