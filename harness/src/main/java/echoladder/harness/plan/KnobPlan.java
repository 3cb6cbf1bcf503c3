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
  /** Knobs that are measured again after the screen, those that show most: each takes three runs of twelve pairs. */
  public static final int MOST_CONFIRMED = 4;

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
      Duration pairs =
          screen.rungs().stream()
              .filter(rung -> rung.attempted() && isOf(study, rung, knob))
              .map(Rung::likely)
              .reduce(Duration.ZERO, Duration::plus)
              .multipliedBy(PairedRatio.FEWEST_TO_CONFIRM)
              .dividedBy(study.repeats());
      // Confirmed, taken away from the profile of all that are, and held against a level beyond.
      int runs = 1 + (study.phases().acceptStallNs() == 0 ? 1 : 0) + (knob.levels().beyond() == null ? 0 : 1);
      after.add(pairs.multipliedBy(runs));
    }
    return after.stream().sorted(Comparator.reverseOrder()).limit(MOST_CONFIRMED).reduce(screen.likely(), Duration::plus);
  }

  private static boolean isOf(Study study, Rung rung, TunedKnob knob) {
    KnobLevel level = study.entry(rung.label()).map(Study.Entry::knob).orElse(null);
    return level != null && level.name().equals(knob.name());
  }
}
