package echoladder.openloop.result;

import echoladder.client.figures.StagedFigures;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of the messages that count beside the histograms of the load: nothing; for a staged load the figures
 * of each stage and request; for bursts their times. Told by one event loop; asked by one other thread.
 */
public interface MessageObserver {
  /** Keeps nothing. */
  MessageObserver NONE = new MessageObserver() {};

  /** What was told counts no more, as the steady state begins later than was said. */
  default void anew() {}

  /** A message came due. */
  default void intended(int connection, long intendedNs) {}

  /** It goes out, as its connection was free. */
  default void leaves(long intendedNs, long nowNs) {}

  /** It was answered. */
  default void answered(int connection, Answer answer, MessageTimes times) {}

  /** It was lost with its connection. */
  default void failed(int connection, long intendedNs) {}

  /** It is unanswered at the end. */
  default void unanswered(int connection, MessageTimes times) {}

  /** Nothing is told from here on. */
  default void close(long nowNs) {}

  /** The figures, once closed; null where none are kept. */
  default @Nullable StagedFigures figures() {
    return null;
  }

  /** Adds the times recorded since the last call by the tag of the interval log. */
  default void addIntervalTo(Map<String, Histogram> into) {}
}
