package echoladder.harness.cli;

import echoladder.harness.common.YamlSetting;
import echoladder.harness.report.KnobLine;
import echoladder.harness.report.KnobLine.Conclusion;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.stats.PairedRatio;
import echoladder.harness.study.Selection;
import echoladder.harness.study.Study;
import echoladder.harness.study.TunedKnob;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The runs of a study of knobs: the screen, then what showed in it again in a fresh run of more pairs, then, of what that
 * confirmed, a level beyond and the profile less that knob. Each is a run by itself, which can be resumed and repeated.
 *
 * @param reader reads the study again with other knobs
 * @param climber climbs one
 * @param say is told what comes next
 */
record KnobStages(Function<Selection, Study> reader, Climber climber, Consumer<String> say) {
  private static final Set<Conclusion> CONFIRMED = EnumSet.of(Conclusion.HELPS, Conclusion.HARMS, Conclusion.TRADES);

  /** A run that has ended. */
  record Climbed(int status, RunFolder folder) {}

  /** Climbs a study that was read by that selection. */
  @FunctionalInterface
  interface Climber {
    Climbed climb(Study study, Selection selection);
  }

  /** Climbs the stages; gives the exit status, the worst of them. */
  int run(Study first, Selection selection) {
    Climbed screen = climber.climb(first, selection);
    RunRecord screened = screen.folder().read();
    List<KnobLine> lines = KnobLine.of(screened);
    List<String> shown = named(lines, EnumSet.of(Conclusion.SCREENED));
    if (screened.status() != RunRecord.Status.COMPLETE || shown.isEmpty()) {
      return screen.status();
    }
    say.accept("%d of %d knobs show something in the screen; they are measured again, %d pairs each: %s"
        .formatted(shown.size(), lines.size(), PairedRatio.FEWEST_TO_CONFIRM, String.join(", ", shown)));
    Selection again = of(selection, shown, Optional.empty());
    Study fresh = reader.apply(again);
    Climbed confirm = climber.climb(fresh.of(first.tuned().stream().map(knob -> inOneTable(knob, fresh, lines)).toList()), again);
    RunRecord confirmed = confirm.folder().read();
    int status = Math.max(screen.status(), confirm.status());
    if (confirmed.status() != RunRecord.Status.COMPLETE) {
      return status;
    }
    List<String> real = named(KnobLine.of(confirmed), CONFIRMED);
    List<String> further = first.tuned().stream().filter(knob -> real.contains(knob.name()) && knob.levels().beyond() != null)
        .map(TunedKnob::name).toList();
    if (!further.isEmpty()) {
      say.accept("a level beyond, of what is confirmed: " + String.join(", ", further));
      status = Math.max(status, climb(of(selection, further, Optional.of("profile-beyond"))));
    }
    // While connections come, each was held against the whole profile less that one already.
    if (real.size() > 1 && first.phases().acceptStallNs() == 0) {
      say.accept("the profile of what is confirmed, with and without each: " + String.join(", ", real));
      status = Math.max(status, climb(of(selection, real, Optional.of("less-all"))));
    }
    return status;
  }

  private int climb(Selection selection) {
    return climber.climb(reader.apply(selection), selection).status();
  }

  private static Selection of(Selection selection, List<String> knobs, Optional<String> compare) {
    Selection more =
        selection.with(
            List.of(
                YamlSetting.parse("tuning.knobs=[" + String.join(", ", knobs) + "]"),
                YamlSetting.parse("repeats=" + PairedRatio.FEWEST_TO_CONFIRM)));
    return compare.map(how -> more.with(List.of(YamlSetting.parse("tuning.compare=" + how)))).orElse(more);
  }

  /** Of a knob that is measured again what is read of it, of another one what the screen showed: the report has both. */
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

  private static List<String> named(List<KnobLine> lines, Set<Conclusion> conclusions) {
    return lines.stream().filter(line -> conclusions.contains(line.conclusion())).map(line -> line.knob().name()).toList();
  }

  /** What to do with a screen that was resumed to its end; empty where nothing showed or the run is none. */
  static Optional<String> next(RunRecord run) {
    List<String> shown = named(KnobLine.of(run), EnumSet.of(Conclusion.SCREENED));
    return shown.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "measure again what the screen shows: ./ladder run %s --servers %s --knobs %s --set repeats=%d"
                .formatted(
                    run.study().name(), run.study().servers().getFirst().base(), String.join(",", shown), PairedRatio.FEWEST_TO_CONFIRM));
  }
}
