package echoladder.harness.explain;

import com.fasterxml.jackson.annotation.JsonIgnore;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A limit that explains a number.
 *
 * @param asked the number, of connections or seconds
 * @param at where the limit stops
 * @param arithmetic how that comes about, e.g. {@code 60,999 - 32,768 + 1}
 * @param is what is counted
 * @param of whose values they are
 * @param here whether they are this host's
 * @param unit {@code s} or nothing
 * @param sameKind whether what was spoken of is what the limit counts
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Wall(long asked, long at, String arithmetic, String is, String of, boolean here, String unit, @JsonIgnore boolean sameKind) {
  private static final double OTHER_KIND = 0.05;

  /** How far the number is from the limit, as a part of it; further where another thing was spoken of. */
  @JsonIgnore
  double distance() {
    return (double) Math.abs(at - asked) / at + (sameKind ? 0 : OTHER_KIND);
  }

  /** For people. */
  @JsonIgnore
  public String sentence() {
    String value = "%,d%s".formatted(at, unit.isEmpty() ? "" : " " + unit);
    String sum = arithmetic.equals("%,d".formatted(at)) ? "" : " = " + arithmetic;
    return value + sum + ": " + is + " (" + of + ")";
  }
}
