package echoladder.harness.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which client hosts run on the kernel of the server's host, as network namespaces and containers of one machine do: nothing that they
 * send crosses a network, and they have its processors and its memory. By boot ids: virtual machines of one host have others. Pure.
 *
 * @param server boot id of the server's host
 * @param clients those of the client hosts, by their names
 */
record SharedKernel(String server, Map<String, String> clients) {
  /** The client hosts on it, in their order. */
  List<String> on() {
    return clients.entrySet().stream().filter(client -> client.getValue().equals(server)).map(Map.Entry::getKey).toList();
  }

  /**
   * Why they cannot be hosts of one run: what the server's host shows would be of some clients too and of others not; null
   * where they can.
   */
  @Nullable String mixed() {
    List<String> on = on();
    List<String> others = new ArrayList<>(clients.keySet());
    others.removeAll(on);
    return on.isEmpty() || others.isEmpty()
        ? null
        : ("the client hosts %s run on the kernel of the server's host (they have its boot id), and %s do not: CPU and kernel memory"
            + " there would"
                + " be of the server and of a part of the clients; leave the former out of the group '%s', see"
                + " runbooks/procedures/climb-on-two-hosts.md")
            .formatted(String.join(", ", on), String.join(", ", others), Inventory.CLIENTS);
  }
}
