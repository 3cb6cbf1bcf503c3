package echoladder.openloop.run;

import echoladder.client.Phase;
import echoladder.client.Progress;
import echoladder.client.figures.StagedFigures;
import java.io.IOException;

/** Told of a load by the run itself; {@link #hold} blocks for as long as the connections shall be kept. */
public interface LoadEvents {
  void phase(Phase phase, long monotonicNs);

  void progress(Progress progress);

  /** What a staged load showed. */
  default void staged(StagedFigures figures) {}

  void hold() throws IOException;
}
