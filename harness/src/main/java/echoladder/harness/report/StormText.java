package echoladder.harness.report;

import echoladder.harness.metric.CrowdMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.Percentile;
import echoladder.harness.metric.StormMetrics;
import echoladder.harness.results.ClimbRecord;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRepeats;

/** The answer of a run whose servers are killed and started again. */
final class StormText {
  static final Metric LAST_BACK = CrowdMetrics.RECONNECT.at(Percentile.MAX);

  private StormText() {}

  /**
   * How long the connections of a climb's highest valid rung were away, as another part of its sentence: the median of the repeats. Empty
   * where no server was killed, nothing is valid, or no time may be quoted.
   */
  static String of(RunRecord run, ClimbRecord climb) {
    if (climb.highestValidConnections() == null || !LabText.quotesTimes(run)) {
      return "";
    }
    RungRepeats rung = RungRepeats.at(climb.server(), climb.highestValidConnections(), run.rungs());
    RungText text = new RungText(rung, false);
    return text.has(StormMetrics.RECOVERY) && text.has(LAST_BACK)
        ? "; after its crash each connection was back within %s of its loss".formatted(text.of(LAST_BACK))
        : "";
  }
}
