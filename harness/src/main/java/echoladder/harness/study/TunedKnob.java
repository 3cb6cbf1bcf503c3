package echoladder.harness.study;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import echoladder.harness.knobs.KnobRow;
import echoladder.harness.limits.KnownLimit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A knob of a study of knobs, with all that a report needs of its row.
 *
 * @param name of the knob
 * @param key what is set
 * @param levels its values
 * @param row what its row says of it
 * @param untold why it cannot be told where the study is climbed, and where it can; null = it is measured
 * @param screened what an earlier run showed of it, which this one does not measure again; none where it does
 * @param needed from how many connections on the earlier run showed it to be needed; null = it did not, or is measured again
 * @param counted what the counters of the kernel showed in the earlier run; null = nothing, or it is measured again
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record TunedKnob(
    String name,
    String key,
    @JsonUnwrapped Levels levels,
    @JsonUnwrapped FromRow row,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String untold,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<KnobEffect> screened,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Needed needed,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String counted) {
  /**
   * Its values.
   *
   * @param from the value that it is held against
   * @param to the value whose effect is asked for
   * @param beyond a level beyond its profile's value; null = there is none
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Levels(String from, String to, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String beyond) {}

  /**
   * What its row says of it.
   *
   * @param lifts what it lifts
   * @param counter what shows that it was at work
   * @param figures of a run that show the same, by name
   * @param costs what it costs
   * @param limit that it lifts; null = none that the doctor knows
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record FromRow(
      String lifts,
      String counter,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> figures,
      String costs,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable KnownLimit limit) {
    public FromRow {
      figures = figures == null ? List.of() : List.copyOf(figures);
    }

    static FromRow of(KnobRow row) {
      return new FromRow(row.lifts(), row.counter(), row.figures(), row.costs(), row.limit());
    }
  }

  /**
   * Connections that only one of the values held, and what ended the climb at the other.
   *
   * @param connections the fewest
   * @param limit by its name
   */
  public record Needed(int connections, String limit) {}

  public TunedKnob {
    screened = screened == null ? List.of() : List.copyOf(screened);
  }

  static TunedKnob of(KnobRow row, String from, String to, @Nullable String untold) {
    return new TunedKnob(row.name(), row.key(), new Levels(from, to, row.beyond()), FromRow.of(row), untold, List.of(), null, null);
  }

  /**
   * The study without the entries of knobs that cannot be told where it is climbed; its knobs say why.
   *
   * @param why by the knob's name
   */
  public static Study leftOut(Study study, Map<String, String> why) {
    List<Study.Entry> told = study.servers().stream()
        .filter(entry -> entry.knob() == null || !why.containsKey(entry.knob().name())).toList();
    return study.with(told)
        .of(study.tuned().stream().map(knob -> why.containsKey(knob.name) ? knob.untold(why.get(knob.name)) : knob).toList());
  }

  private TunedKnob untold(@Nullable String why) {
    return new TunedKnob(name, key, levels, row, why, screened, needed, counted);
  }

  /** This knob with what an earlier run showed of it. */
  public TunedKnob screened(List<KnobEffect> effects, @Nullable Needed neededThere, String countedThere) {
    return new TunedKnob(name, key, levels, row, untold, effects, neededThere, countedThere.isEmpty() ? null : countedThere);
  }
}
