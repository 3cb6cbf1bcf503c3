package echoladder.harness.cli.run;

import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlSetting;
import echoladder.harness.knobs.KnobRow.Level;
import echoladder.harness.plan.KnobPlan;
import echoladder.harness.report.table.KnobLine.Conclusion;
import echoladder.harness.report.table.KnobLine;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.stats.PairedRatio;
import echoladder.harness.study.KnobLevel;
import echoladder.harness.study.Selection;
import echoladder.harness.study.Study;
import echoladder.harness.study.TunedKnob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The runs of a study of knobs: the screen, then what showed most in it again in a fresh run of more pairs, then, of what that
 * confirmed, the profile less that knob and a level beyond. Each is a run by itself, which can be resumed and repeated; what comes
 * after it follows from its record alone.
 *
 * @param reader reads the study again with other knobs
 * @param climber climbs one
 * @param say is told what comes next
 */
record KnobStages(Function<Selection, Study> reader, Climber climber, Consumer<String> say) {
  private static final Set<Conclusion> CONFIRMED = EnumSet.of(Conclusion.HELPS, Conclusion.HARMS, Conclusion.TRADES);
  private static final List<String> COMPARE = List.of("tuning", "compare");

  /** A run that has ended. */
  record Climbed(int status, RunFolder folder) {}

  /** Climbs a study that was read by that selection. */
  @FunctionalInterface
  interface Climber {
    Climbed climb(Study study, Selection selection);
  }

  /** Which of the runs one is. */
  enum Stage {
    SCREEN,
    CONFIRMING,
    LESS_ONE,
    /** The last one, and a run of walls, which has no more. */
    LAST;

    static Stage of(Study study) {
      Set<String> levels =
          study.servers().stream().map(Study.Entry::knob).filter(Objects::nonNull).map(KnobLevel::level).collect(Collectors.toSet());
      if (levels.contains(KnobLevel.LESS)) {
        return LESS_ONE;
      }
      if (study.lab() != null || !levels.contains(Level.DEFAULT.id())) {
        return LAST;
      }
      return study.repeats() < PairedRatio.FEWEST_TO_CONFIRM ? SCREEN : CONFIRMING;
    }
  }

  /** Climbs the stages; gives the exit status, the worst of them. A comparison that the user chose is climbed alone. */
  int run(Study first, Selection selection) {
    Climbed climbed = climber.climb(first, selection);
    boolean chosen = selection.settings().stream().anyMatch(setting -> setting.path().equals(COMPARE));
    return chosen ? climbed.status() : after(climbed, selection);
  }

  /**
   * Climbs the stages after one that has ended.
   *
   * @param selection by which it, or one before it, was read
   * @return the worst exit status, with that of the one that has ended
   */
  int after(Climbed ended, Selection selection) {
    RunRecord run = ended.folder().read();
    if (run.status() != RunRecord.Status.COMPLETE) {
      return ended.status();
    }
    int next =
        switch (Stage.of(run.study())) {
          case SCREEN -> afterScreen(run, selection);
          case CONFIRMING -> afterConfirming(run, selection);
          case LESS_ONE -> beyond(run.study(), names(run.study()), selection);
          case LAST -> 0;
        };
    return Math.max(ended.status(), next);
  }

  private int afterScreen(RunRecord screen, Selection selection) {
    List<KnobLine> lines = KnobLine.of(screen);
    List<String> shown =
        lines.stream()
            .filter(line -> line.conclusion() == Conclusion.SCREENED)
            .sorted(Comparator.comparingDouble(KnobLine::strongest).reversed())
            .map(line -> line.knob().name())
            .toList();
    if (shown.isEmpty()) {
      say.accept("the screen leaves no knob to be measured again");
      return 0;
    }
    List<String> again = inOrder(screen.study(), shown.subList(0, Math.min(shown.size(), KnobPlan.MOST_CONFIRMED)));
    int pairs = KnobPlan.confirmingPairs(screen.study());
    say.accept(
        "%d of %d knobs show something in the screen; %s measured again, %d pairs each, of which at least %d have to be valid: %s"
            .formatted(
                shown.size(), lines.size(), again.size() < shown.size() ? "the %d that show most are".formatted(again.size()) : "they are",
                pairs, PairedRatio.FEWEST_TO_CONFIRM, String.join(", ", again)));
    if (again.size() < shown.size()) {
      List<String> left = inOrder(screen.study(), shown.subList(again.size(), shown.size()));
      say.accept(
          "the others, for another time: --knobs %s --set repeats=%d".formatted(String.join(",", left), pairs));
    }
    Selection of = of(selection, again, pairs, Optional.empty());
    Study fresh = reader.apply(of);
    return after(climber.climb(fresh.of(screen.study().tuned().stream().map(knob -> inOneTable(knob, fresh, lines)).toList()), of), of);
  }

