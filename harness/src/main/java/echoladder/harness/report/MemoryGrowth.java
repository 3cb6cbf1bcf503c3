package echoladder.harness.report;

import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one more connection takes: the growth between the lowest and the highest valid rung of a server over the
 * difference in connections. What a runtime needs before the first connection cancels out.
 */
final class MemoryGrowth {
  private MemoryGrowth() {}

  /** One row per server with two valid rungs. */
  static List<Map<String, Object>> rows(RunRecord run) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (RunRecord.ServerRecord server : run.servers()) {
      List<RungRecord> valid =
          RungText.byServer(run).stream().filter(r -> r.server().equals(server.label()) && r.valid()).toList();
      if (valid.size() < 2) {
        continue;
      }
      RungRecord low = valid.getFirst();
      RungRecord high = valid.getLast();
      rows.add(
          Map.of(
              "server", server.label(),
              "range", Units.count(low.connections()) + " to " + Units.count(high.connections()),
              "rss", each(low, high, r -> r.load() == null ? null : r.load().serverRssBytes()),
              "heap", each(low, high, r -> r.probes() == null ? null : r.probes().serverLiveHeapBytes()),
              "stacks", each(low, high, r -> r.probes() == null ? null : r.probes().serverStackBytes())));
    }
    return rows;
  }

  private static String each(RungRecord low, RungRecord high, Function<RungRecord, @Nullable Long> of) {
    Long from = of.apply(low);
    Long to = of.apply(high);
    return from == null || to == null
        ? Units.NONE
        : Units.bytes((Double) ((double) (to - from) / (high.connections() - low.connections())));
  }
}
