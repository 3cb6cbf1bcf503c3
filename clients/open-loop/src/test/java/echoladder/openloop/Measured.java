package echoladder.openloop;

import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Progress;
import echoladder.client.ReasonCode;
import echoladder.client.Target;
import echoladder.client.schedule.Slice;
import echoladder.openloop.connection.Addresses;
import echoladder.openloop.loop.LoopPlan;
import echoladder.openloop.result.Recorders;
import echoladder.openloop.result.TimeKind;
import echoladder.openloop.run.LoadEvents;
import echoladder.openloop.run.OpenLoopRun;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;

/**
 * A load that was run in this process, with its histograms as HdrHistogram's own reader finds them in the log.
 *
 * @param result what the client says
 * @param times per kind, over the whole log; a kind that was never recorded is not there
 */
public record Measured(LoadResult result, Map<TimeKind, Histogram> times) {
  public static final int MESSAGE_BYTES = 64;

  /** A short load; its warm-up is too short for the compilers, so no test asks for the verdict "valid". */
  public static LoadPlan.Builder plan(Target target, int connections, double ratePerSecond, Duration steady) {
    return LoadPlan.builder(target, connections, ratePerSecond, steady)
        .messageBytes(MESSAGE_BYTES)
        .warmUp(Duration.ofMillis(300), Duration.ofMillis(300), 0)
        .drain(Duration.ofSeconds(10));
  }

  /** All of a load as the part of one loop that is never run. */
  public static LoopPlan loop(LoadPlan plan) {
    Slice all = new Slice(0, 1, plan.connections(), plan.activeConnections());
    return new LoopPlan(plan, all, new Addresses(List.of(), List.of()));
  }

  public static Measured run(LoadPlan.Builder plan) throws Exception {
    return run(plan, phase -> {});
  }

  /** Runs a load, telling of each phase when it begins. */
  public static Measured run(LoadPlan.Builder plan, Consumer<Phase> onPhase) throws Exception {
    Path log = Files.createTempFile("measured", ".hlog");
    try {
      LoadEvents events =
          new LoadEvents() {
            @Override
            public void phase(Phase phase, long monotonicNs) {
              onPhase.accept(phase);
            }

            @Override
            public void progress(Progress progress) {}

            @Override
            public void hold() {}
          };
      LoadResult result = new OpenLoopRun(plan.build(), log, events).run();
      return new Measured(result, read(log));
    } finally {
      Files.delete(log);
    }
  }

  /** The sum over an interval log, per kind; a tag of no kind is a failure. */
  static Map<TimeKind, Histogram> read(Path log) throws IOException {
    Map<TimeKind, Histogram> times = new EnumMap<>(TimeKind.class);
    try (HistogramLogReader reader = new HistogramLogReader(log.toFile())) {
      while (reader.hasNext()) {
        if (reader.nextIntervalHistogram() instanceof Histogram interval) {
          TimeKind kind =
              Arrays.stream(TimeKind.values())
                  .filter(k -> k.tag.equals(interval.getTag()))
                  .findFirst()
                  .orElseThrow(() -> new AssertionError("unknown tag " + interval.getTag()));
          times.computeIfAbsent(kind, k -> Recorders.emptyHistogram()).add(interval);
        }
      }
    } catch (FileNotFoundException e) {
      throw new IOException("no interval log", e);
    }
    return times;
  }

  /** All times of a kind; empty where none was recorded. */
  Histogram times(TimeKind kind) {
    return times.getOrDefault(kind, Recorders.emptyHistogram());
  }

  public Histogram responses() {
    return times(TimeKind.RESPONSE);
  }

  /** Every message that was answered, of whatever phase, from its intended time. */
  public Histogram allResponses() {
    Histogram all = responses().copy();
    all.add(times(TimeKind.WARM_UP_RESPONSE));
    all.add(times(TimeKind.FIRST_ECHO));
    return all;
  }

  /** Share of a histogram's values at or above {@code ns}, 0-1. */
  static double shareFrom(Histogram histogram, long ns) {
    return (double) histogram.getCountBetweenValues(ns, Recorders.HIGHEST_NS) / histogram.getTotalCount();
  }

  public Set<ReasonCode> reasons() {
    return result.verdictReasons().stream()
        .map(doubt -> doubt.reason())
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(ReasonCode.class)));
  }
}
