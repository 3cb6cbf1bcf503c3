package echoladder.harness.capacity;

import echoladder.client.LoadResult;
import echoladder.client.Reason;
import echoladder.client.figures.LateShares;
import echoladder.client.figures.Percentiles;
import echoladder.harness.Results;
import echoladder.harness.Rungs;
import echoladder.harness.Studies;
import echoladder.harness.metric.Figures;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.StandPlace;
import echoladder.harness.study.Capacity;
import echoladder.harness.study.Study;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rungs of a search with a bound of 20 ms. */
final class Tries {
  static final long MS = 1_000_000;

  private Tries() {}

  /** From 1,000/s to 100,000/s, at 100 and 200 connections. */
  static Study study(String... servers) {
    Study plain = Studies.of(
        Arrays.stream(servers).map(name -> Study.Entry.plain(name, name, "open-loop", Map.of())).toList(), List.of(100, 200),
        Studies.total(1_000),
        new Study.Phases(5_000, 10_000_000_000L, 2_000_000_000L, 4_000_000_000L, null, 6_000_000_000L, 2_000_000_000L, 0, 0));
    return Studies.with(Studies.with(plain, new Study.Bounds(20 * MS, 30_000_000_000L)), new Capacity(100_000, 0.05, 40));
  }

  /**
   * A measured rung.
   *
   * @param p99Ms of the response time; null = there is none
   * @param onTimeMs the same of messages as sent on time
   */
  static RungRecord rung(
      String server, int connections, double ratePerS, int repeat, @Nullable Long p99Ms, @Nullable Long onTimeMs, Figures figures,
      List<Reason> doubts) {
    Percentiles response = new Percentiles(MS, 2 * MS, ns(p99Ms), null, null, 900 * MS);
    LoadResult load = Results.of(connections, 30_000, 30_000, 0, response, 40.0, doubts);
    LoadResult.Times of = load.times();
    LateShares late = new LateShares(null, null, null, null, null, ns(onTimeMs));
    LoadResult.Times times = LoadResult.Times.unstamped(of.connect(), of.firstEcho(), of.response(), late, of.sendLateness(), of.service());
    LoadResult told =
        new LoadResult(
            load.client(), load.connections(), load.errors(), load.pace(), load.messages(), load.hiccup(),
            load.responseTimeLowerBoundBeyond(), load.histogramOverflows(), load.cost(), load.condition(),
            load.serviceTimeCoverageConnections(), load.responseTimeFloorNs(), load.verdict(), load.verdictReasons(), times,
            load.placement(), load.drift(), load.crowd());
    return Rungs.measured(new RungRecord.Planned(server, connections, repeat, ratePerS, new StandPlace(repeat, false)), told, figures);
  }

  private static @Nullable Long ns(@Nullable Long ms) {
    return ms == null ? null : (Long) (ms * MS);
  }
}
