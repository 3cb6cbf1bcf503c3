package echoladder.harness.judgement;

import echoladder.client.Protocol;
import echoladder.harness.metric.Figures;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.Quoting;
import echoladder.harness.results.RungKey;
import echoladder.harness.results.RungRecord;
import echoladder.harness.study.Study;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sets every server's CPU per echo beside that of the floor in the same repeat of the same rung. Pure. */
public final class FloorComparison {
  private FloorComparison() {}

  /**
   * Fills in the comparison of each rung. Only a valid rung of the floor is compared with.
   *
   * @param floors for each server's label that of the reference it is compared with; without one there is none
   */
  public static List<RungRecord> of(List<RungRecord> rungs, Map<String, String> floors) {
    Map<RungKey, RungRecord> valid = new HashMap<>();
    for (RungRecord rung : rungs) {
      if (floors.containsValue(rung.server()) && rung.valid()) {
        valid.put(rung.key(), rung);
      }
    }
    return rungs.stream().map(rung -> compared(rung, valid, floors.get(rung.server()))).toList();
  }

  private static RungRecord compared(RungRecord rung, Map<RungKey, RungRecord> valid, @Nullable String floor) {
    return compared(rung, floor == null ? null : valid.get(rung.key().of(floor)));
  }

  /**
   * Which reference each server is compared with: the one of its protocol that is under the same load and the same kernel settings,
   * as an echo costs the kernel something else under others. Where there is none of its protocol, the first one.
   *
   * @param references labels of the study's references
   * @param speaks what the server of a label does
   */
  public static Map<String, String> floors(Study study, Set<String> references, Function<String, Protocol> speaks) {
    Map<String, String> floors = new HashMap<>();
    for (Study.Entry entry : study.servers()) {
      study.servers().stream()
          .filter(floor -> references.contains(floor.label()))
          .filter(floor -> study.load(floor).equals(study.load(entry)))
          .filter(floor -> floor.settings().sysctl().equals(entry.settings().sysctl()))
          .filter(floor -> floor.settings().loopback().equals(entry.settings().loopback()))
          .min(Comparator.comparing(floor -> speaks.apply(floor.label()) != speaks.apply(entry.label())))
          .ifPresent(floor -> floors.put(entry.label(), floor.label()));
    }
    return floors;
  }

  private static RungRecord compared(RungRecord rung, @Nullable RungRecord floor) {
    if (rung.load() == null || rung.figures().equals(Figures.NONE)) {
      return rung;
    }
    Double us = LoadMetrics.SERVER_CPU.value(rung);
    Double floorUs = positive(LoadMetrics.SERVER_CPU, floor);
    Double hostUs = HostMetrics.CPU_PER_ECHO.value(rung);
    Double hostFloorUs = positive(HostMetrics.CPU_PER_ECHO, floor);
    return rung.with(
        rung.figures()
            .with(HostMetrics.CPU_ABOVE_FLOOR, us == null || floorUs == null ? null : (Double) (us - floorUs))
            .with(HostMetrics.HOST_CPU_ABOVE_FLOOR, hostUs == null || hostFloorUs == null ? null : (Double) (hostUs - hostFloorUs))
            .with(HostMetrics.CPU_MULTIPLE_OF_FLOOR, us == null || floorUs == null ? null : (Double) (us / floorUs)));
  }

  private static @Nullable Double positive(Metric figure, @Nullable RungRecord floor) {
    Double us = floor == null || Quoting.withheld(figure, floor) ? null : figure.value(floor);
    return us == null || us <= 0 ? null : us;
  }
}
