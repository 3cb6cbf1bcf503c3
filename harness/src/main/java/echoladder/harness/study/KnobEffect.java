package echoladder.harness.study;

import com.fasterxml.jackson.annotation.JsonInclude;
import echoladder.harness.common.Units;
import java.util.Locale;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What a knob did to one figure, where less is better: the ratio of the value that is asked about to the one that it is held
 * against.
 *
 * @param figure its name in tables
 * @param pairs how many
 * @param ratio the estimate
 * @param low end of its interval
 * @param high end of its interval
 * @param detectable the least ratio above 1 that so many pairs find in 80 of 100 runs; null = not known
 * @param stands whether the difference stands among all of its table, and is not {@link #slight}
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record KnobEffect(
    String figure,
    int pairs,
    double ratio,
    double low,
    double high,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double detectable,
    boolean stands) {
  /** A difference of less is not worth a line of settings, however sure it is. */
  private static final double LEAST = 0.01;

  public KnobEffect {
    stands &= !slight(low, high);
  }

  private static boolean excludesOne(double low, double high) {
    return high < 1 || low > 1;
  }

  private static boolean slight(double low, double high) {
    return excludesOne(low, high) && low > 1 - LEAST && high < 1 + LEAST;
  }

  /** Whether its interval excludes 1, and is not {@link #slight}. */
  public boolean shown() {
    return excludesOne(low, high) && !slight();
  }

  /** Whether its interval excludes 1 and lies within 1 % of it: there is a difference, and it is too small to act on. */
  public boolean slight() {
    return slight(low, high);
  }

  /** Whether the figure is less. */
  public boolean less() {
    return high < 1;
  }

  /** The estimate as text, e.g. {@code 1.08}. */
  public String ratioText() {
    return text(ratio);
  }

  /** The interval as text, e.g. {@code 1.04–1.12}. */
  public String intervalText() {
    return text(low) + "–" + text(high);
  }

  /** With a digit more where three would say that an interval without 1 ends at 1.00, and the side of 1 where four would. */
  private String text(double value) {
    boolean atOne = DoubleStream.of(ratio, low, high).anyMatch(of -> Units.ratio(of).equals("1.00"));
    if (!excludesOne(low, high) || !atOne) {
      return Units.ratio(value);
    }
    String text = String.format(Locale.ROOT, "%.4g", value);
    return text.equals("1.000") ? (value < 1 ? "<" : ">") + text : text;
  }
}
