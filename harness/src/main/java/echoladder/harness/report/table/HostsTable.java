package echoladder.harness.report.table;

import echoladder.harness.common.Units;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.Percentile;
import echoladder.harness.metric.RecordMetrics;
import echoladder.harness.report.words.RungText;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungHost;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.RungRepeats;
import echoladder.harness.stats.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What each host of a run over several showed by itself: a row for each rung and host, of repeats the medians. Pure. */
final class HostsTable {
  private HostsTable() {}

  /**
   * A figure of a host, which is that of the rung by the same name, of this host alone.
   *
   * @param head above its column
   */
  private record Column(String head, Metric figure, Function<RungHost, ? extends @Nullable Number> of) {
    Column(Metric figure, Function<RungHost, ? extends @Nullable Number> of) {
      this(figure.label(), figure, of);
    }

    String text(@Nullable Double median) {
      // Clocks run apart in both directions.
      return median == null ? Units.NONE : (median < 0 ? "-" : "") + figure.unit().text(Math.abs(median));
    }
  }

  private static final List<Column> COLUMNS =
      List.of(
          new Column("its connections", LoadMetrics.ESTABLISHED, RungHost::connectionsEstablished),
          new Column(LoadMetrics.ACHIEVED, RungHost::achievedPerS),
          new Column(LoadMetrics.RESPONSE.at(Percentile.P50), RungHost::responseTimeP50Ns),
          new Column(LoadMetrics.RESPONSE.at(Percentile.P99), RungHost::responseTimeP99Ns),
          new Column(LoadMetrics.SEND_LATENESS.at(Percentile.P99), RungHost::sendLatenessP99Ns),
          new Column(LoadMetrics.CLIENT_CPU, RungHost::clientCpuUsPerEcho),
          new Column(LoadMetrics.CLIENT_RSS, RungHost::clientRssBytes),
          new Column(HostMetrics.IDLE_SHARE, RungHost::hostIdleShare),
          new Column(HostMetrics.STEAL_SHARE, RungHost::hostStealShare),
          new Column(RecordMetrics.CLOCK_DRIFT, RungHost::clockDriftNs));

  /** Without rows of a run on one host. */
  static Table of(RunRecord run) {
    Table table =
        new Table()
            .words("server")
            .figures(RungText.heads(run))
            .words("host")
            .figures(COLUMNS.stream().map(Column::head).toArray(String[]::new));
    for (RungRepeats rung : RungText.repeatsByServer(run)) {
      RungText text = new RungText(rung, false);
      for (String host : hosts(rung)) {
        List<String> cells = new ArrayList<>(List.of(rung.any().server()));
        cells.addAll(text.cells(run));
        cells.add(host);
        COLUMNS.forEach(column -> cells.add(column.text(quoted(column, text) ? median(rung, host, column.of) : null)));
        table.row(cells);
      }
    }
    return table;
  }

  /** A percentile that may not be quoted of all hosts together is not quoted of one. */
  private static boolean quoted(Column column, RungText text) {
    return !LoadMetrics.RESPONSE.has(column.figure) || text.has(column.figure);
  }

  private static List<String> hosts(RungRepeats rung) {
    return rung.shown().stream()
        .flatMap(record -> record.hosts() == null ? List.<RungHost>of().stream() : record.hosts().stream())
        .map(RungHost::name)
        .distinct()
        .toList();
  }

  private static @Nullable Double median(RungRepeats rung, String host, Function<RungHost, ? extends @Nullable Number> of) {
    Spread spread = rung.spread(record -> figure(record, host, of));
    return spread == null ? null : (Double) spread.median();
  }

  private static @Nullable Number figure(RungRecord record, String host, Function<RungHost, ? extends @Nullable Number> of) {
    for (RungHost one : record.hosts() == null ? List.<RungHost>of() : record.hosts()) {
      if (one.name().equals(host)) {
        return of.apply(one);
      }
    }
    return null;
  }
}
