package echoladder.harness.report;

import static java.util.Map.entry;
import static java.util.stream.Collectors.joining;

import echoladder.client.LoadResult;
import echoladder.client.Percentiles;
import echoladder.harness.common.Units;
import echoladder.harness.results.ProbeFigures;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.RungRecord.Status;
import echoladder.harness.results.RungRepeats;
import echoladder.harness.stats.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The cells of one rung, as every table shows them: of several repeats the median, and the range where that is asked for. */
final class RungText {
  private final RungRepeats rung;
  private final boolean ranges;

  RungText(RungRecord rung) {
    this(new RungRepeats(List.of(rung)), false);
  }

  RungText(RungRepeats rung, boolean ranges) {
    this.rung = rung;
    this.ranges = ranges;
  }

  /** The rungs of a run by server in the order of the study, ascending: as a ladder is read. */
  static List<RungRecord> byServer(RunRecord run) {
    List<RungRecord> sorted = new ArrayList<>();
    for (RunRecord.ServerRecord server : run.servers()) {
      run.rungs().stream().filter(r -> r.server().equals(server.label())).forEach(sorted::add);
    }
    return sorted;
  }

  /** The same with the repeats of a rung together. */
  static List<RungRepeats> repeatsByServer(RunRecord run) {
    return RungRepeats.of(byServer(run));
  }

  /** Server, connections and which repeat: of a run of single rungs without the last. */
  static String where(RunRecord run, RungRecord rung) {
    return rung.server()
        + " "
        + Units.count(rung.connections())
        + (run.study().repeats() == 1 ? "" : ", repeat " + rung.repeat());
  }

  String connections() {
    return Units.count(rung.any().connections());
  }

  /**
   * A percentile of the response time; a lower bound, as part of the messages was never answered, with ≥; one that is
   * mostly the load tool's own timers with †.
   */
  String response(double percentile, Function<Percentiles, @Nullable Long> of) {
    Spread ns = rung.spread(r -> r.load() == null ? null : of.apply(r.load().responseTime()));
    if (ns == null) {
      return Units.NONE;
    }
    boolean bound = loads().anyMatch(l -> beyond(l.responseTimeLowerBoundBeyond(), percentile));
    boolean timers = loads().anyMatch(l -> l.responseTimeFloorNs() != null && ns.median() < 2 * l.responseTimeFloorNs());
    return (bound ? "≥ " : "") + text(ns, v -> Units.time(Math.round(v))) + (timers ? "†" : "");
  }

  private Stream<LoadResult> loads() {
    return rung.shown().stream().map(RungRecord::load).filter(Objects::nonNull);
  }

  private static boolean beyond(@Nullable Double share, double percentile) {
    return share != null && percentile > share;
  }

  String p50() {
    return response(50, p -> p.p50Ns());
  }

  String p99() {
    return response(99, p -> p.p99Ns());
  }

  String p999() {
    return response(99.9, p -> p.p999Ns());
  }

  String max() {
    return response(100, p -> p.maxNs());
  }

  String cpu() {
    return text(rung.spread(r -> r.load() == null ? null : r.load().serverCpuUsPerEcho()), Units::us);
  }

  String timesFloor() {
    return figure(p -> p.serverCpuMultipleOfFloor(), Units::times);
  }

  String rssPerConnection() {
    return figure(p -> p.serverRssBytesPerConnection(), Units::bytes);
  }

  String heapPerConnection() {
    return figure(p -> p.serverLiveHeapBytesPerConnection(), Units::bytes);
  }

  String kernelPerConnection() {
    return figure(p -> p.kernelSocketBytesPerConnection(), Units::bytes);
  }

  String hostCpu() {
    return figure(p -> p.hostCpuUsPerEcho(), Units::us);
  }

  private String figure(Function<ProbeFigures, @Nullable Double> of, Function<Double, String> unit) {
    return text(rung.spread(r -> r.probes() == null ? null : of.apply(r.probes())), unit);
  }

  private String text(@Nullable Spread spread, Function<Double, String> unit) {
    if (spread == null) {
      return Units.NONE;
    }
    return ranges ? Units.range(spread, unit) : unit.apply(spread.median());
  }

  /** Each column of the ladder's table by its name in the templates, verdict and server apart. */
  Map<String, String> cells() {
    return Map.ofEntries(
        entry("connections", connections()),
        entry("p50", p50()),
        entry("p99", p99()),
        entry("p999", p999()),
        entry("max", max()),
        entry("cpu", cpu()),
        entry("timesFloor", timesFloor()),
        entry("hostCpu", hostCpu()),
        entry("rss", rssPerConnection()),
        entry("heap", heapPerConnection()),
        entry("kernel", kernelPerConnection()));
  }

  /** valid, INVALID with the reasons' names, how many of the repeats are valid, or why there is nothing. */
  String verdict() {
    List<RungRecord> measured = rung.rungs().stream().filter(r -> r.status() == Status.MEASURED).toList();
    if (measured.isEmpty()) {
      return switch (rung.any().status()) {
        case OUT_OF_REACH -> "out of reach";
        case CLIENT_MISSING -> "client missing";
        case NOT_ATTEMPTED, MEASURED -> "not attempted";
      };
    }
    long valid = measured.stream().filter(RungRecord::valid).count();
    String reasons =
        measured.stream()
            .filter(r -> r.load() != null)
            .flatMap(r -> r.load().verdictReasons().stream())
            .map(doubt -> doubt.reason().id())
            .distinct()
            .collect(joining(", "));
    if (valid == 0) {
      return "INVALID: " + reasons;
    }
    return valid == measured.size() ? "valid" : "%d of %d valid: %s".formatted(valid, measured.size(), reasons);
  }
}
