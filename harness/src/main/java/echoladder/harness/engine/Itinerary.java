package echoladder.harness.engine;

import echoladder.harness.results.RungRecord;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Which rung is next, given what was measured. One thread. */
interface Itinerary extends AutoCloseable {
  /** The step to take now; null where none is left. Asked again before {@link #took}, it gives the same step. */
  @Nullable Step next();

  /**
   * Takes what a step brought into the run, and tells the user of it.
   *
   * @param step that {@link #next} gave last
   * @throws IOException where the run folder cannot be written
   */
  void took(Step step, RungRecord record) throws IOException;

  /** Ends what a step has left, where the run failed before it was taken in. */
  @Override
  default void close() {}
}
