package echoladder.openloop;

import echoladder.client.Target;
import echoladder.linux.SocketAddress;
import java.util.List;

/** Which hosts may be loaded: loopback, the private ranges of RFC 1918 and RFC 6598, and what the user lists. */
final class TargetPolicy {
  private TargetPolicy() {}

  static void check(SocketAddress address, Target target, List<String> allowed) throws PlanNotPossible {
    if (!address.isLoopbackOrPrivate() && !allowed.contains(target.host())) {
      throw new PlanNotPossible(
          "refusing to load %s: it is neither loopback nor private (10/8, 172.16/12, 192.168/16, 100.64/10); "
                  .formatted(address)
              + "if it is yours, say --allow-target " + target.host());
    }
  }
}
