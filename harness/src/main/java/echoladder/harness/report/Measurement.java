package echoladder.harness.report;

import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A rung as one of the repeats of its server and connection count.
 *
 * @param server index of its server in the study: the same colour and mark everywhere
 * @param repeat 1 for the first; repeats stand in run.json in the order in which they were climbed
 */
record Measurement(int server, int repeat, RungRecord rung) {

  /** All rungs of a run, by server in the order of the study. */
  static List<Measurement> all(RunRecord run) {
    List<Measurement> all = new ArrayList<>();
    Map<String, Integer> seen = new HashMap<>();
    List<String> labels = run.servers().stream().map(RunRecord.ServerRecord::label).toList();
    for (RungRecord rung : RungText.byServer(run)) {
      int repeat = seen.merge(rung.server() + ' ' + rung.connections(), 1, Integer::sum);
      all.add(new Measurement(labels.indexOf(rung.server()), repeat, rung));
    }
    return all;
  }

  /** Whether some rung was climbed more than once. */
  static boolean repeated(List<Measurement> all) {
    return all.stream().anyMatch(m -> m.repeat() > 1);
  }
}
