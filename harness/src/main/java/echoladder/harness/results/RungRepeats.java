package echoladder.harness.results;

import echoladder.client.Verdict;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.Quoting;
import echoladder.harness.stats.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One server at one connection count and rate: all repeats of it that a run has so far.
 *
 * @param rungs at least one, in the order in which they were climbed
 */
public record RungRepeats(List<RungRecord> rungs) {
  public RungRepeats {
    rungs = List.copyOf(rungs);
  }

  /** Rungs by server, connection count and rate, each group where its first one stands; checks for drift are in none. */
  public static List<RungRepeats> of(List<RungRecord> all) {
    Map<RungKey, List<RungRecord>> groups = new LinkedHashMap<>();
    for (RungRecord rung : all) {
      if (!rung.driftCheck()) {
        groups.computeIfAbsent(rung.key().repeat(1), key -> new ArrayList<>()).add(rung);
      }
    }
    return groups.values().stream().map(RungRepeats::new).toList();
  }

  /** That one and its fellows among the others. */
  public static RungRepeats with(RungRecord one, List<RungRecord> others) {
    RungKey key = one.key().repeat(1);
    return new RungRepeats(others.stream().filter(rung -> rung.key().repeat(1).equals(key)).toList());
  }

  /** Those of a server, by its label, at so many connections, one of which there must be: of several rates the highest valid one. */
  public static RungRepeats at(String server, int connections, List<RungRecord> all) {
    List<RungRepeats> rates =
        of(all.stream().filter(rung -> rung.server().equals(server) && rung.connections() == connections).toList());
    return rates.stream()
        .filter(rate -> !rate.valid().isEmpty())
        .max(Comparator.comparingDouble(rate -> rate.any().ratePerS()))
        .orElseGet(rates::getFirst);
  }

  /** The first of them, for what all have in common. */
  public RungRecord any() {
    return rungs.getFirst();
  }

  /** Those that may be quoted. */
  public List<RungRecord> valid() {
    return rungs.stream().filter(RungRecord::valid).toList();
  }

  /** Whether in each of them every connection came to be and stayed, valid or not. */
  public boolean held() {
    return rungs.stream()
        .map(RungRecord::load)
        .allMatch(load -> load != null && load.connections().established() == load.connections().requested()
            && load.connections().failed() == 0);
  }

  /** What they are worth together: valid where one is, else saturated where one is. */
  public Verdict verdict() {
    return !valid().isEmpty() ? Verdict.VALID : !saturated().isEmpty() ? Verdict.SATURATED : Verdict.INVALID;
  }

  /** Those whose load could not be carried. */
  public List<RungRecord> saturated() {
    return rungs.stream().filter(RungRecord::saturated).toList();
  }

  /** The reasons of those that are not valid, by their names. */
  public String reasons() {
    return rungs.stream()
        .flatMap(rung -> rung.load() == null ? Stream.of() : rung.load().verdictReasons().stream())
        .map(doubt -> doubt.reason().id())
        .distinct()
        .collect(Collectors.joining(", "));
  }

  /** Those whose figures are shown: the valid ones, or where there are none all, which their verdict goes with. */
  public List<RungRecord> shown() {
    List<RungRecord> valid = valid();
    return valid.isEmpty() ? rungs : valid;
  }

  /**
   * A figure over those that are shown; null where none has it, or where one of them may not give it. A median over the others
   * alone would be picked by its own outcome.
   */
  public @Nullable Spread spread(Metric figure) {
    return shown().stream().anyMatch(rung -> Quoting.withheld(figure, rung)) ? null : spread(figure::of);
  }

  /** Numbers of those that are shown and have one; null where none has. */
  public @Nullable Spread spread(Function<RungRecord, ? extends @Nullable Number> of) {
    List<Number> values = new ArrayList<>();
    for (RungRecord rung : shown()) {
      Number value = of.apply(rung);
      if (value != null) {
        values.add(value);
      }
    }
    return values.isEmpty() ? null : Spread.of(values);
  }
}
