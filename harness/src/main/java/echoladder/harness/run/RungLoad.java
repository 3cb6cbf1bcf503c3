package echoladder.harness.run;

import echoladder.client.LoadPlan;
import echoladder.client.Protocol;
import echoladder.client.Target;
import echoladder.harness.client.LoadTools;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyLoad;
import java.time.Duration;
import java.util.List;

/** From a study's words to what a client is asked for. Pure. */
public final class RungLoad {
  private RungLoad() {}

  /**
   * The load of one rung against a server at that place.
   *
   * @param ratePerS the rung's own, over all of its connections
   * @param steady how long its steady state lasts; of users in stages, their stages
   */
  public static LoadPlan.Builder of(
      Study study, Study.Entry entry, int connections, double ratePerS, Duration steady, Protocol protocol, Target target) {
    StudyLoad load = study.load(entry);
    Study.Phases phases = study.phases();
    LoadPlan.Builder builder =
        load.staged() != null
            ? LoadPlan.builder(target, load.staged().load(LoadTools.ofId(entry.client()).loop()))
            : LoadPlan.builder(target, connections, ratePerS, steady);
    List<String> addresses = entry.settings().client().targetAddresses();
    if (!addresses.isEmpty()) {
      builder.targets(addresses.stream().map(address -> new Target(address, target.port())).toList());
    }
    return builder
        .protocol(protocol)
        .planPorts(entry.settings().client().planPorts())
        .schedule(load.schedule())
        .seed(load.seedOf(1))
        .spin(Duration.ofNanos(load.spinNs()))
        .messageBytes(load.messageBytes())
        .inFlight(load.inFlight())
        .activeShare(load.activeShare())
        .churn(load.churn())
        .publish(load.published())
        .slowReaders(load.slow())
        .tls(load.overTls())
        .storm(load.storm() == null ? null : load.storm().storm())
        .connectsPerSecond(phases.connectsPerS())
        .connectsUnderWay(phases.acceptStallNs() > 0 ? connections : LoadPlan.CONNECTS_UNDER_WAY)
        .connectTimeout(Duration.ofNanos(phases.connectTimeoutNs()))
        .warmUp(
            Duration.ofNanos(phases.warmUpMinNs()),
            Duration.ofNanos(phases.warmUpMaxNs()),
            phases.warmUpEchoes(ratePerS))
        .drain(Duration.ofNanos(phases.drainNs()));
  }
}
