package echoladder.harness.engine;

import echoladder.client.ReasonCode;
import echoladder.harness.common.Units;
import echoladder.harness.lab.LabMark;
import echoladder.harness.lab.Quotable;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.Percentile;
import echoladder.harness.metric.PushMetrics;
import echoladder.harness.metric.ServerTimes;
import echoladder.harness.metric.Shown;
import echoladder.harness.report.table.CapacityText;
import echoladder.harness.report.words.RungText;
import echoladder.harness.report.words.StagedText;
import echoladder.harness.results.CapacityRecord;
import echoladder.harness.results.RungRecord;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The sentence that a run prints when a rung is over.
 *
 * @param repeats of the study
 * @param lab where the run is made; null = in none
 */
record RungSentence(int repeats, @Nullable LabMark lab) {
  /** Server, connections, rate where it is a part of the key, and which repeat. */
  String name(RungRecord record) {
    String which = repeats == 1 ? "" : " (%d of %d)".formatted(record.repeat(), repeats);
    return "%s  %s%s%s".formatted(record.server(), record.key().load(), record.driftCheck() ? " again" : "", which);
  }

  /** One line on a try, in a search that has found so far what the row says. */
  String of(RungRecord record, CapacityRecord row) {
    String head = "%s  %s: ".formatted(record.server(), Units.count(record.connections()));
    return head + (record.has(ReasonCode.INTERRUPTED) ? "the run was stopped" : CapacityText.progress(row));
  }

  /** One line. */
  String of(RungRecord record) {
    String head = name(record) + ": ";
    if (record.load() == null) {
      return head + record.statusReason();
    }
    if (!record.valid()) {
      return head
          + (record.saturated() ? "saturated: " : "INVALID: ")
          + record.load().verdictReasons().stream()
              .map(doubt -> doubt.reason().id() + ": " + doubt.detail())
              .collect(Collectors.joining("; "));
    }
    if (record.staged() != null) {
      return head + "valid, " + StagedText.sentence(record);
    }
    if (lab != null && LabMark.mayClaim(lab, Quotable.NETWORK_TIMES)) {
      return head + "valid, %s; only a p50 of %s and more is to be quoted, as it was made in a lab"
          .formatted(time(record, Shown.P50), Units.time(Quotable.NETWORK_TIME_LEAST_NS));
    }
    if (lab != null && !LabMark.mayClaim(lab, Quotable.TIMES)) {
      return head + "valid; its times and CPU are not to be quoted, as it was made "
          + (lab.ofHosts() ? "on hosts that are one machine" : "in a lab");
    }
    boolean push = PushMetrics.isPush(record.load());
    return head
        + "valid, "
        + (push ? deliveries(record) : time(record, Shown.P99, Shown.P50))
        + ", server "
        + Units.us(record.load().cost().serverCpuUsPerEcho())
        + (push ? " CPU per delivery" : " CPU per echo")
        + aside(record);
  }

  /** The time of a delivery, and until everybody has a message. */
  private static String deliveries(RungRecord record) {
    return time(record, PushMetrics.DELIVERY.at(Percentile.P99), PushMetrics.DELIVERY.at(Percentile.P50))
        + ", "
        + time(record, PushMetrics.LAST.at(Percentile.P50));
  }

  /** What marks its figures. */
  private static String aside(RungRecord record) {
    return record.aside().stream().map(doubt -> "; " + doubt.reason().id() + ": " + doubt.detail()).collect(Collectors.joining());
  }

  /** The first of these times that there were enough messages for. */
  private static String time(RungRecord record, Metric... figures) {
    return Stream.of(figures)
        .map(figure -> ServerTimes.in(List.of(record), figure))
        .filter(figure -> figure.value(record) != null)
        .findFirst()
        .map(figure -> figure.label() + " " + RungText.cell(record, figure))
        .orElse("too few messages for " + ServerTimes.in(List.of(record), figures[figures.length - 1]).label());
  }
}
