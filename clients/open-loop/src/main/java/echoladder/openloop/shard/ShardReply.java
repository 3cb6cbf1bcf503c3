package echoladder.openloop.shard;

import echoladder.openloop.result.Kind;
import echoladder.openloop.result.ShardStatus;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a {@link ShardRequest}.
 *
 * @param error what went wrong, or null
 * @param status to STATUS
 * @param histograms to INTERVAL: compressed HdrHistograms by kind
 */
record ShardReply(
    @Nullable String error, @Nullable ShardStatus status, @Nullable Map<Kind, byte[]> histograms) {
  static ShardReply done() {
    return new ShardReply(null, null, null);
  }
}
