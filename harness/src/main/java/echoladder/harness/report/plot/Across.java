package echoladder.harness.report.plot;

import echoladder.harness.common.Units;
import java.util.List;

/**
 * What a panel's marks stand over.
 *
 * @param name of it
 * @param values what the places are called; none but of {@link Kind#VALUES}
 * @param step places farther apart than this no line joins
 */
public record Across(Kind kind, String name, List<String> values, int step) {
  /** What kind of places a panel's marks stand over, and so on which scale. */
  public enum Kind {
    /** Counts, such as connections, on a logarithmic scale. */
    COUNTS,
    /** Values of an axis of the study, by their index: they stand evenly spaced. */
    VALUES,
    /** Milliseconds. */
    TIME,
    /** Points of a {@link Spectrum}: each further nine takes the same room. */
    PERCENTILES,
    /** Times on a logarithmic scale: see {@link #nsOf}. */
    TIMES
  }

  static final Across CONNECTIONS = counts("connections");
  static final Across PERCENTILES = new Across(Kind.PERCENTILES, "percentile", List.of(), 1);
  static final Across TIMES = new Across(Kind.TIMES, "time", List.of(), Integer.MAX_VALUE);

  /** Places of {@link Kind#TIMES} in a decade of ns. */
  static final int PER_DECADE = 10;

  public Across {
    values = List.copyOf(values);
  }

  Across(String name, List<String> values) {
    this(Kind.VALUES, name, values, Integer.MAX_VALUE);
  }

  /** Counts of something, e.g. threads. */
  public static Across counts(String name) {
    return new Across(Kind.COUNTS, name, List.of(), Integer.MAX_VALUE);
  }

  /** The time since something began, of which nothing is missing. */
  public static Across time() {
    return new Across(Kind.TIME, "time since the start", List.of(), Integer.MAX_VALUE);
  }

  /** The time at a place of {@link Kind#TIMES}. */
  static long nsOf(double place) {
    return Math.round(Math.pow(10, place / PER_DECADE));
  }

  /** What a place is called. */
  String text(double place) {
    return switch (kind) {
      case COUNTS -> Units.count(Math.round(place));
      case VALUES -> values.get((int) place);
      case TIME -> Units.plain(place / 1e3) + " s";
      case PERCENTILES -> percentile(100 * Math.pow(10, -place / Spectrum.PER_DECADE)) + " %";
      case TIMES -> Units.time(nsOf(place)).replaceFirst("\\.0+(?= )", "");
    };
  }

  /** With as many digits as tell it from its neighbours, and no more: a page has tens of thousands. */
  private static String percentile(double beyond) {
    double digits = Math.pow(10, Math.max(1, Math.ceil(2 - Math.log10(beyond))));
    return Units.plain(Math.round((100 - beyond) * digits) / digits);
  }

  /** With these places on it. */
  Scale scale(List<Integer> places) {
    return switch (kind) {
      case COUNTS -> Scale.ofCounts(places);
      case VALUES -> Scale.ofPlaces(values.size());
      case TIME -> Scale.of(false, places.stream().map(place -> (Double) (double) place).toList());
      case PERCENTILES -> Scale.ofNines(places.getLast());
      case TIMES -> Scale.ofDecades(places.getFirst(), places.getLast(), PER_DECADE);
    };
  }

  /** What stands below it. */
  String label(boolean logarithmicUp) {
    return switch (kind) {
      case COUNTS -> logarithmicUp ? name + " (both axes logarithmic)" : name + " (logarithmic)";
      case VALUES, TIME -> name;
      case PERCENTILES -> "percentile, on an axis of 1/(1-p)";
      case TIMES -> "time (both axes logarithmic)";
    };
  }
}
