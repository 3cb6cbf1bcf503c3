package echoladder.harness.soak;

import java.io.IOException;

/** What is soaked, as it can be looked at. */
@FunctionalInterface
interface Sampled {
  /**
   * Looks now, right after a collection.
   *
   * @param seconds since the first sample
   * @throws IOException where it does not answer
   */
  SoakSample at(double seconds) throws IOException;
}
