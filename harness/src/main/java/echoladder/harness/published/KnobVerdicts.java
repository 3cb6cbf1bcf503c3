package echoladder.harness.published;

import echoladder.harness.common.Csv;
import echoladder.harness.report.table.KnobLine;
import echoladder.harness.report.text.OtherKnobs;
import echoladder.harness.results.RunRecord;
import echoladder.harness.study.KnobEffect;
import echoladder.harness.study.Study;
import echoladder.harness.study.TunedKnob;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a published run says of its knobs: a line for each figure of a knob, or one where no figure has an interval. Pure. */
final class KnobVerdicts {
  /**
   * The columns. Ratios are of the second value to the first; {@code detectable} is the least ratio above 1 that so many pairs find
   * in 80 of 100 runs; {@code others} is what all other knobs have under both values, as {@link OtherKnobs} has it.
   */
  static final String HEADER =
      "study,run_id,server,knob,from,to,verdict,figure,pairs,ratio,low,high,stands,detectable,needed_from,needed_by,others";

  private KnobVerdicts() {}

  /** Those of a run; none of a study that is of no knobs. */
  static Stream<String> lines(RunRecord run) {
    return KnobLine.of(run).stream().flatMap(line -> lines(run, line));
  }

  private static Stream<String> lines(RunRecord run, KnobLine line) {
    return line.effects().isEmpty() ? Stream.of(line(run, line, null)) : line.effects().stream().map(effect -> line(run, line, effect));
  }

  private static String line(RunRecord run, KnobLine line, @Nullable KnobEffect effect) {
    TunedKnob knob = line.knob();
    TunedKnob.Needed needed = line.neededFrom();
    Stream<String> of =
        Stream.of(
            run.study().name(), run.runId(), server(run.study(), knob), knob.name(), knob.levels().from(), knob.levels().to(),
            line.conclusion().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    Stream<String> told =
        effect == null
            ? Stream.of("", "", "", "", "", "", "")
            : Stream.of(
                effect.figure(), String.valueOf(effect.pairs()), ratio(effect.ratio()), ratio(effect.low()), ratio(effect.high()),
                String.valueOf(effect.stands()), ratio(effect.detectable()));
    Stream<String> ends = needed == null ? Stream.of("", "") : Stream.of(String.valueOf(needed.connections()), needed.limit());
    Stream<String> others = Stream.of(OtherKnobs.of(run).name().toLowerCase(Locale.ROOT));
    return Stream.of(of, told, ends, others).flatMap(cells -> cells).map(Csv::cell).collect(Collectors.joining(","));
  }

  /** The one that the knob was set for. A run that left the knob out is of one server. */
  private static String server(Study study, TunedKnob knob) {
    List<Study.Entry> entries = study.servers();
    return entries.stream()
        .filter(entry -> entry.knob() != null && entry.knob().name().equals(knob.name()))
        .findFirst()
        .orElseGet(entries::getFirst)
        .server();
  }

  private static String ratio(@Nullable Double ratio) {
    return ratio == null ? "" : String.format(Locale.ROOT, "%.4f", ratio);
  }
}
