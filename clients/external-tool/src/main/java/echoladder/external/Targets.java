package echoladder.external;

import echoladder.client.LoadPlan;
import echoladder.client.Target;
import echoladder.linux.sockets.SocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/** The targets of a plan, resolved, and none of them somebody else's by a slip of the finger. */
public final class Targets {
  private Targets() {}

  /** IPv4 addresses in the plan's order; a target that does not resolve or may not be loaded is refused. */
  public static List<SocketAddress> of(LoadPlan plan) throws UnfitPlanException {
    List<SocketAddress> addresses = new ArrayList<>();
    for (Target target : plan.targets()) {
      SocketAddress address;
      try {
        address = SocketAddress.of(target.host(), target.port());
      } catch (UnknownHostException e) {
        throw new UnfitPlanException("cannot resolve '" + target.host() + "': " + e.getMessage(), e);
      }
      if (!address.isLoopbackOrPrivate() && !plan.allowedTargets().contains(target.host())) {
        throw new UnfitPlanException(
            "refusing to load %s: it is neither loopback nor private; if it is yours, say --allow-target %s"
                .formatted(address, target.host()));
      }
      addresses.add(address);
    }
    return addresses;
  }
}
