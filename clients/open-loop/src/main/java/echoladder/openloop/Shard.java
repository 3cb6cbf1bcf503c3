package echoladder.openloop;

import java.io.IOException;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** One process's part of a load: this one, or a child. Driven by one thread; every call returns soon. */
interface Shard extends AutoCloseable {
  /** Begins to connect at that time. */
  void ramp(long startNs) throws IOException;

  /** Begins the send schedule at that time, which has not come yet. */
  void schedule(long startNs) throws IOException;

  /** Sets the steady state, which has not begun yet. */
  void steady(long startNs, long endNs) throws IOException;

  /** Ends the drain: whatever is unanswered is accounted for; {@link ShardStatus#settled} tells when. */
  void finish() throws IOException;

  ShardStatus status() throws IOException;

  /** Adds what was recorded since the last call. */
  void addIntervalTo(Map<Kind, Histogram> into) throws IOException;

  /** Closes the connections and ends. */
  @Override
  void close();
}
