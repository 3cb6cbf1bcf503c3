package echoladder.harness;

import echoladder.client.Schedule;
import echoladder.harness.study.Capacity;
import echoladder.harness.study.Cpus;
import echoladder.harness.study.Idle;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyLoad;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Studies to begin with, and these with something else. */
public final class Studies {
  private Studies() {}

  /** Messages of 64 B at that rate over all connections, on shared processors. */
  @SuppressWarnings("NullAway") // which does not read @Nullable of nested types from class files
  public static StudyLoad total(double perS) {
    return new StudyLoad(perS, null, List.of(), 64, Schedule.CONSTANT, 1, 1, 1, Cpus.SHARED, 0, Idle.HALT, null, null, null, null, null, null, null);
  }

  /** Such messages at each of several rates. */
  @SuppressWarnings("NullAway") // which does not read @Nullable of nested types from class files
  public static StudyLoad totals(Double... perS) {
    return new StudyLoad(
        null, null, List.of(perS), 64, Schedule.CONSTANT, 1, 1, 1, Cpus.SHARED, 0, Idle.HALT, null, null, null, null, null, null, null);
  }

  /** A study of one repeat in no lab, with the default bounds and thresholds. */
  public static Study of(List<Study.Entry> servers, List<Integer> rungs, StudyLoad load, Study.Phases phases) {
    return new Study(
        "s", "a question", "open-loop", servers, rungs, 1, load, phases, Study.Bounds.DEFAULT, Study.Thresholds.DEFAULT, null, null, List.of(),
        null, null, List.of());
  }

  /** That study with these phases. */
  public static Study with(Study study, Study.Phases phases) {
    return with(study, phases, study.bounds(), study.capacity());
  }

  /** That study with these bounds. */
  public static Study with(Study study, Study.Bounds bounds) {
    return with(study, study.phases(), bounds, study.capacity());
  }

  /** That study with this search; null = it climbs rungs at rates of its own. */
  public static Study with(Study study, @Nullable Capacity capacity) {
    return with(study, study.phases(), study.bounds(), capacity);
  }

  private static Study with(Study study, Study.Phases phases, Study.Bounds bounds, @Nullable Capacity capacity) {
    return new Study(
        study.name(), study.question(), study.client(), study.servers(), study.rungs(), study.repeats(), study.load(), phases, bounds,
        study.thresholds(), study.lab(), capacity, study.tuned(), study.breakdown(), study.budgetNs(), study.failIf());
  }
}
