package echoladder.harness.results;

import echoladder.harness.study.Study;
import echoladder.harness.study.StudyLoad;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What the ladder measures by, as one number that every run records: two runs of one number measure alike, so their figures
 * compare. So do runs of two numbers where no change between them touches their loads. docs/decisions/instrument-version.md says when it
 * rises.
 */
public final class Instrument {
  /** The number of this ladder. */
  public static final int VERSION = 8;

  /** The number of runs from before it was recorded, which is more than one instrument: results/reference/README.md says which. */
  public static final int UNRECORDED = 1;

  /** Numbers that began with a change for some studies alone, and for which; a number that is not here changed figures of any. */
  private static final TreeMap<Integer, Predicate<Study>> TOUCHED =
      new TreeMap<>(
          Map.of(
              6, study -> loads(study).anyMatch(load -> load.churnPerS() != null),
              7, study -> loads(study).anyMatch(load -> load.activeShare() < 1),
              8, Study::networked));

  private Instrument() {}

  private static Stream<StudyLoad> loads(Study study) {
    return study.servers().stream().map(study::load);
  }

  /**
   * Whether two numbers measure every one of these studies alike.
   *
   * @param one number, {@link #UNRECORDED} or more
   * @param other number, likewise
   * @param studies those of both runs
   */
  public static boolean alike(int one, int other, Stream<Study> studies) {
    Predicate<Study> touched = _ -> false;
    for (int number = Math.min(one, other) + 1; number <= Math.max(one, other); number++) {
      touched = touched.or(TOUCHED.getOrDefault(number, _ -> true));
    }
    return studies.noneMatch(touched);
  }
}
