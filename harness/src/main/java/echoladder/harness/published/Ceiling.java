package echoladder.harness.published;

import echoladder.harness.common.Units;
import echoladder.harness.results.ClimbRecord.End;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What stops a server, by its published climbs: the one that held most, and the lowest end beyond that.
 *
 * @param highest held most
 * @param beyond ended at more connections than any climb held; null = no climb went further than the highest
 */
record Ceiling(ClimbEnd highest, @Nullable ClimbEnd beyond) {
  /**
   * What stops one server. Among climbs that held as many, one on a host comes before one in a lab, then the one with the
   * fewest options, then the latest.
   *
   * @return empty where no climb held a rung
   */
  static Optional<Ceiling> of(List<ClimbEnd> climbs) {
    return climbs.stream()
        .filter(climb -> climb.held() > 0)
        .min(
            Comparator.comparingInt((ClimbEnd climb) -> -climb.held())
                .thenComparingInt(climb -> climb.place().equals(Point.LAB) ? 1 : 0)
                .thenComparingInt(climb -> climb.options().size())
                .thenComparing(ClimbEnd::runId, Comparator.reverseOrder()))
        .map(highest -> new Ceiling(highest, beyond(climbs, highest.held())));
  }

  private static @Nullable ClimbEnd beyond(List<ClimbEnd> climbs, int held) {
    return climbs.stream()
        .filter(climb -> at(climb) > held)
        .min(Comparator.comparingInt(Ceiling::at).thenComparing(ClimbEnd::runId, Comparator.reverseOrder()))
        .orElse(null);
  }

  private static int at(ClimbEnd climb) {
    Integer at = climb.endedAt();
    return at == null ? 0 : at;
  }

  /** In words: {@code memory, at 2,000,000}. */
  String stopped() {
    if (beyond == null) {
      return "nothing up to " + Units.count(highest.held());
    }
    String by = beyond.endedBy().isEmpty() ? ClimbEnd.id(beyond.end()) : beyond.endedBy();
    return "%s, %s %s".formatted(by, beyond.end() == End.OUT_OF_REACH ? "before" : "at", Units.count(at(beyond)));
  }
}
