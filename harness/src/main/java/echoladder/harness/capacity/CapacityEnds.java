package echoladder.harness.capacity;

import echoladder.client.ClimbEffect;
import echoladder.client.Reason;
import echoladder.harness.common.Units;
import echoladder.harness.results.CapacityRecord;
import echoladder.harness.results.ClimbRecord.End;
import echoladder.harness.results.ClimbRecord;
import echoladder.harness.results.RungRecord.Status;
import echoladder.harness.results.RungRecord;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How the climb of each server over the connection counts ended where a capacity is searched at each of them. Pure. */
public final class CapacityEnds {
  private CapacityEnds() {}

  /** Why no more is to be searched of a server with these rows; null where its climb goes on. */
  public static @Nullable String before(String server, List<CapacityRecord> rows) {
    return rows.stream()
        .filter(row -> row.server().equals(server) && ended(row))
        .map(CapacityEnds::nothingHeld)
        .findFirst()
        .orElse(null);
  }

  /** A rate that was in doubt says nothing of more connections. */
  private static boolean ended(CapacityRecord row) {
    return row.capacityHeldPerS() == null && (row.end() == CapacityRecord.End.FIRST_RATE || failed(row));
  }

  private static boolean failed(CapacityRecord row) {
    return row.gaveWay().stream().anyMatch(doubt -> doubt.reason().onClimb() == ClimbEffect.SERVER_FAILED);
  }

  private static String nothingHeld(CapacityRecord row) {
    return "no rate was held at %s connections: %s".formatted(Units.count(row.connections()), said(row));
  }

  /** The climbs of a run with these rows. */
  public static List<ClimbRecord> climbs(Study study, List<RungRecord> rungs, List<CapacityRecord> rows, boolean interrupted) {
    List<ClimbRecord> climbs = new ArrayList<>();
    for (Study.Entry entry : study.servers()) {
      List<CapacityRecord> own = rows.stream().filter(row -> row.server().equals(entry.label())).toList();
      List<RungRecord> not =
          rungs.stream().filter(rung -> rung.server().equals(entry.label()) && rung.status() != Status.MEASURED).toList();
      climbs.add(climb(entry.label(), study, own, not, interrupted));
    }
    return climbs;
  }

  private static ClimbRecord climb(
      String server, Study study, List<CapacityRecord> rows, List<RungRecord> not, boolean interrupted) {
    Integer highest = null;
    for (CapacityRecord row : rows) {
      if (row.capacityHeldPerS() != null) {
        highest = row.connections();
      } else if (ended(row)) {
        return new ClimbRecord(
            server, highest, failed(row) ? End.SERVER_FAILED : End.NOT_HELD, row.connections(), nothingHeld(row), null);
      }
    }
    for (RungRecord rung : not) {
      if (rung.status() == Status.OUT_OF_REACH || rung.status() == Status.CLIENT_MISSING) {
        End end = rung.status() == Status.OUT_OF_REACH ? End.OUT_OF_REACH : End.CLIENT_MISSING;
        return new ClimbRecord(server, highest, end, rung.connections(), Objects.requireNonNull(rung.statusReason()), null);
      }
    }
    if (rows.size() == study.rungs().size() && rows.stream().noneMatch(row -> row.end() == CapacityRecord.End.UNFINISHED)) {
      return new ClimbRecord(
          server, highest, End.TOP_OF_STUDY, null,
          "its highest rate was searched at each connection count, up to " + Units.count(study.rungs().getLast()), null);
    }
    return interrupted
        ? new ClimbRecord(server, highest, End.INTERRUPTED, null, "the run was stopped", null)
        : new ClimbRecord(server, highest, End.UNFINISHED, null, "the run had not ended when this was written", null);
  }

  private static String said(CapacityRecord row) {
    return row.gaveWay().stream().map(CapacityEnds::said).collect(Collectors.joining("; "));
  }

  private static String said(Reason doubt) {
    return doubt.reason().id() + ": " + doubt.detail();
  }
}
