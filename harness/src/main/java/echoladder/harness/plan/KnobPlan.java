package echoladder.harness.plan;

import echoladder.harness.stats.PairedRatio;
import echoladder.harness.study.KnobLevel;
import echoladder.harness.study.Study;
import echoladder.harness.study.TunedKnob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** How long a study of knobs takes with all its stages. Pure. */
public final class KnobPlan {
  /** Knobs that are measured again after the screen, those that show most: each takes three more runs. */
  public static final int MOST_CONFIRMED = 4;

  /** Pairs of each run after the one that confirms. */
  public static final int FURTHER_PAIRS = PairedRatio.FEWEST_TO_CONFIRM;

  private KnobPlan() {}

  /**
   * The likely time of the screen and of what comes after it, where it shows as many knobs as are measured again, those that take
   * longest, and all of them are confirmed.
   *
   * @param screen the plan of the study's screen
   */
  public static Duration atWorst(Study study, Plan screen) {
    List<Duration> after = new ArrayList<>();
    for (TunedKnob knob : study.tuned()) {
      Duration pair =
          screen.rungs().stream()
              .filter(rung -> rung.attempted() && isOf(study, rung, knob))
              .map(Rung::likely)
              .reduce(Duration.ZERO, Duration::plus)
              .dividedBy(study.repeats());
      // Confirmed; then taken away from the profile of all that are, and held against a level beyond.
      int further = (study.phases().acceptStallNs() == 0 ? 1 : 0) + (knob.levels().beyond() == null ? 0 : 1);
      after.add(pair.multipliedBy(confirmingPairs(study) + (long) further * FURTHER_PAIRS));
    }
    return after.stream().sorted(Comparator.reverseOrder()).limit(MOST_CONFIRMED).reduce(screen.likely(), Duration::plus);
  }

  /** Pairs by which a knob is confirmed, with those that may be lost: to others on the host, and in a burst to a reset too. */
  public static int confirmingPairs(Study study) {
    return PairedRatio.FEWEST_TO_CONFIRM + (study.phases().acceptStallNs() == 0 ? 1 : 2);
  }

  private static boolean isOf(Study study, Rung rung, TunedKnob knob) {
    KnobLevel level = study.entry(rung.label()).map(Study.Entry::knob).orElse(null);
    return level != null && level.name().equals(knob.name());
  }
}
