package echoladder.harness.cli.run;

import echoladder.harness.client.InstalledClients;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.host.Fleet;
import echoladder.harness.host.Inventory;
import echoladder.harness.results.Environment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --hosts}: the other hosts on which a run has its server and its clients. */
final class HostsOption {
  static final String NAME = "--hosts";

  @Option(
      names = NAME,
      paramLabel = "INVENTORY",
      description =
          "Start servers on the host of group 'servers' in this Ansible inventory and load them from the hosts of group 'clients',"
          + " over ssh. Each host must have this ladder in its echo_ladder_dir.")
  private @Nullable Path inventory;

  boolean given() {
    return inventory != null;
  }

  /**
   * Refuses what means nothing with it.
   *
   * @param other as the user gave it
   * @param given whether that was so
   * @param why and what to do instead
   */
  void refuseBeside(String other, boolean given, String why) {
    if (inventory != null && given) {
      throw Refusal.badUsage("%s cannot be given with %s: %s".formatted(NAME, other, why));
    }
  }

  /** A control process on each host; null where the option is not given. */
  @Nullable Fleet open(Checkout checkout, InstalledClients clients) {
    if (inventory == null) {
      return null;
    }
    if (!Files.exists(inventory)) {
      throw Refusal.badUsage(NAME + " " + inventory + ": there is no such file");
    }
    return Fleet.open(Inventory.read(inventory.toString()), checkout, clients.openLoop());
  }

  /** A control process on each host for a resumed run, which must be on the hosts on which it began. */
  @Nullable Fleet again(Checkout checkout, InstalledClients clients, Map<String, @Nullable Object> environment) {
    boolean begun = environment.get(Environment.HOSTS) instanceof Map<?, ?>;
    if (begun != given()) {
      throw Refusal.badUsage(
          begun
              ? "the run began on the hosts %s: name their inventory with %s".formatted(names(environment), NAME)
              : "the run began on one host: leave " + NAME + " out");
    }
    Fleet fleet = open(checkout, clients);
    if (fleet != null && !Set.copyOf(names(environment)).equals(fleet.environment().keySet())) {
      List<String> now = List.copyOf(fleet.environment().keySet());
      fleet.close();
      throw Refusal.badUsage(
          "the run began on the hosts %s and %s %s has %s: rungs of other hosts do not compare with the rungs it has"
              .formatted(names(environment), NAME, inventory, now));
    }
    return fleet;
  }

  private static List<String> names(Map<String, @Nullable Object> environment) {
    return environment.get(Environment.HOSTS) instanceof Map<?, ?> hosts ? hosts.keySet().stream().map(String::valueOf).toList()
        : List.of();
  }

  /** As it stands in a command that does a run again, with a space before it; empty without it. */
  String asOptions() {
    return inventory == null ? "" : " " + NAME + " " + inventory;
  }
}
