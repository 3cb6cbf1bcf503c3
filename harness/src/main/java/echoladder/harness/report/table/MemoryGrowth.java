package echoladder.harness.report.table;

import echoladder.harness.common.Units;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.MemoryMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.Unit;
import echoladder.harness.report.words.RungText;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRepeats;
import echoladder.harness.stats.Spread;
import java.util.List;

/**
 * What one more connection takes: the growth between the lowest and the highest valid rung of a server over the
 * difference in connections, medians where there are repeats. What a runtime needs before the first connection cancels out.
 */
final class MemoryGrowth {
  private MemoryGrowth() {}

  /** One row per server with two valid rungs. */
  static Table table(RunRecord run) {
    Table table = new Table().words("server", "connections").figures("RSS", "live heap", "stacks outside the heap", "kernel");
    // What the process of a stand keeps of one rate is in its memory at the next, so that nothing cancels out.
    for (RunRecord.ServerRecord server : RungText.severalRates(run) ? List.<RunRecord.ServerRecord>of() : run.servers()) {
      List<RungRepeats> valid =
          RungText.repeatsByServer(run).stream()
              .filter(r -> r.any().server().equals(server.label()) && !r.valid().isEmpty())
              .toList();
      if (valid.size() < 2) {
        continue;
      }
      RungRepeats low = valid.getFirst();
      RungRepeats high = valid.getLast();
      table.row(
          server.label(),
          Units.count(low.any().connections()) + " to " + Units.count(high.any().connections()),
          each(low, high, LoadMetrics.SERVER_RSS),
          each(low, high, MemoryMetrics.LIVE_HEAP),
          each(low, high, MemoryMetrics.STACKS),
          kernel(low, high));
    }
    return table;
  }

  private static String each(RungRepeats low, RungRepeats high, Metric figure) {
    Spread from = low.spread(figure);
    Spread to = high.spread(figure);
    return from == null || to == null ? Units.NONE : each(low, high, from.median(), to.median());
  }

  /** What the kernel grew by at each of both. */
  private static String kernel(RungRepeats low, RungRepeats high) {
    Spread from = low.spread(MemoryMetrics.KERNEL_PER_CONNECTION);
    Spread to = high.spread(MemoryMetrics.KERNEL_PER_CONNECTION);
    return from == null || to == null
        ? Units.NONE
        : each(low, high, from.median() * low.any().connections(), to.median() * high.any().connections());
  }

  private static String each(RungRepeats low, RungRepeats high, double from, double to) {
    return Unit.BYTES_PER_CONNECTION.text((to - from) / (high.any().connections() - low.any().connections()));
  }
}
