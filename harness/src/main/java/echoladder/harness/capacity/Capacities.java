package echoladder.harness.capacity;

import echoladder.harness.common.Units;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.results.CapacityRecord.Outcome;
import echoladder.harness.results.CapacityRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.study.Capacity;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The answers of a run's capacity searches, set beside the floor's: what the floor holds is the most that the client can ask. Pure. */
public final class Capacities {
  /** From this share of the floor's capacity on, what ends a server may as well be the client. */
  public static final double OF_CEILING = 0.8;
  /** A client with less of its processors idle may be what a server waits for. */
  private static final double CLIENT_IDLE_LEAST = 0.15;

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
    return rows.stream().map(row -> bounded(row, floor(row, rows, floors.get(row.server())), rungs)).toList();
  }

  private static @Nullable CapacityRecord floor(CapacityRecord row, List<CapacityRecord> rows, @Nullable String floor) {
    return rows.stream()
        .filter(other -> other.server().equals(floor) && other.connections() == row.connections())
        .findFirst()
        .orElse(null);
  }

  private static CapacityRecord bounded(CapacityRecord row, @Nullable CapacityRecord floor, List<RungRecord> rungs) {
    return new CapacityRecord(
        row.server(), row.connections(), row.capacityHeldPerS(), row.capacityNotHeldPerS(), row.undecidedPerS(), row.confirmed(), row.end(),
        row.gaveWay(), row.capacityHeldPerS() == null ? null : lowerBound(row, floor, rungs), row.tries());
  }

  private static @Nullable String lowerBound(CapacityRecord row, @Nullable CapacityRecord floor, List<RungRecord> rungs) {
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
    if (top >= OF_CEILING * floor.capacityHeldPerS()) {
      return "%s/s is within 80 %% of the client's ceiling, the floor's %s/s"
          .formatted(Units.plain(top), Units.plain(floor.capacityHeldPerS()));
    }
    double idle = clientIdle(row, top, rungs);
    return idle >= CLIENT_IDLE_LEAST
        ? null
        : "the client's processors were up to %s busy at %s/s".formatted(Units.percent(1 - idle), Units.plain(top));
  }

  /** Idle share of the client's processors in the fullest of the tries that showed a rate not to be held; 1 where none has it. */
  private static double clientIdle(CapacityRecord row, double ratePerS, List<RungRecord> rungs) {
    return row.tries().stream()
        .filter(one -> one.ratePerS() == ratePerS && one.outcome() != Outcome.HELD)
        .flatMap(one -> row.rung(one, rungs).stream())
        // A client that polls leaves none idle, whatever it has to do.
        .filter(rung -> rung.load() != null && !Objects.requireNonNull(rung.load()).placement().spins())
        .map(HostMetrics.CLIENT_CPUS_IDLE_SHARE::value)
        .filter(Objects::nonNull)
        .mapToDouble(Double::doubleValue)
        .min()
        .orElse(1);
  }
}
