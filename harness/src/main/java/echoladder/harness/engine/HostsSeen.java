package echoladder.harness.engine;

import echoladder.client.Doubt;
import echoladder.client.Invalidity;
import echoladder.client.LoadResult;
import echoladder.harness.host.Fleet;
import echoladder.harness.host.Inventory;
import echoladder.harness.probe.Figure;
import echoladder.harness.probe.Reading;
import echoladder.harness.results.RungHost;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Each host of a rung by itself: from its own result, its own readings, and its clock.
 *
 * @param clocks against this host's, before and after the rung, by the host's name
 */
record HostsSeen(Fleet fleet, BorderReadings borders, List<Map.Entry<String, LoadResult>> byHost, Map<String, Fleet.Clocks> clocks) {
  /** The server's first. */
  List<RungHost> records() {
    List<RungHost> hosts = new ArrayList<>();
    hosts.add(host(fleet.serverHost(), Inventory.SERVERS, null, borders.steadyStart, borders.steadyEnd));
    for (String client : fleet.clientHosts()) {
      LoadResult load =
          byHost.stream().filter(of -> of.getKey().equals(client)).map(Map.Entry::getValue).findFirst().orElse(null);
      hosts.add(host(client, Inventory.CLIENTS, load, of(borders.steadyStart, client), of(borders.steadyEnd, client)));
    }
    return hosts;
  }

  private static @Nullable Reading of(@Nullable Reading reading, String client) {
    return reading == null ? null : reading.clientHosts().get(client);
  }

  private RungHost host(String name, String group, @Nullable LoadResult load, @Nullable Reading start, @Nullable Reading end) {
    Fleet.Clocks clock = clocks.get(name);
    return new RungHost(
        name,
        group,
        load == null ? null : (Integer) load.connections().requested(),
        load == null ? null : (Integer) load.connections().established(),
        load == null ? null : (Double) load.pace().achievedPerS(),
        load == null ? null : load.times().response().p50Ns(),
        load == null ? null : load.times().response().p99Ns(),
        load == null ? null : load.times().sendLateness().p99Ns(),
        load == null ? null : load.cost().clientCpuUsPerEcho(),
        load == null ? null : load.cost().clientRssBytes(),
        share(start, end, Figure.HOST_IDLE_NS),
        share(start, end, Figure.HOST_STEAL_NS),
        clock == null ? null : (Long) clock.before().aheadNs(),
        clock == null ? null : (Long) Math.max(clock.before().uncertaintyNs(), clock.after().uncertaintyNs()),
        clock == null ? null : (Long) clock.before().driftNs(clock.after()));
  }

  private static @Nullable Double share(@Nullable Reading start, @Nullable Reading end, Figure of) {
    if (start == null || end == null) {
      return null;
    }
    OptionalLong part = end.since(start, of);
    OptionalLong all = end.since(start, Figure.HOST_CPU_NS);
    return part.isEmpty() || all.isEmpty() || all.getAsLong() <= 0
        ? null
        : (Double) Math.clamp((double) part.getAsLong() / all.getAsLong(), 0, 1);
  }

  /** Clocks that cannot be compared closely enough, or ran apart. */
  List<Doubt> clockDoubts() {
    List<Doubt> doubts = new ArrayList<>();
    clocks.forEach(
        (host, clock) ->
            clock.before().complaint(host, clock.after()).ifPresent(why -> doubts.add(new Doubt(Invalidity.CLOCKS_APART, why))));
    return doubts;
  }
}
