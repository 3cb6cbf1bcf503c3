package echoladder.openloop.connection;

import echoladder.client.Target;
import echoladder.linux.sockets.SocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which hosts may be loaded: loopback, the private ranges of RFC 1918 and RFC 6598, and what the user lists. */
public final class TargetPolicy {
  private TargetPolicy() {}

  /**
   * Why a target may not be loaded; null where it may.
   *
   * @param allowed hosts that the user lists, as in {@link Target#host}
   */
  public static @Nullable String refusal(Target target, List<String> allowed) {
    try {
      check(SocketAddress.of(target.host(), target.port()), target, allowed);
      return null;
    } catch (UnknownHostException e) {
      return "cannot resolve '" + target.host() + "': " + e.getMessage();
    } catch (PlanNotPossible e) {
      return e.getMessage();
    }
  }

  static void check(SocketAddress address, Target target, List<String> allowed) throws PlanNotPossible {
    if (!address.isLoopbackOrPrivate() && !allowed.contains(target.host())) {
      throw new PlanNotPossible(
          "refusing to load %s: it is neither loopback nor private (10/8, 172.16/12, 192.168/16, 100.64/10); "
                  .formatted(address)
              + "if it is yours, say --allow-target " + target.host());
    }
  }
}
