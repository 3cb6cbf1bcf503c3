package echoladder.client.page;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A page of Prometheus text. A line that is none is refused with the page; a value that is no count or quantity (NaN,
 * infinite, negative, too large to be exact) is refused where it is asked for, as pages of others have such values in
 * series that nobody reads here.
 *
 * @param source whose page it is, for messages
 * @param samples its lines
 */
public record MetricsPage(String source, List<PageSample> samples) {
  /** Beyond this a double counts no more one by one. */
  private static final double EXACT_MOST = 1L << 53;

  /** Some 292 years, the most that fits into nanoseconds. */
  private static final double SECONDS_MOST = Long.MAX_VALUE / 1e9;

  public MetricsPage {
    samples = List.copyOf(samples);
  }

  /**
   * Fetches a page within {@link PageFetch#FIGURES}.
   *
   * @throws GarbledPageException where it is no Prometheus text
   * @throws IOException where it cannot be had, or its status is not 200, with the reason
   */
  public static MetricsPage fetch(URI uri) throws IOException {
    return fetch(uri, PageFetch.FIGURES);
  }

  /** Fetches a page within other bounds; fails as {@link #fetch(URI)} does. */
  public static MetricsPage fetch(URI uri, PageFetch within) throws IOException {
    return parse("GET " + uri, new String(within.get(uri), StandardCharsets.UTF_8));
  }

  /** The page with these series alone, by the {@code name[]} that the Prometheus libraries understand. */
  public static URI only(URI page, Collection<String> names) {
    String asked = names.stream().map(name -> "name%5B%5D=" + name).collect(Collectors.joining("&"));
    return URI.create(page + (page.getRawQuery() == null ? "?" : "&") + asked);
  }

  /**
   * Reads a page.
   *
   * @param source for messages
   * @throws GarbledPageException with the first line that is none
   */
  public static MetricsPage parse(String source, String text) throws GarbledPageException {
    List<PageSample> samples = new ArrayList<>();
    int number = 0;
    for (String line : text.split("\n", -1)) {
      number++;
      String trimmed = line.strip();
      if (trimmed.isEmpty() || trimmed.startsWith("#")) {
        continue;
      }
      PageSample sample = PageSample.parse(number, trimmed);
      if (sample == null) {
        throw garbled(source, number, trimmed, "is no Prometheus text");
      }
      samples.add(sample);
    }
    return new MetricsPage(source, samples);
  }

  /** The value of a label of a series, of the first line that has it; null where there is none. */
  public @Nullable String label(String name, String label) {
    return samples.stream()
        .filter(sample -> sample.name().equals(name) && sample.labels().containsKey(label))
        .map(sample -> sample.labels().get(label))
        .findFirst()
        .orElse(null);
  }

  /**
   * The values of a series above 0 by one of its labels.
   *
   * @throws GarbledPageException where one of them is no count
   */
  public Map<String, Long> byLabel(String name, String label) throws GarbledPageException {
    Map<String, Long> values = new TreeMap<>();
    for (PageSample sample : of(name)) {
      String key = sample.labels().get(label);
      if (key != null && checked(sample, EXACT_MOST) > 0) {
        values.merge(key, (long) sample.value(), Long::sum);
      }
    }
    return values;
  }

  /**
   * The sum of a series over all its labels; empty where the page has none of it.
   *
   * @throws GarbledPageException where a value of it is not finite, negative, or too large to be exact
   */
  public OptionalDouble sum(String name) throws GarbledPageException {
    return sum(name, EXACT_MOST);
  }

  /**
   * That sum as a count or bytes, what is beyond the point left out.
   *
   * @throws GarbledPageException as {@link #sum}
   */
  public OptionalLong count(String name) throws GarbledPageException {
    OptionalDouble sum = sum(name);
    return sum.isEmpty() ? OptionalLong.empty() : OptionalLong.of((long) sum.getAsDouble());
  }

  /**
   * The sum of a series of seconds, in nanoseconds.
   *
   * @throws GarbledPageException as {@link #sum}; what is beyond 292 years is too large
   */
  public OptionalLong nanoseconds(String name) throws GarbledPageException {
    OptionalDouble sum = sum(name, SECONDS_MOST);
    return sum.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Math.round(sum.getAsDouble() * 1e9));
  }

  private OptionalDouble sum(String name, double most) throws GarbledPageException {
    double sum = 0;
    List<PageSample> found = of(name);
    for (PageSample sample : found) {
      sum += checked(sample, most);
      if (sum > most) {
        throw garbled(source, sample.line(), sample.text(), "makes the sum of " + name + " more than can be meant");
      }
    }
    return found.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(sum);
  }

  private List<PageSample> of(String name) throws GarbledPageException {
    List<PageSample> found = new ArrayList<>();
    Set<Map<String, String>> seen = new HashSet<>();
    for (PageSample sample : samples) {
      if (sample.name().equals(name)) {
        if (!seen.add(sample.labels())) {
          throw garbled(source, sample.line(), sample.text(), "is of a series that the page has already");
        }
        found.add(sample);
      }
    }
    return found;
  }

  private double checked(PageSample sample, double most) throws GarbledPageException {
    double value = sample.value();
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      throw garbled(source, sample.line(), sample.text(), "has a value that is no number");
    }
    if (value < 0) {
      throw garbled(source, sample.line(), sample.text(), "has a negative value, which no such figure has");
    }
    if (value > most) {
      throw garbled(source, sample.line(), sample.text(), "has a value beyond %.4g, more than can be meant".formatted(most));
    }
    return value;
  }

  private static GarbledPageException garbled(String source, int line, String text, String what) {
    return new GarbledPageException(
        "%s answered a page whose line %d %s: %s".formatted(source, line, what, PageFetch.quoted(text)));
  }
}
