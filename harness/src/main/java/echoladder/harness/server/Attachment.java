package echoladder.harness.server;

import echoladder.client.PushPaths;
import echoladder.client.Target;
import echoladder.client.page.MetricsPage;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A server that somebody else started, on this host or another: where it echoes and where it tells of itself.
 *
 * @param target where it accepts
 * @param metrics its Prometheus page
 * @param allowed hosts outside loopback and private ranges that the user lists as his to load
 * @param push where it is subscribed to and published to as text; null = as the project's servers are
 */
public record Attachment(Target target, URI metrics, List<String> allowed, @Nullable PushPaths push) {
  public Attachment {
    allowed = List.copyOf(allowed);
  }

  /** Where a server of the contract is told to collect garbage: beside its metrics page. */
  public URI gc() {
    return metrics.resolve(metrics.getRawPath().replaceFirst("[^/]*$", "gc"));
  }

  /**
   * What is wrong with a page that says which server it is of; empty where nothing is, or where it does not say.
   *
   * @param name of the server.yaml that it should be of
   */
  public String complaint(MetricsPage page, String name) {
    String told = page.label("echo_server_info", "server");
    return told == null || told.equals(name)
        ? ""
        : "the page " + metrics + " is of the server '" + told + "', not of '" + name + "' as the study has it";
  }

  /** Whether the target is an address of this host, so that both ends share its processors and kernel. */
  public boolean sameHost() {
    try {
      InetAddress address = InetAddress.getByName(target.host());
      return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (UnknownHostException | SocketException e) {
      // What cannot be resolved is refused elsewhere; it is none of this host's.
      return false;
    }
  }
}
