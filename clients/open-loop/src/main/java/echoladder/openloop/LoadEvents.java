package echoladder.openloop;

import echoladder.client.Phase;
import echoladder.client.Progress;
import java.io.IOException;

/** Told of a load by the run itself; {@link #hold} blocks for as long as the connections shall be kept. */
interface LoadEvents {
  void phase(Phase phase, long monotonicNs);

  void progress(Progress progress);

  void hold() throws IOException;
}
