package echoladder.openloop.shard;

import echoladder.client.LoadPlan;
import org.jspecify.annotations.Nullable;

/**
 * One line from the process that runs a load to a child that holds a shard of it. Each is answered by one
 * {@link ShardReply} line.
 *
 * @param op what to do
 * @param plan with OPEN
 * @param index with OPEN: which shard
 * @param shards with OPEN: of how many
 * @param loops with OPEN: event loops of each
 * @param startNs with RAMP, SCHEDULE, STEADY, STORM, ROLL_CALL
 * @param endNs with STEADY
 */
record ShardRequest(
    Op op, @Nullable LoadPlan plan, int index, int shards, int loops, long startNs, long endNs) {
  enum Op {
    OPEN,
    RAMP,
    SCHEDULE,
    STEADY,
    FINISH,
    STORM,
    ROLL_CALL,
    STATUS,
    INTERVAL,
    CLOSE
  }

  static ShardRequest of(Op op) {
    return at(op, 0, 0);
  }

  static ShardRequest at(Op op, long startNs, long endNs) {
    return new ShardRequest(op, null, 0, 0, 0, startNs, endNs);
  }
}
