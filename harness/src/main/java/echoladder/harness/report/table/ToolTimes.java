package echoladder.harness.report.table;

import echoladder.client.LoadResult;
import echoladder.client.figures.Percentiles;
import echoladder.harness.client.LoadTools;
import echoladder.harness.common.Units;
import echoladder.harness.metric.Shown;
import echoladder.harness.report.words.RungText;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.study.Study;
import java.util.List;

/** Times by the clients' own kinds: what stands in no response-time column, and of how many connections it is. */
public final class ToolTimes {
  private ToolTimes() {}

  /** Whether a load tool of others had a part in a run, or should have had. */
  static boolean any(Study study) {
    return study.servers().stream().anyMatch(entry -> !LoadTools.ofId(entry.client()).ours());
  }

  /** The client of a rung: the one that loaded it, or was to. */
  static String client(Study study, RungRecord rung) {
    return rung.load() != null
        ? rung.load().client()
        : study.entry(rung.server()).map(Study.Entry::client).orElse(Units.NONE);
  }

  /** Each measured rung, as a ladder is read. */
  public static Table table(RunRecord run) {
    Table table =
        new Table()
            .words("server", "client")
            .figures("connections", "response p50 / p99", "service p50", "service p99", "service max")
            .words("service times are of", "kinds");
    for (RungRecord rung : any(run.study()) ? RungText.byServer(run) : List.<RungRecord>of()) {
      LoadResult load = rung.load();
      if (load != null) {
        RungText text = new RungText(rung);
        table.row(
            rung.server(),
            load.client(),
            rung.key().load() + (rung.driftCheck() ? ", check for drift" : "") + (rung.repeat() == 1 ? "" : ", repeat " + rung.repeat()),
            text.of(Shown.P50) + " / " + text.of(Shown.P99),
            Units.time(load.times().service().p50Ns()),
            Units.time(load.times().service().p99Ns()),
            Units.time(load.times().service().maxNs()),
            coverage(load),
            kinds(load));
      }
    }
    return table;
  }

  /** How many connections the service times are of. */
  static String coverage(LoadResult load) {
    if (load.times().service().equals(Percentiles.NONE)) {
      return Units.NONE;
    }
    Integer looked = load.serviceTimeCoverageConnections();
    return looked == null
        ? "all connections"
        : Units.count(looked) + " of " + Units.count(load.connections().established()) + " connections";
  }

  /** What the client's kinds of time are, in its own words' place. */
  private static String kinds(LoadResult load) {
    return (LoadTools.known(load.client()) ? LoadTools.ofId(load.client()) : LoadTools.embedded()).timeKinds();
  }
}
