package echoladder.harness.report.text;

import echoladder.harness.results.OwnRecord;
import echoladder.harness.results.RunRecord;
import java.util.ArrayList;
import java.util.List;

/** What a reader has to know of servers that have no server.yaml: how they came to run, and what is not known of them. */
final class OwnText {
  private OwnText() {}

  /** In sentences; empty of a run that has no such server. */
  static String of(RunRecord run) {
    List<String> sentences = new ArrayList<>();
    for (RunRecord.ServerRecord server : run.servers()) {
      OwnRecord own = server.own();
      if (own != null) {
        sentences.add(of(server.label(), own));
      }
    }
    return String.join(" ", sentences);
  }

  private static String of(String label, OwnRecord own) {
    return "**A server of the user's own:** "
        + label
        + (own.pid() == null ? " was started by its command for each rung"
            : " ran already, as process " + own.pid() + ", and was not restarted between rungs")
        + ". It has no metrics page, so its live heap, collections, hiccups, failed accepts and its own count of connections are not known."
        + " Its CPU, RSS, threads and context switches are those of its process and of all that this has started; a page of memory that"
        + " several of them share counts with each."
        + (own.uncompared() ? " Its answers were told by their status alone: their bodies were not compared with anything." : "");
  }
}
