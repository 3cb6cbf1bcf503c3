package echoladder.harness.published;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Points of no run, with one figure or the other. */
final class MadeUpPoints {
  private MadeUpPoints() {}

  static Point memory(String run, int connections, double ready, double each, @Nullable Double kernel) {
    return memory(run, "shared", connections, ready, each, kernel);
  }

  static Point memory(String run, String place, int connections, double ready, double each, @Nullable Double kernel) {
    return new Point(
        "made-up", run, "server", Map.of(), place, connections, 1_000, 64, 1, new Point.Memory(ready, each, kernel), Point.Cpu.NONE);
  }

  static Point cpu(String run, String place, int connections, double ratePerS, double least, double median, double most) {
    return cpu(run, 2, place, connections, ratePerS, least, median, most);
  }

  static Point cpu(
      String run, int repeats, String place, int connections, double ratePerS, double least, double median, double most) {
    return new Point(
        "made-up", run, "server", Map.of(), place, connections, ratePerS, 64, repeats, new Point.Memory(null, null, null),
        new Point.Cpu(least, median, most));
  }
}
