package echoladder.harness.host;

import echoladder.harness.common.Refusal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The hosts of a run, as an inventory of Ansible has them in the groups {@link #SERVERS} and {@link #CLIENTS}. Pure.
 *
 * @param server where servers are started
 * @param clients that load them, at least one
 */
public record Inventory(InventoryHost server, List<InventoryHost> clients) {
  /** The group of the host that servers are started on. */
  public static final String SERVERS = "servers";

  /** The group of those that load them. */
  public static final String CLIENTS = "clients";

  private static final int MOST_GROUPS = 1_000;

  private static final String PAGE = "; see runbooks/procedures/climb-on-two-hosts.md";

  public Inventory {
    clients = List.copyOf(clients);
  }

  /** Reads that file by the {@code ansible-inventory} on PATH. */
  public static Inventory read(String file) {
    return parse(AnsibleInventory.list(file), file);
  }

  /**
   * From what {@code ansible-inventory --list} prints.
   *
   * @param file as messages name it
   * @throws Refusal (bad usage) with one line that says what is wrong
   */
  public static Inventory parse(String json, String file) {
    JsonNode root;
    try {
      root = JsonMapper.shared().readTree(json);
    } catch (JacksonException e) {
      throw Refusal.badUsage("--hosts " + file + ": ansible-inventory --list printed no JSON: " + e.getOriginalMessage());
    }
    List<InventoryHost> servers = group(root, SERVERS, file);
    List<InventoryHost> clients = group(root, CLIENTS, file);
    if (servers.size() > 1) {
      throw Refusal.badUsage(
          "--hosts %s: a run starts its servers on one host, and the group '%s' has %d: %s; keep one of them in it"
              .formatted(file, SERVERS, servers.size(), names(servers)));
    }
    List<InventoryHost> all = new ArrayList<>(servers);
    all.addAll(clients);
    refuseTwice(all, file, InventoryHost::name, "is in both groups: each host has one part");
    InventoryHost server = servers.getFirst();
    if (server.address() == null) {
      throw Refusal.badUsage(
          "--hosts %s: %s has no echo_ladder_address, the address of the test network that its servers listen at"
              .formatted(file, server.name()));
    }
    refuseTwice(all, file, host -> host.connectTo() + " port " + (host.port() == null ? 22 : host.port()), "is reached under two names");
    refuseTwice(all, file, InventoryHost::address, "is the echo_ladder_address of two hosts");
    refuseSharedSources(server, clients, file);
    return new Inventory(server, clients);
  }

  private static String names(List<InventoryHost> hosts) {
    return String.join(", ", hosts.stream().map(InventoryHost::name).toList());
  }

  private static void refuseTwice(List<InventoryHost> all, String file, Function<InventoryHost, @Nullable String> of, String why) {
    Set<String> seen = new TreeSet<>();
    for (InventoryHost host : all) {
      String what = of.apply(host);
      if (what != null && !seen.add(what)) {
        throw Refusal.badUsage("--hosts %s: a host twice: %s %s".formatted(file, what, why));
      }
    }
  }

  /** Two hosts with one address answer for each other's connections; one that stands there twice has no more ports. */
  private static void refuseSharedSources(InventoryHost server, List<InventoryHost> clients, String file) {
    Set<String> seen = new TreeSet<>(Set.of(String.valueOf(server.address())));
    for (InventoryHost client : clients) {
      for (String source : client.sources()) {
        if (!seen.add(source)) {
          throw Refusal.badUsage(
              "--hosts %s: the source address %s of %s stands there twice, or is another host's".formatted(file, source, client.name()));
        }
      }
    }
  }

  private static List<InventoryHost> group(JsonNode root, String group, String file) {
    Set<String> names = new LinkedHashSet<>();
    gather(root, group, names, new HashSet<>(), file);
    if (names.isEmpty()) {
      throw Refusal.badUsage(
          "--hosts %s: the group '%s' has no host; an inventory has a host in '%s' and one or more in '%s'%s"
              .formatted(file, group, SERVERS, CLIENTS, PAGE));
    }
    return names.stream().map(name -> host(name, group, root.path("_meta").path("hostvars").path(name), file)).toList();
  }

  /** Groups of groups, each once: Ansible itself refuses circles. */
  private static void gather(JsonNode root, String group, Set<String> into, Set<String> seen, String file) {
    if (seen.size() == MOST_GROUPS) {
      throw Refusal.badUsage("--hosts %s: more than %,d groups within groups, as no inventory of a run has".formatted(file, MOST_GROUPS));
    }
    if (seen.add(group)) {
      root.path(group).path("hosts").forEach(host -> into.add(name(host, group, file)));
      root.path(group).path("children").forEach(child -> gather(root, name(child, group, file), into, seen, file));
    }
  }

  private static String name(JsonNode of, String group, String file) {
    if (!of.isValueNode()) {
      throw Refusal.badUsage("--hosts %s: ansible-inventory --list printed %s in the group '%s', where a name is expected"
          .formatted(file, of, group));
    }
    return of.asString();
  }

  private static InventoryHost host(String name, String group, JsonNode variables, String file) {
    Variables of = new Variables(variables, name, file);
    String dir = of.text("echo_ladder_dir");
    if (dir == null || !dir.startsWith("/")) {
      throw Refusal.badUsage(
          "--hosts %s: echo_ladder_dir of %s is %s; it is where the ladder is on that host, absolute"
              .formatted(file, name, dir == null ? "missing" : "'" + dir + "'"));
    }
    String connectTo = of.text("ansible_host");
    List<String> cores = of.list("echo_ladder_cores");
    String address = of.text("echo_ladder_address");
    List<String> sources = of.addresses("echo_ladder_source_addresses");
    if (address != null && !sources.isEmpty() && !sources.contains(address)) {
      // They are further addresses, beside that one.
      sources = Stream.concat(Stream.of(address), sources.stream()).toList();
    }
    return new InventoryHost(
        name, group, connectTo == null ? name : connectTo, of.text("ansible_user"), of.port("ansible_port"),
        of.text("ansible_ssh_private_key_file"), of.words("ansible_ssh_common_args"), dir, address,
        cores.isEmpty() ? null : of.cpus(String.join(",", cores)), sources);
  }
}
