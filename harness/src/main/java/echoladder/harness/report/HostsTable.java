package echoladder.harness.report;

import echoladder.harness.common.Units;
import echoladder.harness.metric.Shown;
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

  /** Without rows of a run on one host. */
  static Table of(RunRecord run) {
    Table table =
        new Table()
            .words("server")
            .figures(RungText.heads(run))
            .words("host")
            .figures("its connections", "echoes/s", "p50", "p99", "lateness p99", "client CPU/echo", "client RSS", "host idle",
                "host steal", "clock drift");
    for (RungRepeats rung : RungText.repeatsByServer(run)) {
      RungText text = new RungText(rung, false);
      for (String host : hosts(rung)) {
        List<String> cells = new ArrayList<>(List.of(rung.any().server()));
        cells.addAll(text.cells(run));
        cells.add(host);
        cells.addAll(figures(rung, host, text));
        table.row(cells);
      }
    }
    return table;
  }

  private static List<String> hosts(RungRepeats rung) {
    return rung.shown().stream()
        .flatMap(record -> record.hosts() == null ? List.<RungHost>of().stream() : record.hosts().stream())
        .map(RungHost::name)
        .distinct()
        .toList();
  }

  /** A percentile that may not be quoted of all hosts together is not quoted of one. */
  private static List<String> figures(RungRepeats rung, String host, RungText text) {
    Double connections = median(rung, host, RungHost::connectionsEstablished);
    Double echoes = median(rung, host, RungHost::achievedPerS);
    Double drift = median(rung, host, RungHost::clockDriftNs);
    return List.of(
        connections == null ? Units.NONE : Units.count(Math.round(connections)),
        echoes == null ? Units.NONE : Units.count(Math.round(echoes)),
        time(text.has(Shown.P50) ? median(rung, host, RungHost::responseTimeP50Ns) : null),
        time(text.has(Shown.P99) ? median(rung, host, RungHost::responseTimeP99Ns) : null),
        time(median(rung, host, RungHost::sendLatenessP99Ns)),
        Units.us(median(rung, host, RungHost::clientCpuUsPerEcho)),
        Units.bytes(median(rung, host, RungHost::clientRssBytes)),
        Units.percent(median(rung, host, RungHost::hostIdleShare)),
        Units.percent(median(rung, host, RungHost::hostStealShare)),
        drift == null ? Units.NONE : "%.2f ms".formatted(drift / 1e6));
  }

  private static String time(@Nullable Double ns) {
    return Units.time(ns == null ? null : (Long) Math.round(ns));
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
