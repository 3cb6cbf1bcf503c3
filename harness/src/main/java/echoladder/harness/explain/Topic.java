package echoladder.harness.explain;

import com.fasterxml.jackson.annotation.JsonProperty;
import echoladder.harness.limits.KnownLimit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cause that texts and numbers lead to, as runbooks/texts.yaml has it.
 *
 * @param id its name
 * @param page its page below runbooks/
 * @param limit the doctor's limit; null where the doctor has none
 * @param means what it means, in one sentence
 * @param show the command that shows the binding limit
 * @param lift the command that lifts it
 * @param texts what is said, by who says it ({@code kernel}, {@code jvm}, ...)
 * @param words single words that lead here where nothing else does
 * @param numbers at what numbers it stops a server
 */
public record Topic(
    String id,
    String page,
    @Nullable KnownLimit limit,
    String means,
    String show,
    String lift,
    Map<String, List<String>> texts,
    List<String> words,
    List<NumberRule> numbers) {

  public Topic {
    Map<String, List<String>> said = new LinkedHashMap<>();
    // Jackson gives null for what is not in the file.
    orNone(texts).forEach((who, what) -> said.put(who, List.copyOf(what)));
    texts = said;
    words = orNone(words);
    numbers = orNone(numbers);
  }

  private static <T> List<T> orNone(@Nullable List<T> list) {
    return list == null ? List.of() : List.copyOf(list);
  }

  private static <K, V> Map<K, V> orNone(@Nullable Map<K, V> map) {
    return map == null ? Map.of() : map;
  }

  /** All that is said, whoever says it. */
  public List<String> allTexts() {
    List<String> all = new ArrayList<>();
    texts.values().forEach(all::addAll);
    return all;
  }

  /**
   * At what numbers a limit stops a server.
   *
   * @param here where this host shows each name of the formulas, see {@link HostNumbers}; none = it does not
   * @param with names of fixed values
   * @param elsewhere known values of other hosts
   * @param at the formulas
   */
  public record NumberRule(Map<String, String> here, Map<String, Long> with, List<Map<String, String>> elsewhere, List<Stop> at) {
    /** The key of {@code elsewhere} that says whose values they are. */
    static final String OF = "of";

    public NumberRule {
      here = Map.copyOf(orNone(here));
      with = Map.copyOf(orNone(with));
      elsewhere = orNone(elsewhere).stream().map(Map::copyOf).toList();
      at = List.copyOf(at);
    }
  }

  /**
   * One formula.
   *
   * @param stopsAt over the names of its rule, see {@link Formula}
   * @param is what is counted
   * @param besides what may lie between the number that is seen and the formula's value, from 0
   * @param unit {@code s} of a time, {@code threads} of threads; null of connections
   */
  public record Stop(@JsonProperty("stops_at") String stopsAt, String is, long besides, @Nullable String unit) {
    /** Whether it is a time in seconds. */
    boolean isTime() {
      return "s".equals(unit);
    }

    /** Whether threads are counted. */
    boolean isOfThreads() {
      return "threads".equals(unit);
    }
  }
}
