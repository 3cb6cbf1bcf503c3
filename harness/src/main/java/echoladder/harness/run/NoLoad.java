package echoladder.harness.run;

import echoladder.client.Doubt;
import echoladder.client.LoadResult;
import echoladder.client.Percentiles;
import echoladder.client.Verdict;
import echoladder.harness.plan.Rung;
import java.util.List;
import java.util.Map;

/** The result of a rung whose load never began. */
final class NoLoad {
  private NoLoad() {}

  static LoadResult because(String client, Rung rung, Doubt why) {
    Percentiles none = Percentiles.NONE;
    return new LoadResult(
        client, rung.connections(), 0, 0, 0, 0, 0, Map.of(), rung.ratePerS(), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        none, none, none, none, none, none, null, 0, null, null, null, null, null, null, null, 0, 0, List.of(), null,
        null, null, Verdict.INVALID, List.of(why));
  }
}
