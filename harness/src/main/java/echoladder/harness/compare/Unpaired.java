package echoladder.harness.compare;

import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungKey;
import echoladder.harness.results.RungRecord;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The rungs of two runs that are valid in one of them alone, and so are not compared. Pure. */
final class Unpaired {
  private Unpaired() {}

  /** Sentences for a reader; empty where each valid rung has its fellow. */
  static List<String> sentences(RunRecord first, RunRecord second) {
    List<String> sentences = new ArrayList<>();
    sentence(sentences, "A", first, second);
    sentence(sentences, "B", second, first);
    return sentences;
  }

  /** Rungs that the first run has validly, and the second has, but not validly: there, nobody can tell whether it is worse. */
  static List<RungKey> lost(RunRecord first, RunRecord second) {
    Set<RungKey> there = keys(second, _ -> true);
    Set<RungKey> valid = valid(second);
    return valid(first).stream().filter(key -> there.contains(key) && !valid.contains(key)).toList();
  }

  private static void sentence(List<String> into, String name, RunRecord run, RunRecord other) {
    Set<RungKey> fellows = valid(other);
    String alone = valid(run).stream().filter(key -> !fellows.contains(key)).map(Unpaired::text).collect(Collectors.joining(", "));
    if (!alone.isEmpty()) {
      into.add("Not compared, as they are valid in %s alone: %s".formatted(name, alone));
    }
  }

  static String text(RungKey key) {
    return key.server() + " at " + key.load();
  }

  private static Set<RungKey> valid(RunRecord run) {
    return keys(run, RungRecord::valid);
  }

  private static Set<RungKey> keys(RunRecord run, Predicate<RungRecord> which) {
    return run.rungs().stream()
        .filter(rung -> !rung.driftCheck())
        .filter(which)
        .map(rung -> rung.key().repeat(1))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
