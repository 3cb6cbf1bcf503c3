package echoladder.openloop.run;

import echoladder.client.LoadPlan;
import echoladder.linux.sockets.EphemeralPorts;
import echoladder.openloop.connection.Addresses;
import echoladder.openloop.connection.PlanNotPossible;
import echoladder.openloop.shard.Shard;
import echoladder.openloop.shard.Shards;
import java.io.IOException;
import java.util.List;

/** How the processes of a load come to be: on this host, or on several. */
@FunctionalInterface
public interface Opening {
  /** On this host, in as few processes as its descriptor limit allows. */
  Opening HERE =
      plan -> {
        Addresses addresses = Addresses.of(plan, EphemeralPorts.read());
        List<Shard> shards = Shards.open(plan, addresses);
        List<String> sources = addresses.sources().stream().map(a -> a.toString().replaceFirst(":0$", "")).toList();
        return new Opened(shards, shards.size() * Shards.loops(plan, shards.size()), sources, PerHost.NONE);
      };

  /**
   * Starts them all; where one cannot be started, those already started are closed again.
   *
   * @throws PlanNotPossible where the load cannot be begun
   */
  Opened open(LoadPlan plan) throws IOException, PlanNotPossible;

  /**
   * What was opened.
   *
   * @param loops event loops over all of them
   * @param sources addresses that are connected from; none = the kernel's choice
   * @param perHost what each host shows by itself; {@link PerHost#NONE} of one host
   */
  record Opened(List<Shard> shards, int loops, List<String> sources, PerHost perHost) {
    public Opened {
      shards = List.copyOf(shards);
      sources = List.copyOf(sources);
    }
  }
}
