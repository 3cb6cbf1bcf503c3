package echoladder.harness.judgement;

import echoladder.harness.metric.HostMetrics;
import echoladder.harness.results.RungRecord;
import echoladder.harness.stats.Spread;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Sets the speed of the host at every rung beside the run's median, on the same processors. Pure. */
public final class HostSpeeds {
  /** Below so many rungs a median is one of them. */
  private static final int FEWEST = 3;

  private HostSpeeds() {}

  /** Fills in the speeds of rungs; unknown where fewer than three rungs tell one. */
  public static List<RungRecord> of(List<RungRecord> rungs) {
    Map<String, Spread> medians = new HashMap<>();
    return rungs.stream()
        .map(
            rung -> {
              Double work = HostMetrics.HOST_WORK.value(rung);
              return work == null ? rung : of(rung, work, medians.computeIfAbsent(place(rung), place -> work(place, rungs)));
            })
        .toList();
  }

  private static RungRecord of(RungRecord rung, double work, Spread all) {
    return rung.with(rung.figures().with(HostMetrics.HOST_SPEED, all.count() < FEWEST ? null : (Double) (all.median() / work)));
  }

  private static Spread work(String place, List<RungRecord> rungs) {
    return Spread.of(
        rungs.stream()
            .filter(rung -> place(rung).equals(place))
            .map(HostMetrics.HOST_WORK::value)
            .filter(Objects::nonNull)
            .map(Number.class::cast)
            .toList());
  }

  /** The server's processors. */
  private static String place(RungRecord rung) {
    @Nullable String cpus = rung.load() == null ? null : rung.load().placement().serverCpus();
    return cpus == null ? "" : cpus;
  }
}
