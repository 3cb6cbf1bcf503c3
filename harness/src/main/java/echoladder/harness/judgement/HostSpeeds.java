package echoladder.harness.judgement;

import echoladder.client.LoadResult;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.results.RungRecord;
import echoladder.harness.stats.Spread;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sets the speed of the host at every rung beside the run's median, on the same processors. Pure. */
public final class HostSpeeds {
  /** Below so many rungs a median is one of them. */
  private static final int FEWEST = 3;

  private HostSpeeds() {}

  /** Fills in the speeds of rungs; unknown where fewer than three rungs tell one. */
  public static List<RungRecord> of(List<RungRecord> rungs) {
    List<RungRecord> ofServers = of(rungs, HostMetrics.HOST_WORK, HostMetrics.HOST_SPEED, LoadResult.Placement::serverCpus);
    return of(ofServers, HostMetrics.CLIENT_WORK, HostMetrics.CLIENT_SPEED, LoadResult.Placement::clientCpus);
  }

  private static List<RungRecord> of(
      List<RungRecord> rungs, Metric work, Metric speed, Function<LoadResult.Placement, @Nullable String> cpus) {
    Map<String, Spread> all = new HashMap<>();
    Function<RungRecord, String> place =
        rung -> rung.load() == null ? "" : Objects.requireNonNullElse(cpus.apply(rung.load().placement()), "");
    return rungs.stream()
        .map(
            rung -> {
              Double ns = work.value(rung);
              if (ns == null) {
                return rung;
              }
              Spread there = all.computeIfAbsent(place.apply(rung), at -> Spread.of(values(rungs, work, place, at)));
              return rung.with(rung.figures().with(speed, there.count() < FEWEST ? null : (Double) (there.median() / ns)));
            })
        .toList();
  }

  private static List<Number> values(List<RungRecord> rungs, Metric work, Function<RungRecord, String> place, String at) {
    return rungs.stream()
        .filter(rung -> place.apply(rung).equals(at))
        .map(work::value)
        .filter(Objects::nonNull)
        .map(Number.class::cast)
        .toList();
  }
}
