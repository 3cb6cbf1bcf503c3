package echoladder.harness.results;

import echoladder.harness.client.LoadTools;
import echoladder.harness.study.Breakdown;
import echoladder.harness.study.Study;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the parts of a run.json say of each other: a schema looks at each of them alone. */
final class RunParts {
  private RunParts() {}

  /** What does not go together, in words; empty where all does. */
  static String complaint(RunRecord run) {
    Set<String> servers = run.servers().stream().map(RunRecord.ServerRecord::label).collect(Collectors.toCollection(TreeSet::new));
    List<String> named =
        Stream.of(run.rungs().stream().map(RungRecord::server), run.climbs().stream().map(ClimbRecord::server),
                run.capacity().stream().map(CapacityRecord::server), run.profiles().stream().map(profile -> profile.rung().server()))
            .flatMap(labels -> labels)
            .distinct()
            .filter(label -> !servers.contains(label))
            .toList();
    if (!named.isEmpty()) {
      return "/servers: '%s' is none of them, and a rung, a climb or a capacity is of it".formatted(named.getFirst());
    }
    Breakdown breakdown = run.study().breakdown();
    for (String label : breakdown == null ? Set.<String>of() : breakdown.inSum()) {
      if (run.study().entry(label).isEmpty()) {
        return "/study/breakdown: '%s' is no server of the study".formatted(label);
      }
    }
    for (Study.Entry entry : run.study().servers()) {
      if (!LoadTools.known(entry.client())) {
        return "/study/servers: there is no client '%s'; known: %s".formatted(entry.client(), LoadTools.names());
      }
    }
    for (ClimbRecord climb : run.climbs()) {
      Integer highest = climb.highestValidConnections();
      if (highest != null
          && run.rungs().stream().noneMatch(rung -> rung.server().equals(climb.server()) && rung.connections() == highest)) {
        return "/climbs: that of '%s' went to %d connections, of which there is no rung".formatted(climb.server(), highest);
      }
    }
    return "";
  }
}
