package echoladder.harness.report.text;

import echoladder.harness.results.OwnRecord;
import echoladder.harness.results.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What a reader has to know of servers that have no server.yaml: how they came to run, and what is not known of them. */
final class OwnText {
  private OwnText() {}

  /** In sentences; empty of a run that has no such server. Servers of which the same is said are named together. */
  static String of(RunRecord run) {
    Map<String, List<String>> labels = new LinkedHashMap<>();
    for (RunRecord.ServerRecord server : run.servers()) {
      OwnRecord own = server.own();
      if (own != null) {
        labels.computeIfAbsent(of(own), _ -> new ArrayList<>()).add(server.label());
      }
    }
    List<String> sentences = new ArrayList<>();
    labels.forEach(
        (said, of) -> sentences.add(
            "**%s of the user's own:** %s%s".formatted(of.size() == 1 ? "A server" : "Servers", of.getFirst(), said)
                + of.stream().skip(1).map(label -> " The same holds for %s.".formatted(label)).collect(Collectors.joining())));
    return String.join(" ", sentences);
  }

  private static String of(OwnRecord own) {
    return (own.pid() == null ? " was started by its command for each rung"
            : " ran already, as process " + own.pid() + ", and was not restarted between rungs")
        + ". It has no metrics page, so its live heap, collections, hiccups, failed accepts and its own count of connections are not known."
        + " Its CPU, RSS, threads and context switches are those of its process and of all that this has started; a page of memory that"
        + " several of them share counts with each."
        + (own.uncompared() ? " Its answers were told by their status alone: their bodies were not compared with anything." : "");
  }
}
