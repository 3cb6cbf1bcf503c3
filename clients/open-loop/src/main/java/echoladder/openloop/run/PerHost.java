package echoladder.openloop.run;

import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.openloop.result.Recorders;
import echoladder.openloop.result.ShardStatus;
import echoladder.openloop.result.TimeKind;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.HdrHistogram.Histogram;

/**
 * What each host of a load shows by itself, beside the whole. Histograms of a host are its own, so that its percentiles are not
 * made of others'. One thread.
 */
public final class PerHost {
  /** A load on one host has no figures of single hosts. */
  static final PerHost NONE = new PerHost(List.of());

  /** Nobody looks at the server for a single host. */
  private static final ServerLook NO_SERVER = new ServerSide(null, null);

  private final List<Part> parts;

  public PerHost(List<Part> parts) {
    this.parts = List.copyOf(parts);
  }

  /**
   * One host.
   *
   * @param plan its part of the load
   * @param shards its processes, which follow those of the hosts before it
   */
  public record Part(String host, LoadPlan plan, int shards, LoadOutcome outcome, EnumMap<TimeKind, Histogram> totals) {
    public Part(String host, LoadPlan plan, int shards) {
      this(host, plan, shards, new LoadOutcome(plan), new EnumMap<>(TimeKind.class));
    }
  }

  private void each(List<ShardStatus> statuses, BiConsumer<Part, ShardStatus> told) {
    int from = 0;
    for (Part part : parts) {
      told.accept(part, ShardStatus.sum(statuses.subList(from, from + part.shards)));
      from += part.shards;
    }
  }

  void rampEnded(long startNs, long endNs, List<ShardStatus> statuses) {
    each(statuses, (part, status) -> part.outcome.rampEnded(startNs, endNs, status));
  }

  void warmUpEnded(long startNs, long endNs) {
    parts.forEach(part -> part.outcome.warmUpEnded(startNs, endNs));
  }

  void steadyBegan(long startNs, List<ShardStatus> statuses) {
    each(statuses, (part, status) -> part.outcome.steadyBegan(startNs, status, NO_SERVER));
  }

  void steadyEnded(long endNs, List<ShardStatus> statuses) {
    each(statuses, (part, status) -> part.outcome.steadyEnded(endNs, status, NO_SERVER));
  }

  void rollCalled(double seconds) {
    parts.forEach(part -> part.outcome.rollCalled(seconds));
  }

  /** Times that a shard recorded since the last call. */
  void recorded(int shard, Map<TimeKind, Histogram> interval) {
    int before = 0;
    for (Part part : parts) {
      before += part.shards;
      if (shard < before) {
        interval.forEach((kind, h) -> part.totals.computeIfAbsent(kind, _ -> Recorders.emptyHistogram()).add(h));
        return;
      }
    }
  }

  /** The result of each host's part, by its name. */
  Map<String, LoadResult> results(List<ShardStatus> statuses, boolean stopped) {
    Map<String, LoadResult> results = new LinkedHashMap<>();
    each(statuses, (part, status) -> results.put(part.host, part.outcome.result(status, part.totals, stopped)));
    return results;
  }
}
