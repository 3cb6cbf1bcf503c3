package echoladder.harness.tune;

import echoladder.harness.limits.KnownLimit;
import java.util.Set;

/** How far a setting reaches. */
public enum Scope {
  /** One value for the whole kernel. */
  HOST,
  /** A value per network namespace. */
  NETWORK;

  /** Those below net. that limit nothing here and have one value, which other namespaces than the first one do not show. */
  private static final Set<String> HOST_BELOW_NET =
      Set.of("net.ipv4.udp_mem", "net.nf_conntrack_max");

  /** Those of net.core that limit nothing here and have one value per namespace; the others of net.core are the host's. */
  private static final Set<String> NETWORK_OF_CORE =
      Set.of("net.core.optmem_max", "net.core.txrehash", "net.core.rps_default_mask");

  /** How far the setting of that key reaches. */
  public static Scope of(String key) {
    return KnownLimit.ofSetting(key)
        .map(limit -> limit.reach() == KnownLimit.Reach.NETWORK ? NETWORK : HOST)
        .orElseGet(() -> ofOther(key));
  }

  private static Scope ofOther(String key) {
    if (!key.startsWith("net.") || HOST_BELOW_NET.contains(key)) {
      return HOST;
    }
    return key.startsWith("net.core.") && !NETWORK_OF_CORE.contains(key) ? HOST : NETWORK;
  }
}
