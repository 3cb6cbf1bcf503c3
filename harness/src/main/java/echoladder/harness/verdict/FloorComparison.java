package echoladder.harness.verdict;

import echoladder.harness.results.RungRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sets every server's CPU per echo beside that of the floor in the same repeat of the same rung. Pure. */
public final class FloorComparison {
  private record At(int connections, int repeat) {
    static At of(RungRecord rung) {
      return new At(rung.connections(), rung.repeat());
    }
  }

  private FloorComparison() {}

  /**
   * The same rungs with the comparison filled in. Only a valid rung of the floor is compared with.
   *
   * @param floor label of the reference; null = none in this study
   */
  public static List<RungRecord> of(List<RungRecord> rungs, @Nullable String floor) {
    Map<At, Double> floorUs = new HashMap<>();
    for (RungRecord rung : rungs) {
      if (rung.server().equals(floor) && rung.load() != null && rung.valid()) {
        Double us = rung.load().serverCpuUsPerEcho();
        if (us != null && us > 0) {
          floorUs.put(At.of(rung), us);
        }
      }
    }
    return rungs.stream().map(rung -> compared(rung, floorUs.get(At.of(rung)))).toList();
  }

  private static RungRecord compared(RungRecord rung, @Nullable Double floorUs) {
    if (rung.load() == null || rung.probes() == null) {
      return rung;
    }
    Double us = rung.load().serverCpuUsPerEcho();
    return us == null || floorUs == null
        ? rung.with(rung.probes().withFloor(null, null))
        : rung.with(rung.probes().withFloor(us - floorUs, us / floorUs));
  }
}
