package echoladder.harness.metric;

import echoladder.client.LoadResult;
import echoladder.client.figures.Percentiles;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One kind of time: a figure for each percentile.
 *
 * @param name the start of the names of its figures
 * @param label one word, {@code response}
 */
public record Times(String name, String label, Map<Percentile, Metric> figures) {
  /**
   * Adds the figures of a kind.
   *
   * @param label one word, {@code response}
   * @param title above a plot
   * @param meaning of each of them, without the percentile
   * @param aged whether the unanswered are in it at their age
   */
  static Times of(
      Rows rows, String name, String label, String title, String meaning, boolean aged, Function<LoadResult, Percentiles> times) {
    Map<Percentile, Metric> figures = new EnumMap<>(Percentile.class);
    for (Percentile at : Percentile.values()) {
      Words words = new Words(label + " " + at.brief(), at.brief(), title + ", " + at.title(), meaning + "; " + at.meaning());
      figures.put(at, rows.percentile(name, at, words, aged ? at.rank() : 0, load -> at.of(times.apply(load))));
    }
    return new Times(name, label, figures);
  }

  /** The kind in words: {@code response time}. */
  public String words() {
    return name.replace('_', ' ');
  }

  public Metric at(Percentile percentile) {
    return Objects.requireNonNull(figures.get(percentile));
  }

  /** Which percentile a figure of this kind is. */
  public Percentile percentile(Metric figure) {
    return figures.entrySet().stream().filter(of -> of.getValue().equals(figure)).map(Map.Entry::getKey).findFirst().orElseThrow();
  }

  /** Whether a figure is one of them. */
  public boolean has(Metric figure) {
    return figure.family().equals(name);
  }

  /** The end of their names, for all in one: {@code {p50,p90}_ns}. */
  static String ends() {
    return Arrays.stream(Percentile.values()).map(Percentile::id).collect(Collectors.joining(",", "{", "}_ns"));
  }
}
