package echoladder.harness.report.text;

import static java.util.stream.Collectors.joining;

import echoladder.harness.metric.CrowdMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.Percentile;
import echoladder.harness.metric.PushMetrics;
import echoladder.harness.metric.StormMetrics;
import echoladder.harness.report.words.LabText;
import echoladder.harness.report.words.RungText;
import echoladder.harness.results.ClimbRecord;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRepeats;
import java.util.List;
import java.util.Locale;

/**
 * What the answer of a run says of connections that act at once, where its study asks for that.
 *
 * @param figure that it says
 * @param with what a rung has to have for it to be said
 * @param words before the figure
 * @param after behind the figure, in the sentence of one climb
 */
record CrowdAnswer(Metric figure, Metric with, String words, String after) {
  private static final Metric BURST = CrowdMetrics.BURST_ANSWER.at(Percentile.P50);
  private static final Metric LAST = PushMetrics.LAST.at(Percentile.P50);

  /**
   * Answers for a server that is killed and started again, and for bursts. Connections come back from churn too: only a storm
   * has a recovery.
   */
  static final List<CrowdAnswer> ALL =
      List.of(
          new CrowdAnswer(
              CrowdMetrics.RECONNECT.at(Percentile.MAX), StormMetrics.RECOVERY, "after its crash each connection was back within",
              " of its loss"),
          new CrowdAnswer(BURST, BURST, "half of the bursts were answered within", ""),
          new CrowdAnswer(LAST, LAST, "half of the messages had reached every subscriber after", ""));

  /**
   * Further parts of the sentence on a climb's highest valid rung: medians of the repeats. Empty where none act at once,
   * nothing is valid, or no time may be quoted.
   */
  static String of(RunRecord run, ClimbRecord climb) {
    return ALL.stream().map(answer -> answer.clause(run, climb)).collect(joining());
  }

  /** Whether the climb has it. */
  boolean saidOf(RunRecord run, ClimbRecord climb) {
    return !clause(run, climb).isEmpty();
  }

  /** The beginning of a sentence of several climbs. */
  String heading() {
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }

  private String clause(RunRecord run, ClimbRecord climb) {
    if (climb.highestValidConnections() == null || !LabText.quotesTimes(run)) {
      return "";
    }
    RungText text = new RungText(RungRepeats.at(climb.server(), climb.highestValidConnections(), run.rungs()), false);
    return text.has(with) && text.has(figure) ? "; %s %s%s".formatted(words, text.of(figure), after) : "";
  }
}
