package echoladder.harness.claims;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How far from what was published a figure may lie. The table is the same for all claims of a kind, and was written before
 * anything was measured. A rule of claims.yaml names its tolerance and what was said; its bounds follow.
 */
public enum Tolerance {
  @JsonProperty("at-most-twice")
  AT_MOST_TWICE("an absolute time or amount of memory", "at most twice of it", null, 2.0, Kind.HOST_BOUND),
  @JsonProperty("within-twice")
  WITHIN_TWICE(
      "about so much time or memory, or from so much to so much", "half of the lower to twice of the upper figure", 0.5, 2.0,
      Kind.HOST_BOUND),
  @JsonProperty("half-at-least")
  HALF_AT_LEAST(
      "\"about N times\", \"orders of magnitude\", \"tens of times\", or two figures that are ten or more times apart",
      "at least half of N, of 100, of 20", 0.5, null, Kind.RATIO),
  @JsonProperty("within-6-percent")
  WITHIN_6_PERCENT(
      "a measured ratio below ten, \"linear\", or a count",
      "within a factor of 1.06 of it, as single ratios of a server to itself miss 1 by that much", 1 / 1.06, 1.06, Kind.RATIO,
      Kind.VERSION_BOUND),
  @JsonProperty("within-a-tenth")
  WITHIN_A_TENTH(
      "\"the same\", \"not much different\", \"comparable\", \"half of\"", "within a tenth", 0.9, 1.1, Kind.RATIO, Kind.ARITHMETIC),
  @JsonProperty("none")
  NONE("none (a share)", "at most a tenth", null, 0.1, Kind.RATIO, Kind.VERSION_BOUND),
  @JsonProperty("all")
  ALL("all (a share)", "at least nine tenths", 0.9, null, Kind.RATIO, Kind.VERSION_BOUND),
  @JsonProperty("as-said")
  AS_SAID(
      "a range of ratios, or a figure to be computed of the source's own", "the range or the figure itself", null, null, Kind.RATIO,
      Kind.ARITHMETIC),
  @JsonProperty("own")
  OWN(
      "no figure", "a bound of our own, which `differs` or the question names", null, null, Kind.RATIO, Kind.ORDER, Kind.OS_BOUND,
      Kind.VERSION_BOUND, Kind.OWN_QUESTION);

  /** What a rule writes down beside its tolerance. */
  enum Takes {
    /** The figure that was published, or two of them: from, to. */
    SAID,
    /** The bounds themselves. */
    BOUNDS,
    NOTHING
  }

  /** The share that stands for all. */
  private static final List<Double> WHOLE = List.of(1.0);

  private final String published;
  private final String asked;
  private final @Nullable Double down;
  private final @Nullable Double up;
  @SuppressWarnings("ImmutableEnumChecker") // Set.of makes one that cannot be changed
  private final Set<Kind> kinds;

  Tolerance(String published, String asked, @Nullable Double down, @Nullable Double up, Kind... kinds) {
    this.published = published;
    this.asked = asked;
    this.down = down;
    this.up = up;
    this.kinds = Set.of(kinds);
  }

  /** Its name in claims.yaml. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static @Nullable Tolerance named(String id) {
    return Arrays.stream(values()).filter(tolerance -> tolerance.id().equals(id)).findFirst().orElse(null);
  }

  /** Its row in the table of STUDY.md. */
  String row() {
    String of = Arrays.stream(Kind.values()).filter(kinds::contains).map(Kind::words).reduce((a, b) -> a + ", " + b).orElseThrow();
    return "| `%s` | %s | %s | %s |".formatted(id(), of, published, asked);
  }

  boolean isFor(Kind kind) {
    return kinds.contains(kind);
  }

  Takes takes() {
    return this == NONE || this == ALL ? Takes.NOTHING : this == AS_SAID || this == OWN ? Takes.BOUNDS : Takes.SAID;
  }

  /**
   * The lower bound that follows; null where there is none.
   *
   * @param said one figure, or from and to; none of shares
   */
  @Nullable Double least(List<Double> said) {
    return down == null ? null : (Double) ((said.isEmpty() ? WHOLE : said).getFirst() * down);
  }

  /** The upper bound, likewise. */
  @Nullable Double most(List<Double> said) {
    return up == null ? null : (Double) ((said.isEmpty() ? WHOLE : said).getLast() * up);
  }
}
