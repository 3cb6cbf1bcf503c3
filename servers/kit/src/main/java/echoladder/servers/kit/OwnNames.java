package echoladder.servers.kit;

import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Set;

/**
 * The names by which a page may be called. A site can give its own name this host's loopback address: a browser then
 * takes the page for the site's (DNS rebinding). A page on loopback hears to loopback's names alone. A page that
 * listens elsewhere has names that only its user knows, and hears to all.
 */
final class OwnNames {
  private final boolean any;
  private final String given;

  OwnNames(InetSocketAddress address) {
    any = !address.getAddress().isLoopbackAddress();
    given = address.getHostString().toLowerCase(Locale.ROOT);
  }

  /** Whether a request with that Host, perhaps with a port, is for this page; no browser leaves it empty. */
  boolean has(String host) {
    String name = host.toLowerCase(Locale.ROOT).replaceFirst(":\\d*$", "");
    return any || Set.of("", "localhost", given).contains(name) || name.matches("127(\\.\\d{1,3}){3}");
  }
}
