package echoladder.harness.judgement;

import echoladder.harness.results.ClimbRecord.End;
import echoladder.harness.results.RungKey;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rungs that a run does not try any more. A rate that a server did not hold ends the higher rates at that connection count. Only the
 * lowest rate ends the higher connection counts too: what failed at a high rate says nothing of a low one at more connections.
 * With one rate that rate is the lowest. One thread.
 */
public final class EndedClimbs {
  private final Study study;
  private final List<Ended> all = new ArrayList<>();

  private record Ended(RungKey at, StopRule.Why why, boolean whole) {}

  /** None yet. */
  public EndedClimbs(Study study) {
    this.study = study;
  }

  /** A rung was not held, in as many repeats as it takes, see {@link StopRule#at}. */
  public void add(RungKey at, StopRule.Why why) {
    all.add(new Ended(at, why, whole(study, at, why.end())));
  }

  /** Why a rung is not tried; null where nothing speaks against it. */
  public StopRule.@Nullable Why of(RungKey rung) {
    return all.stream()
        .filter(ended -> ended.at().server().equals(rung.server()))
        .filter(ended -> ended.whole() || covers(ended.at(), rung))
        .findFirst()
        .map(Ended::why)
        .orElse(null);
  }

  private static boolean covers(RungKey at, RungKey rung) {
    return at.connections() == rung.connections()
        && at.ratePerS() != null
        && rung.ratePerS() != null
        && rung.ratePerS() >= at.ratePerS();
  }

  /** Whether the climb of a server ends for all higher connection counts at a rung. */
  static boolean whole(Study study, RungKey at, End end) {
    Double rate = at.ratePerS();
    return rate == null
        || end == End.OUT_OF_REACH
        || end == End.CLIENT_MISSING
        || study.entry(at.server()).map(entry -> rate <= study.load(entry).ratesPerS(at.connections()).getFirst()).orElse(true);
  }
}
