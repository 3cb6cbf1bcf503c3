package echoladder.openloop.shard;

import echoladder.openloop.result.ShardStatus;
import echoladder.openloop.result.TimeKind;
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
    @Nullable String error, @Nullable ShardStatus status, @Nullable Map<TimeKind, byte[]> histograms) {
  static ShardReply done() {
    return new ShardReply(null, null, null);
  }
}
