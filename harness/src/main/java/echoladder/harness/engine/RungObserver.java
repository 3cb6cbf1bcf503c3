package echoladder.harness.engine;

import echoladder.client.Phase;
import echoladder.harness.plan.Rung;
import echoladder.harness.run.RunContext;
import echoladder.harness.run.RungServer;
import echoladder.harness.run.Stand;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Watches or disturbs one rung besides its traffic. The thread that follows the client tells it of phases; the thread of the rung makes
 * it right before the load, and closes it right after. What it has changed is undone when {@link #close} returns.
 */
interface RungObserver extends AutoCloseable {
  /** A phase begins, and its border has not been read: what this takes belongs to the phase before. */
  default void leaving(Phase next) {}

  /** A phase has begun at {@code monotonicNs} (CLOCK_MONOTONIC), and its border has been read. */
  default void entered(Phase now, long monotonicNs) {}

  /** Whether it ended the server, so that this end is no failure. Any thread. */
  default boolean endedServer() {
    return false;
  }

  /**
   * How the server ended by itself that it put in the place of the one that it ended; null where that server did not end.
   *
   * @param doubted as of {@link RungServer#ending}
   */
  default @Nullable String ending(boolean doubted) {
    return null;
  }

  @Override
  default void close() {}

  /** Makes the observer of one rung. */
  @FunctionalInterface
  interface Factory {
    /**
     * The server is ready and has no connection.
     *
     * @return null where this rung is not to be observed
     * @throws IOException where it should be, and cannot; the rung is then invalid
     */
    @Nullable RungObserver of(Subject subject) throws IOException;
  }

  /**
   * A rung that is about to be loaded.
   *
   * @param borders take what an observer has to record
   */
  record Subject(RunContext context, Rung rung, Stand stand, RungServer server, BorderReadings borders) {}
}
