package echoladder.openloop.shard;

import echoladder.client.LoadPlan;
import echoladder.linux.process.DescriptorLimit;
import echoladder.openloop.connection.Addresses;
import echoladder.openloop.connection.PlanNotPossible;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** How a load is cut into processes: as few as the descriptor limit allows, each with the same number of loops. */
public final class Shards {
  /** Descriptors a client process needs besides its connections: the JVM's files, epoll, pipes. */
  public static final int RESERVED_DESCRIPTORS = 256;

  private static final int MOST = 256;

  private Shards() {}

  /** Processes needed to hold the plan's connections under a soft limit. */
  public static int count(int connections, long softLimit) throws PlanNotPossible {
    long each = softLimit - RESERVED_DESCRIPTORS;
    long needed = each < 1 ? Long.MAX_VALUE : Math.ceilDiv((long) connections, each);
    if (needed > MOST) {
      throw new PlanNotPossible(
          "%,d connections need more than %d client processes: the descriptor limit is %,d, of which %d are kept; "
                  .formatted(connections, MOST, softLimit, RESERVED_DESCRIPTORS)
              + "raise it (ulimit -n); see runbooks/symptoms/descriptor-limit.md");
    }
    return (int) needed;
  }

  /** Loops beside a server on the same processors: one up to four, then one for each four. One loop drives some 30,000 echoes/s. */
  public static int loopsBeside(int processors) {
    return Math.max(1, processors / 4);
  }

  /** Loops per process. */
  public static int loops(LoadPlan plan, int shards) {
    if (plan.staged() != null) {
      // A user's connections belong together.
      return 1;
    }
    int chosen = plan.loops() > 0 ? plan.loops() : loopsBeside(Runtime.getRuntime().availableProcessors());
    return Math.max(1, Math.min(chosen, plan.connections()) / shards);
  }

  /** Starts them; where one cannot be started, those already started are closed again. */
  public static List<Shard> open(LoadPlan plan, Addresses addresses) throws IOException, PlanNotPossible {
    int shards = count(plan.connections(), DescriptorLimit.own().soft());
    int loops = loops(plan, shards);
    if (plan.staged() != null && shards > 1) {
      throw new PlanNotPossible(
          "a staged load runs in one client process, and %,d connections do not fit into one: the descriptor limit is %,d; "
                  .formatted(plan.connections(), DescriptorLimit.own().soft())
              + "raise it (ulimit -n); see runbooks/symptoms/descriptor-limit.md");
    }
    if (plan.publish() != null && shards > 1) {
      throw new PlanNotPossible(
          "a load that publishes runs in one client process, and %,d connections do not fit into one: the descriptor limit is %,d; "
                  .formatted(plan.connections(), DescriptorLimit.own().soft())
              + "raise it (ulimit -n); see runbooks/symptoms/descriptor-limit.md");
    }
    if (shards == 1) {
      JitWarmUp.run(plan);
      return List.of(new LocalShard(plan, addresses, 0, 1, loops));
    }
    List<Shard> started = new ArrayList<>();
    try {
      for (int i = 0; i < shards; i++) {
        started.add(RemoteShard.start(plan, i, shards, loops));
      }
      return started;
    } catch (IOException | RuntimeException e) {
      started.forEach(Shard::close);
      throw e;
    }
  }
}
