package echoladder.harness.report.words;

import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.util.List;

/**
 * A rung as one of the repeats of its server and connection count.
 *
 * @param server index of its server in the study: the same colour and mark everywhere
 */
public record Measurement(int server, RungRecord rung) {

  /** All rungs of a run, by server in the order of the study; without the checks for drift, which are pooled with nothing. */
  public static List<Measurement> all(RunRecord run) {
    return withDriftChecks(run).stream().filter(m -> !m.rung().driftCheck()).toList();
  }

  /** All rungs of a run with the checks for drift, by server in the order of the study. */
  public static List<Measurement> withDriftChecks(RunRecord run) {
    List<String> labels = run.servers().stream().map(RunRecord.ServerRecord::label).toList();
    return RungText.byServer(run).stream().map(rung -> new Measurement(labels.indexOf(rung.server()), rung)).toList();
  }

  /** Which of the repeats, from 1. */
  public int repeat() {
    return rung.repeat();
  }
}
