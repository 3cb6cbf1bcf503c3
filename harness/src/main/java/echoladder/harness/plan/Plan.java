package echoladder.harness.plan;

import echoladder.harness.common.Refusal;
import echoladder.harness.doctor.Examination;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The rungs of a run in the order in which they are climbed: for each connection count and repeat every server, with all its
 * rates, so that a
 * host that drifts hits all alike.
 *
 * @param rungs all of them, those out of reach too
 * @param profiled extra repeats in which a profiler watches, which come after them
 * @param examinations what the doctor says of the highest rung, by the server's label, in the order of the study
 */
public record Plan(List<Rung> rungs, List<Rung> profiled, Map<String, Examination> examinations) {
  public Plan {
    rungs = List.copyOf(rungs);
    profiled = List.copyOf(profiled);
    examinations = Collections.unmodifiableMap(new LinkedHashMap<>(examinations));
  }

  /**
   * Refuses what cannot be climbed at all: its clients are missing, or one cannot do even its lowest rung.
   *
   * @throws Refusal (could not run)
   */
  public void refuseWhatCannotBegin() {
    Set<String> missing = new LinkedHashSet<>();
    Set<String> begun = new LinkedHashSet<>();
    List<String> unfit = new ArrayList<>();
    for (Rung rung : rungs) {
      Obstacles obstacles = rung.obstacles();
      if (obstacles.clientMissing() != null) {
        missing.add(obstacles.clientMissing());
      }
      if (begun.add(rung.label()) && obstacles.clientUnfit() != null) {
        unfit.add(rung.label() + ": " + obstacles.clientUnfit());
      }
    }
    if (!unfit.isEmpty()) {
      throw Refusal.cannotRun(String.join("\n", unfit));
    }
    if (!missing.isEmpty() && rungs.stream().noneMatch(Rung::attempted)) {
      throw Refusal.cannotRun(String.join("\n", missing));
    }
  }

  /** How long the rungs within reach should take together. */
  public Duration likely() {
    return all().stream().filter(Rung::attempted).map(Rung::likely).reduce(Duration.ZERO, Duration::plus);
  }

  /** How long they may take before their bounds end them. */
  public Duration most() {
    return all().stream().filter(Rung::attempted).map(Rung::most).reduce(Duration.ZERO, Duration::plus);
  }

  /** Those of the study, and the extra repeats behind them. */
  public List<Rung> all() {
    return Stream.concat(rungs.stream(), profiled.stream()).toList();
  }

  /** How many there are, extra repeats too. */
  public int size() {
    return rungs.size() + profiled.size();
  }

  /** What is out of reach on this host and why, in as few lines as there are reasons; none where nothing is. */
  public List<String> outOfReach() {
    Map<String, Rung> lowest = new LinkedHashMap<>();
    rungs.stream().filter(r -> r.obstacles().outOfReach() != null).forEach(r -> lowest.putIfAbsent(r.label(), r));
    Map<String, List<String>> labels = new LinkedHashMap<>();
    lowest.forEach(
        (label, rung) ->
            labels
                .computeIfAbsent("from %,d connections on: %s".formatted(rung.connections(), rung.obstacles().outOfReach()),
                    _ -> new ArrayList<>())
                .add(label));
    List<String> lines = new ArrayList<>();
    labels.forEach((what, of) -> lines.add("out of reach on this host: " + String.join(", ", of) + " " + what));
    return lines;
  }
}
