package echoladder.harness.soak;

import java.io.IOException;
import java.util.List;

/** Short rungs that the ladder climbs in its own process. */
@FunctionalInterface
public interface ShortRungs {
  /**
   * One run of them.
   *
   * @param wrong what no busy host explains, in sentences; none = nothing
   */
  record Climbed(int rungs, List<String> wrong) {
    public Climbed {
      wrong = List.copyOf(wrong);
    }
  }

  /**
   * Climbs some.
   *
   * @param between is called after each rung, while nothing runs
   * @throws IOException where the run cannot be written
   */
  Climbed climb(Runnable between) throws IOException;
}
