package echoladder.openloop.connection;

import echoladder.client.Churn;
import echoladder.client.LoadPlan;
import echoladder.client.Target;
import echoladder.linux.sockets.EphemeralPorts;
import echoladder.linux.sockets.SocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a load's connections come from and go to. Connection {@code g} takes source {@code g mod sources} and, for
 * each round through them, the next target, so that all tuples fill evenly.
 *
 * @param sources none = the kernel's choice
 * @param targets at least one
 */
public record Addresses(List<SocketAddress> sources, List<SocketAddress> targets) {

  /**
   * Chooses the addresses of a load: those of the plan, or as many of 127.0.0.0/8 as a loopback target needs to stay
   * within half of the ephemeral range per (source, destination, port).
   *
   * @throws PlanNotPossible where a target may not be loaded, does not resolve, or the ports do not suffice
   */
  public static Addresses of(LoadPlan plan, EphemeralPorts ports) throws PlanNotPossible {
    List<SocketAddress> targets = new ArrayList<>();
    for (Target target : plan.targets()) {
      SocketAddress address = resolve(target.host(), target.port());
      TargetPolicy.check(address, target, plan.allowedTargets());
      targets.add(address);
    }
    List<SocketAddress> sources = new ArrayList<>();
    for (String source : plan.sourceAddresses()) {
      sources.add(resolve(source, 0));
    }
    long perTuple = ports.perTuple();
    if (perTuple < 1) {
      throw new PlanNotPossible("no ephemeral port is usable: " + range(ports));
    }
    long needed = Math.ceilDiv(plan.ports(), perTuple * targets.size());
    if (plan.planPorts() && sources.isEmpty() && needed > 1 && targets.stream().allMatch(t -> t.hostBits() >>> 24 == 127)) {
      for (int i = 0; i < needed; i++) {
        sources.add(loopback(i));
      }
    }
    long tuples = (long) Math.max(1, sources.size()) * targets.size();
    if (plan.planPorts() && plan.ports() > tuples * perTuple) {
      throw new PlanNotPossible(
          "%s do not fit: %s gives %,d usable ports per source, destination and port, half of which are "
                  .formatted(needs(plan), range(ports), ports.usable())
              + "planned (%,d), times %,d address pairs = %,d; give at least %,d addresses with --source-address, or "
                  .formatted(perTuple, tuples, tuples * perTuple, needed)
              + "more targets, or widen the range; see runbooks/symptoms/ephemeral-ports-exhausted.md");
    }
    return new Addresses(List.copyOf(sources), List.copyOf(targets));
  }

  private static String needs(LoadPlan plan) {
    String connections = "%,d connections".formatted(plan.connections());
    return plan.churn() == null
        ? connections
        : connections
            + " and the %,d ports that churn of %s leaves in TIME-WAIT (the client closes first; %d s each)"
                .formatted(plan.ports() - plan.connections(), plan.churn().rate(), Churn.TIME_WAIT_SECONDS);
  }

  private static String range(EphemeralPorts ports) {
    return "ip_local_port_range %d-%d with %,d reserved".formatted(ports.first(), ports.last(), ports.reserved());
  }

  /** Source {@code i} of 127.0.0.0/8, from 127.0.0.2 on, 250 to each /24. */
  private static SocketAddress loopback(int i) throws PlanNotPossible {
    return resolve("127." + i / 62_500 + "." + i / 250 % 250 + "." + (2 + i % 250), 0);
  }

  private static SocketAddress resolve(String host, int port) throws PlanNotPossible {
    try {
      return SocketAddress.of(host, port);
    } catch (UnknownHostException e) {
      throw new PlanNotPossible("cannot resolve '" + host + "': " + e.getMessage(), e);
    }
  }
}
