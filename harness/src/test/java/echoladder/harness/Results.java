package echoladder.harness;

import echoladder.client.LoadResult.ClientCondition;
import echoladder.client.LoadResult.Connections;
import echoladder.client.LoadResult.Cost;
import echoladder.client.LoadResult.Messages;
import echoladder.client.LoadResult.Pace;
import echoladder.client.LoadResult.Times;
import echoladder.client.LoadResult;
import echoladder.client.Reason;
import echoladder.client.Verdict;
import echoladder.client.figures.Crowd;
import echoladder.client.figures.LateShares;
import echoladder.client.figures.Percentiles;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Load results to begin with. */
public final class Results {
  /** Times of a rung where nothing went wrong: 5,000/s over 10 s. */
  public static final Percentiles TIMES =
      new Percentiles(142_000L, 180_000L, 1_234_000L, 2_500_000L, null, 7_000_000L);

  private Results() {}

  /** A good one, for that many connections. */
  public static LoadResult good(int connections) {
    return of(connections, 50_000, 50_000, 0, TIMES, 40.0, List.of());
  }

  /** A good one by that client: its kinds of time, and what they are worth. */
  public static LoadResult by(
      String client,
      double achievedPerS,
      Percentiles response,
      Percentiles service,
      @Nullable Integer coverage,
      @Nullable Long floorNs,
      List<Reason> doubts) {
    return by(client, achievedPerS, response, service, coverage, floorNs, 40.0, doubts);
  }

  /** A good result by that client, at that cost for the server. */
  public static LoadResult by(
      String client,
      double achievedPerS,
      Percentiles response,
      Percentiles service,
      @Nullable Integer coverage,
      @Nullable Long floorNs,
      double serverUs,
      List<Reason> doubts) {
    return new LoadResult(
        client, new Connections(1_000, 1_000, 0, 0, 0, 0, null, null), Map.of(), new Pace(2_000, achievedPerS, 15, 10, 0.5, 2_000),
        new Messages(30_000, 30_000, 30_000, 0, 0, 0, 0, 30_000), Percentiles.NONE, null, 0,
        new Cost(20.0, serverUs, null, null, null), ClientCondition.of(1, 1, List.of()), coverage, floorNs, Verdict.of(doubts), doubts,
        Times.of(Percentiles.NONE, response, service), LoadResult.Placement.UNKNOWN,
        LoadResult.Drift.UNKNOWN, Crowd.NONE);
  }

  /** One with these figures. */
  public static LoadResult of(
      int connections,
      long scheduled,
      long echoes,
      long unanswered,
      Percentiles response,
      @Nullable Double serverUs,
      List<Reason> doubts) {
    Percentiles lateness = new Percentiles(20_000L, null, null, null, null, 90_000L);
    Percentiles hiccup = new Percentiles(10_000L, null, null, null, null, 3_000_000L);
    return new LoadResult(
        "open-loop", new Connections(connections, connections, 0, 0, 0, 0, connections, null), Map.of(),
        new Pace(5_000, echoes / 10.0, 10, 2.5, 0.4, connections / 0.4),
        new Messages(scheduled, scheduled, echoes, unanswered, 0, 0, 0, echoes),
        hiccup, unanswered == 0 ? null : (Double) 98.5, 0, new Cost(35.0, serverUs, 180_000_000L, 100_000_000L, echoes * 35e-6),
        new ClientCondition(0L, 0.0, 47.0, 1, 1, List.of(), true), null, null, Verdict.of(doubts), doubts,
        Times.unstamped(response, response, response, LateShares.UNKNOWN, lateness, response), new LoadResult.Placement("0-1", "0-1", "0-1", 0L),
        new LoadResult.Drift(0.98, 1.1), Crowd.NONE);
  }

  /** A result with what connections showed that act at once. */
  public static LoadResult with(Crowd crowd, LoadResult load) {
    return new LoadResult(
        load.client(), load.connections(), load.errors(), load.pace(), load.messages(), load.hiccup(),
        load.responseTimeLowerBoundBeyond(), load.histogramOverflows(), load.cost(), load.condition(),
        load.serviceTimeCoverageConnections(), load.responseTimeFloorNs(), load.verdict(), load.verdictReasons(), load.times(),
        load.placement(), load.drift(), crowd);
  }

  /** A result with what the load ran on. */
  public static LoadResult at(LoadResult.Placement placement, LoadResult load) {
    return new LoadResult(
        load.client(), load.connections(), load.errors(), load.pace(), load.messages(), load.hiccup(),
        load.responseTimeLowerBoundBeyond(), load.histogramOverflows(), load.cost(), load.condition(),
        load.serviceTimeCoverageConnections(), load.responseTimeFloorNs(), load.verdict(), load.verdictReasons(), load.times(),
        placement, load.drift(), load.crowd());
  }
}
