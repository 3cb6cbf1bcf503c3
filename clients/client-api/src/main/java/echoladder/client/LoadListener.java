package echoladder.client;

import echoladder.client.figures.StagedFigures;

/**
 * Told of a load while it runs. Called from one thread; a slow listener delays only further events,
 * except that the connections of {@link Phase#HOLD} are held in silence until it returns.
 */
public interface LoadListener {
  /** A phase began at {@code monotonicNs} (CLOCK_MONOTONIC, as {@link System#nanoTime()} on Linux). */
  void phase(Phase phase, long monotonicNs);

  /** About once a second. */
  void progress(Progress progress);

  /** What a staged load showed, once, before the connections are held; other loads never say it. */
  default void staged(StagedFigures figures) {}

  /** About once a second, where a load tool of others says something of itself while it runs. */
  default void said(ToolSaid said) {}
}
