package echoladder.openloop.shard;

import echoladder.client.figures.StagedFigures;
import echoladder.openloop.result.ShardStatus;
import echoladder.openloop.result.TimeKind;
import java.io.IOException;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** One process's part of a load: this one, or a child. Driven by one thread; every call returns soon. */
public interface Shard extends AutoCloseable {
  /** Begins to connect at that time; told too late, as in all that follow, it does nothing. */
  void ramp(long startNs) throws IOException;

  /** Begins the send schedule at that time, which has not come yet. */
  void schedule(long startNs) throws IOException;

  /** Sets the steady state, which has not begun yet; set again, what counted for the one before is forgotten. */
  void steady(long startNs, long endNs) throws IOException;

  /** Ends the drain: whatever is unanswered is accounted for; {@link ShardStatus#settled} tells when. */
  void finish() throws IOException;

  /** Once settled: from that time on opens each connection again that ends. */
  void storm(long startNs) throws IOException;

  /** Once settled: asks each connection for one more echo, from that time on. */
  void rollCall(long startNs) throws IOException;

  ShardStatus status() throws IOException;

  /** Adds what was recorded since the last call. */
  void addIntervalTo(Map<TimeKind, Histogram> into) throws IOException;

  /** Adds the times of a staged load by request, recorded since the last call; such a load has one shard, a local one. */
  default void addRequestsTo(Map<String, Histogram> into) {}

  /** What a staged load showed, once settled; null of another load. */
  default @Nullable StagedFigures staged() {
    return null;
  }

  /** Closes the connections and ends. */
  @Override
  void close();
}
