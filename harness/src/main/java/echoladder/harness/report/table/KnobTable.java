package echoladder.harness.report.table;

import echoladder.harness.common.Units;
import echoladder.harness.stats.PairedRatio;
import echoladder.harness.study.KnobEffect;
import echoladder.harness.study.TunedKnob;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The knobs of a run as a table to act on. Pure. */
public final class KnobTable {
  private KnobTable() {}

  /** A row per knob, those first that call for something; without rows of a study that is of no knobs. */
  public static Table of(List<KnobLine> lines) {
    Table table =
        new Table()
            .styled("knobs")
            .words("knob", "from → to", "what it lifts", "effect", "verdict", "what it costs", "counters, from → to");
    for (KnobLine line : lines.stream().sorted((a, b) -> a.conclusion().compareTo(b.conclusion())).toList()) {
      table.row(
          line.knob().name() + ": `" + line.knob().key() + "`",
          line.knob().levels().from() + " → " + line.knob().levels().to(),
          line.knob().row().lifts(),
          effect(line),
          conclusion(line),
          line.knob().row().costs(),
          line.evidence().isEmpty() ? line.knob().row().counter() : line.evidence());
    }
    return table;
  }

  /** The ratio of the figures that show something, else of the first. */
  private static @Nullable String effect(KnobLine line) {
    List<KnobEffect> told = new ArrayList<>(line.effects().stream().filter(KnobEffect::shown).toList());
    if (told.isEmpty() && !line.effects().isEmpty()) {
      told.add(line.effects().getFirst());
    }
    return told.isEmpty()
        ? null
        : told.stream()
            .map(
                effect ->
                    "%s ×%s (%s)"
                        .formatted(effect.figure(), effect.ratioText(), effect.intervalText()))
            .collect(Collectors.joining("; "));
  }

  /** In words. */
  static String conclusion(KnobLine line) {
    TunedKnob.Needed needed = line.neededFrom();
    return switch (line.conclusion()) {
      case UNTOLD -> "cannot be told here: " + line.knob().untold();
      case NEEDED -> "**needed** from %s on: %s".formatted(Units.count(Objects.requireNonNull(needed).connections()), needed.limit());
      case NOT_NEEDED ->
          "not needed at %s: all were held under both values; the run may not be quoted for times"
              .formatted(Units.count(Objects.requireNonNull(line.heldAt())));
      case TOO_FEW ->
          "cannot be told: fewer than %d valid pairs, and no limit ended the climb under the first value alone"
              .formatted(PairedRatio.FEWEST_FOR_INTERVAL);
      case HELPS -> "**helps**: less " + figures(line, effect -> effect.stands() && effect.less());
      case HARMS -> "**harms**: more " + figures(line, effect -> effect.stands() && !effect.less());
      case TRADES ->
          "**trades**: less %s for more %s"
              .formatted(
                  figures(line, effect -> effect.stands() && effect.less()), figures(line, effect -> effect.stands() && !effect.less()));
      case SCREENED -> "screened, not confirmed: " + screened(line);
      case NO_DIFFERENCE_SHOWN -> "no difference" + slight(line) + " shown" + seen(line);
    };
  }

  private static String screened(KnobLine line) {
    return line.effects().stream()
        .filter(KnobEffect::shown)
        .map(effect -> (effect.less() ? "less " : "more ") + effect.figure())
        .collect(Collectors.joining(", "));
  }

  private static String figures(KnobLine line, Predicate<KnobEffect> which) {
    return line.effects().stream().filter(which).map(KnobEffect::figure).collect(Collectors.joining(", "));
  }

  /** What is shown and too small to act on. */
  private static String slight(KnobLine line) {
    String slight =
        line.effects().stream()
            .filter(KnobEffect::slight)
            .map(effect -> "%s ×%s (%s)".formatted(effect.figure(), effect.ratioText(), effect.intervalText()))
            .collect(Collectors.joining("; "));
    return slight.isEmpty() ? "" : " of 1 % or more (" + slight + ")";
  }

  /** How small a difference could have been seen. */
  private static String seen(KnobLine line) {
    String seen =
        line.effects().stream()
            .filter(effect -> effect.detectable() != null)
            .map(effect -> "%s in %s".formatted(Units.percent(Objects.requireNonNull(effect.detectable()) - 1), effect.figure()))
            .collect(Collectors.joining(", "));
    return seen.isEmpty() ? "" : "; could have seen " + seen;
  }

  /** What the table says, in a sentence, and what to do next; empty of a study that is of no knobs. */
  public static String sentence(List<KnobLine> lines) {
    if (lines.isEmpty()) {
      return "";
    }
    List<String> counts = new ArrayList<>();
    for (KnobLine.Conclusion conclusion : KnobLine.Conclusion.values()) {
      long n = lines.stream().filter(line -> line.conclusion() == conclusion).count();
      if (n > 0) {
        counts.add(n + " " + words(conclusion, n == 1 ? "s" : ""));
      }
    }
    return "Of %d knob%s: %s.".formatted(lines.size(), lines.size() == 1 ? "" : "s", String.join(", ", counts));
  }

  /**
   * In a sentence.
   *
   * @param s what a verb ends with after so many
   */
  private static String words(KnobLine.Conclusion conclusion, String s) {
    return switch (conclusion) {
      case NEEDED -> "needed";
      case HELPS -> "help" + s;
      case HARMS -> "harm" + s;
      case TRADES -> "trade" + s + " one figure for another";
      case SCREENED -> "screened, to be measured again";
      case NO_DIFFERENCE_SHOWN -> "without a difference shown";
      case NOT_NEEDED -> "not needed";
      case TOO_FEW -> "with too few valid pairs";
      case UNTOLD -> "cannot be told here";
    };
  }
}
