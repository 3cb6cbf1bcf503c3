package echoladder.harness.run;

import echoladder.harness.plan.Rung;
import echoladder.harness.results.RungRecord;
import echoladder.harness.study.Profile;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The one stand that a climb has at a time, from its first rung until it is left. One thread. */
final class StandInUse {
  private final RunContext context;
  private final Map<String, Contender> contenders;
  private @Nullable Stand stand;
  private @Nullable Rung first;

  /**
   * None yet.
   *
   * @param contenders by their labels
   */
  StandInUse(RunContext context, Map<String, Contender> contenders) {
    this.context = context;
    this.contenders = Map.copyOf(contenders);
  }

  /** That of the rung before, or a new one. */
  Stand of(Rung rung) {
    Stand now = stand;
    if (now == null) {
      Contender contender = contenders.get(rung.label());
      if (contender == null) {
        throw new IllegalStateException("planned for a server that the study does not have: " + rung.label());
      }
      now = new Stand(context, rung.profile() == Profile.Kind.CPU ? contender.withFramePointers() : contender);
      stand = now;
      first = rung;
    }
    return now;
  }

  /** Whether the server that runs is the one whose first rung is to be repeated. */
  boolean hasFirstOf(Rung rung, List<RungRecord> records) {
    Stand now = stand;
    return now != null
        && records.stream()
            .filter(record -> record.key().equals(rung.key().first()))
            .anyMatch(record -> record.valid() && record.process() != null && now.runs(record.process().pid()));
  }

  /** Leaves one that the rung does not belong to. */
  void leaveUnlessOf(Rung rung) {
    if (first != null && !rung.inOneStandWith(first)) {
      leave();
    }
  }

  void leave() {
    if (stand != null) {
      stand.close();
    }
    stand = null;
    first = null;
  }
}
