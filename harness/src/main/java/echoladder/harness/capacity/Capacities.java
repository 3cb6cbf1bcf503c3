package echoladder.harness.capacity;

import echoladder.harness.common.Units;
import echoladder.harness.results.CapacityRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.study.Capacity;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answers of a run's capacity searches, set beside the floor's: what the floor holds is the most that the client can ask. Pure. */
public final class Capacities {
  /** From this share of the floor's capacity on, what ends a server may as well be the client. */
  public static final double OF_CEILING = 0.8;

  private Capacities() {}

  /**
   * One row for each server and connection count that was tried, in the study's order; none of a study that searches nothing.
   *
   * @param floors for each server's label that of the reference it is compared with
   */
  public static List<CapacityRecord> of(Study study, List<RungRecord> rungs, Map<String, String> floors) {
    Capacity capacity = study.capacity();
    if (capacity == null) {
      return List.of();
    }
    List<CapacityRecord> rows = new ArrayList<>();
    for (int connections : study.rungs()) {
      for (Study.Entry entry : study.servers()) {
        Search search = Search.of(study, entry, connections, rungs);
        if (!search.tries().isEmpty()) {
          rows.add(search.record(entry.label(), connections, capacity.mostPerS()));
        }
      }
    }
    return rows.stream().map(row -> bounded(row, floor(row, rows, floors.get(row.server())))).toList();
  }

  private static @Nullable CapacityRecord floor(CapacityRecord row, List<CapacityRecord> rows, @Nullable String floor) {
    return rows.stream()
        .filter(other -> other.server().equals(floor) && other.connections() == row.connections())
        .findFirst()
        .orElse(null);
  }

  private static CapacityRecord bounded(CapacityRecord row, @Nullable CapacityRecord floor) {
    return new CapacityRecord(
        row.server(), row.connections(), row.capacityHeldPerS(), row.capacityNotHeldPerS(), row.undecidedPerS(), row.confirmed(), row.end(),
        row.gaveWay(), row.capacityHeldPerS() == null ? null : lowerBound(row, floor), row.tries());
  }

  private static @Nullable String lowerBound(CapacityRecord row, @Nullable CapacityRecord floor) {
    Double top = row.capacityNotHeldPerS();
    if (floor != null && floor.server().equals(row.server())) {
      return "it is the client's ceiling";
    }
    if (floor == null || floor.capacityHeldPerS() == null) {
      return "the client's ceiling is not known, as the floor held no rate beside it";
    }
    if (top == null) {
      return "no rate above it was shown not to be held";
    }
    return top < OF_CEILING * floor.capacityHeldPerS()
        ? null
        : "%s/s is within 80 %% of the client's ceiling, the floor's %s/s"
            .formatted(Units.plain(top), Units.plain(floor.capacityHeldPerS()));
  }
}