  private int afterConfirming(RunRecord confirmed, Selection selection) {
    List<String> real = confirmed(confirmed).stream().map(line -> line.knob().name()).toList();
    // While connections come, each was held against the whole profile less that one already.
    if (real.size() > 1 && confirmed.study().phases().acceptStallNs() == 0) {
      say.accept("the profile of what is confirmed, with and without each: " + String.join(", ", real));
      Selection of = of(selection, real, KnobPlan.FURTHER_PAIRS, Optional.of("less-all"));
      return after(climber.climb(reader.apply(of), of), of);
    }
    return beyond(confirmed.study(), real, selection);
  }

  private int beyond(Study study, List<String> real, Selection selection) {
    List<String> further =
        study.tuned().stream().filter(knob -> real.contains(knob.name()) && knob.levels().beyond() != null).map(TunedKnob::name).toList();
    if (further.isEmpty()) {
      say.accept(
          real.isEmpty()
              ? "no knob is confirmed, so nothing more is measured"
              : "nothing more is measured: there is no level beyond the profile's for " + String.join(", ", real));
      return 0;
    }
    say.accept("a level beyond, of what is confirmed: " + String.join(", ", further));
    Selection of = of(selection, further, KnobPlan.FURTHER_PAIRS, Optional.of("profile-beyond"));
    return climber.climb(reader.apply(of), of).status();
  }

  private static List<KnobLine> confirmed(RunRecord run) {
    return KnobLine.of(run).stream().filter(line -> CONFIRMED.contains(line.conclusion())).toList();
  }

  private static List<String> names(Study study) {
    return study.tuned().stream().map(TunedKnob::name).toList();
  }

  /** As the catalogue has them. */
  private static List<String> inOrder(Study study, List<String> some) {
    return names(study).stream().filter(some::contains).toList();
  }

  private static Selection of(Selection selection, List<String> knobs, int pairs, Optional<String> compare) {
    Selection more =
        selection.with(
            List.of(
                YamlSetting.parse("tuning.knobs=[" + String.join(", ", knobs) + "]"),
                YamlSetting.parse("repeats=" + pairs)));
    return compare.map(how -> more.with(List.of(YamlSetting.parse(String.join(".", COMPARE) + "=" + how)))).orElse(more);
  }

  /**
   * The knob as the fresh run read it where that measured it again, else with what the screen showed of it: the report has
   * both.
   */
  private static TunedKnob inOneTable(TunedKnob knob, Study fresh, List<KnobLine> screened) {
    return fresh.tuned().stream()
        .filter(of -> of.name().equals(knob.name()))
        .findFirst()
        .orElseGet(
            () ->
                screened.stream()
                    .filter(line -> line.knob().name().equals(knob.name()))
                    .findFirst()
                    .map(line -> knob.screened(line.effects(), line.neededFrom(), line.evidence()))
                    .orElse(knob));
  }

  /** Whether anything comes after a run of knobs that is complete. */
  static boolean goesOn(RunRecord run) {
    return switch (Stage.of(run.study())) {
      case SCREEN -> KnobLine.of(run).stream().anyMatch(line -> line.conclusion() == Conclusion.SCREENED);
      case CONFIRMING -> {
        List<KnobLine> real = confirmed(run);
        boolean severalInSteadyState = real.size() > 1 && run.study().phases().acceptStallNs() == 0;
        yield severalInSteadyState || real.stream().anyMatch(line -> line.knob().levels().beyond() != null);
      }
      case LESS_ONE -> run.study().tuned().stream().anyMatch(knob -> knob.levels().beyond() != null);
      case LAST -> false;
    };
  }

  /**
   * The run that was begun after one of knobs as its next stage; empty where none was.
   *
   * @param run that came to its end in that folder
   */
  static Optional<RunFolder> begunAfter(RunFolder folder, RunRecord run) throws IOException {
    try (Stream<Path> runs = Files.list(folder.dir().toAbsolutePath().getParent())) {
      return runs.sorted().map(RunFolder::new).filter(other -> other.hasRecord() && follows(run, other)).findFirst();
    }
  }

  private static boolean follows(RunRecord run, RunFolder other) {
    RunRecord later;
    try {
      later = other.read();
    } catch (Refusal e) {
      return false; // Not of this version, or broken: whoever wants it has to look at it.
    }
    String server = run.study().servers().getFirst().base();
    return later.startedAt().compareTo(run.startedAt()) > 0
        && later.study().name().equals(run.study().name())
        && later.study().servers().stream().allMatch(entry -> entry.base().equals(server))
        && Stage.of(later.study()).compareTo(Stage.of(run.study())) > 0
        && names(run.study()).containsAll(names(later.study()));
  }
}
