package echoladder.openloop.run;

import echoladder.client.LoadPlan;
import echoladder.openloop.connection.PlanNotPossible;
import echoladder.openloop.shard.Shard;
import java.io.IOException;
import java.util.List;

/** How the processes of a load come to be: on this host, or on several. */
@FunctionalInterface
public interface ShardLauncher {
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
