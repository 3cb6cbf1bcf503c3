package echoladder.openloop;

import echoladder.client.LoadPlan;
import echoladder.openloop.shard.ShardLine;
import java.io.IOException;

/** A host that carries a part of a load. */
public interface ClientHost {
  /** Its name in the inventory. */
  String name();

  /** Its part. */
  LoadPlan plan();

  /** Processes that its part is cut into, 1 or more. */
  int shards();

  /** Event loops of each, 1 or more. */
  int loops();

  /** Starts a process there that holds a shard. */
  ShardLine open() throws IOException;
}
