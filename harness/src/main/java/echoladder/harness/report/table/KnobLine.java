package echoladder.harness.report.table;

import echoladder.harness.common.Units;
import echoladder.harness.limits.KnownLimit;
import echoladder.harness.metric.Catalogue;
import echoladder.harness.metric.Metric;
import echoladder.harness.probe.Figure;
import echoladder.harness.report.words.LabText;
import echoladder.harness.results.LimitsRecord;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.stats.Finding;
import echoladder.harness.stats.Holm;
import echoladder.harness.stats.Interval;
import echoladder.harness.stats.PairedRatio;
import echoladder.harness.stats.Spread;
import echoladder.harness.study.KnobEffect;
import echoladder.harness.study.KnobLevel;
import echoladder.harness.study.TunedKnob;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One knob of a run: what it did, and what follows. Pure.
 *
 * @param knob its row, as the run has it
 * @param effects of those figures that have an interval, in the order of the catalogue
 * @param neededFrom the fewest connections that its lower value did not hold and the other did, with the limit; null = none
 * @param heldAt the connections of a burst that both values held, of a run that may not be quoted for times; null = otherwise
 * @param evidence what counters of the kernel showed under both values; empty = there is none of this knob
 */
public record KnobLine(
    TunedKnob knob, List<KnobEffect> effects, TunedKnob.@Nullable Needed neededFrom, @Nullable Integer heldAt, String evidence) {
  /** What follows. */
  public enum Conclusion {
    NEEDED,
    HELPS,
    HARMS,
    /** One figure is less and another more. */
    TRADES,
    /** An interval of a screen excludes 1, which a fresh run has to confirm. */
    SCREENED,
    NO_DIFFERENCE_SHOWN,
    /** A burst was held under both values, and the run may not be quoted for times. */
    NOT_NEEDED,
    /** Fewer pairs than an interval takes, or none that is valid. */
    TOO_FEW,
    UNTOLD
  }

  public KnobLine {
    effects = List.copyOf(effects);
  }

  /** Those of a run's knobs, in the order of the catalogue; none of a study that is of no knobs. */
  public static List<KnobLine> of(RunRecord run) {
    return run.study().tuned().isEmpty() ? List.of() : of(run, new Pairs(run));
  }

  static List<KnobLine> of(RunRecord run, Pairs pairs) {
    PairsTable table = new PairsTable(pairs);
    List<KnobLine> lines = new ArrayList<>();
    for (TunedKnob knob : run.study().tuned()) {
      if (run.study().servers().stream().noneMatch(entry -> entry.knob() != null && entry.knob().name().equals(knob.name()))) {
        lines.add(new KnobLine(knob, knob.screened(), knob.needed(), null, Objects.requireNonNullElse(knob.counted(), "")));
        continue;
      }
      List<KnobEffect> effects =
          pairs.shown().stream()
              .filter(row -> knob.name().equals(level(run, row.first()).name()))
              .map(row -> effect(table, row, level(run, row.first()).changed()))
              .filter(Objects::nonNull)
              .toList();
      lines.add(new KnobLine(knob, effects, needed(run, knob), heldAt(run, knob), evidence(run, knob)));
    }
    return lines;
  }

  private static KnobLevel level(RunRecord run, String label) {
    return Objects.requireNonNull(run.study().entry(label).orElseThrow().knob(), "every entry of a study of knobs sets one");
  }

  /** The first of a row is the entry that the study has first, which of a wall is the value that the other is held against. */
  private static @Nullable KnobEffect effect(PairsTable table, Pairs.Row row, boolean changedFirst) {
    PairedRatio ratio = row.ratio();
    Interval interval = ratio == null ? null : ratio.interval();
    if (ratio == null || interval == null) {
      return null;
    }
    Double among = table.adjusted(row);
    boolean stands = ratio.confirms() && ratio.finding() != Finding.NO_DIFFERENCE_SHOWN && among != null && Holm.stands(among);
    return new KnobEffect(
        row.figure().label(), row.pairs(), changedFirst ? ratio.ratio() : 1 / ratio.ratio(),
        changedFirst ? interval.low() : 1 / interval.high(), changedFirst ? interval.high() : 1 / interval.low(),
        table.detectable(row), stands);
  }

  private static List<RungRecord> rungs(RunRecord run, TunedKnob knob, boolean changed) {
    return run.rungs().stream()
        .filter(rung -> level(run, rung.server()).name().equals(knob.name()) && level(run, rung.server()).changed() == changed)
        .toList();
  }

  private static TunedKnob.@Nullable Needed needed(RunRecord run, TunedKnob knob) {
    for (int connections : run.study().rungs()) {
      List<RungRecord> from = rungs(run, knob, false).stream().filter(rung -> rung.connections() == connections).toList();
      boolean held = rungs(run, knob, true).stream().anyMatch(rung -> rung.connections() == connections && rung.valid());
      String limit =
          from.stream()
              .map(RungRecord::limits)
              .filter(Objects::nonNull)
              .flatMap(limits -> limits.met().stream())
              .map(met -> met.limit().id())
              .findFirst()
              .orElse(null);
      if (held && limit != null && from.stream().noneMatch(RungRecord::valid)) {
        return new TunedKnob.Needed(connections, limit);
      }
    }
    return null;
  }

  /** The connections of a burst that every rung of both values held; null = one did not, there was no burst, or its times may be quoted. */
  private static @Nullable Integer heldAt(RunRecord run, TunedKnob knob) {
    if (run.study().phases().acceptStallNs() == 0 || LabText.quotesTimes(run)) {
      return null;
    }
    List<RungRecord> both = Stream.of(false, true).flatMap(changed -> rungs(run, knob, changed).stream()).toList();
    int highest = run.study().rungs().getLast();
    boolean reached = both.stream().anyMatch(rung -> rung.connections() == highest);
    return reached && both.stream().allMatch(RungRecord::valid) ? highest : null;
  }

  /** What shows it at work, under the value held against and the other: the figures of its row, and the counters of its limit. */
  private static String evidence(RunRecord run, TunedKnob knob) {
    KnownLimit limit = knob.row().limit();
    Stream<Figure> ofLimit = limit == null ? Stream.empty() : new TreeSet<>(limit.figures()).stream();
    return Stream.concat(knob.row().figures().stream(), ofLimit.map(Figure::column))
        .distinct()
        .map(name -> name + " " + told(rungs(run, knob, false), name) + " → " + told(rungs(run, knob, true), name))
        .collect(Collectors.joining(", "));
  }

  /** A row's evidence: of a figure the median of the valid rungs; of a counter of the kernel its growth, the most of any rung. */
  private static String told(List<RungRecord> rungs, String name) {
    Metric metric = Catalogue.named(name).orElse(null);
    if (metric == null) {
      return Arrays.stream(Figure.values())
          .filter(figure -> figure.column().equals(name))
          .findFirst()
          .map(figure -> most(rungs, figure))
          .orElse(Units.NONE);
    }
    List<Double> values =
        rungs.stream().filter(RungRecord::valid).map(metric::value).filter(Objects::nonNull).map(Objects::requireNonNull).toList();
    return values.isEmpty() ? Units.NONE : metric.unit().text(Spread.of(values).median());
  }

  private static String most(List<RungRecord> rungs, Figure figure) {
    long most = 0;
    boolean any = false;
    for (RungRecord rung : rungs) {
      LimitsRecord limits = rung.limits();
      any |= limits != null;
      LimitsRecord.Count count = limits == null ? null : limits.kernel().get(figure.column());
      most = count == null ? most : Math.max(most, count.most() - (count.before() == null ? 0 : count.before()));
    }
    return any ? Units.count(most) : Units.NONE;
  }

  /** How far from 1 the nearer end of an interval is, as a logarithm, of the figure where that is most; 0 = no interval excludes 1. */
  public double strongest() {
    return effects.stream()
        .filter(KnobEffect::shown)
        .mapToDouble(effect -> Math.min(Math.abs(Math.log(effect.low())), Math.abs(Math.log(effect.high()))))
        .max()
        .orElse(0);
  }

  /** What follows from all that is known. */
  public Conclusion conclusion() {
    if (knob.untold() != null) {
      return Conclusion.UNTOLD;
    }
    if (neededFrom != null) {
      return Conclusion.NEEDED;
    }
    if (effects.isEmpty()) {
      return heldAt == null ? Conclusion.TOO_FEW : Conclusion.NOT_NEEDED;
    }
    boolean less = effects.stream().anyMatch(effect -> effect.stands() && effect.less());
    boolean more = effects.stream().anyMatch(effect -> effect.stands() && !effect.less());
    if (less || more) {
      return less && more ? Conclusion.TRADES : less ? Conclusion.HELPS : Conclusion.HARMS;
    }
    boolean screened = effects.stream().anyMatch(effect -> effect.shown() && effect.pairs() < PairedRatio.FEWEST_TO_CONFIRM);
    return screened ? Conclusion.SCREENED : Conclusion.NO_DIFFERENCE_SHOWN;
  }
}
