package echoladder.harness.run;

import echoladder.client.LoadClient;
import echoladder.client.LoadResult;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.harness.host.Fleet;
import echoladder.harness.host.Inventory;
import echoladder.harness.judgement.HostsJudge;
import echoladder.harness.probe.Figure;
import echoladder.harness.probe.Reading;
import echoladder.harness.results.RungHost;
import echoladder.harness.study.Study;
import echoladder.openloop.LoadOverHosts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Each host of a rung by itself: from its own result, its own readings, and its clock against this host's before and after the rung. */
final class HostsSeen implements Testbed.EachHost {
  private final Fleet fleet;
  private final LoadClient client;
  private Map<String, Fleet.Clocks> clocks = Map.of();

  /** By the results of that client, once it has loaded. */
  HostsSeen(Fleet fleet, LoadClient client) {
    this.fleet = fleet;
    this.client = client;
  }

  @Override
  public void loaded() throws IOException {
    clocks = fleet.compareClocksAgain();
  }

  @Override
  public List<RungHost> records(@Nullable Reading steadyStart, @Nullable Reading steadyEnd) {
    List<Map.Entry<String, LoadResult>> byHost = client instanceof LoadOverHosts over ? over.byHost() : List.of();
    List<RungHost> hosts = new ArrayList<>();
    hosts.add(host(fleet.serverHost(), Inventory.SERVERS, null, steadyStart, steadyEnd));
    for (String name : fleet.clientHosts()) {
      LoadResult load =
          byHost.stream().filter(of -> of.getKey().equals(name)).map(Map.Entry::getValue).findFirst().orElse(null);
      hosts.add(host(name, Inventory.CLIENTS, load, of(steadyStart, name), of(steadyEnd, name)));
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

  /** Clocks that cannot be compared closely enough, or ran apart, and what the records show. */
  @Override
  public List<Reason> doubts(@Nullable List<RungHost> records, Study.Thresholds thresholds, boolean spins) {
    List<Reason> doubts = new ArrayList<>();
    clocks.forEach(
        (host, clock) ->
            clock.before().complaint(host, clock.after()).ifPresent(why -> doubts.add(new Reason(ReasonCode.CLOCKS_APART, why))));
    doubts.addAll(HostsJudge.doubts(Objects.requireNonNull(records), thresholds, spins));
    return doubts;
  }
}
