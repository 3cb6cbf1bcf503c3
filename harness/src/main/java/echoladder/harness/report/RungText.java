package echoladder.harness.report;

import static java.util.stream.Collectors.joining;

import echoladder.client.LoadResult;
import echoladder.harness.results.ProbeFigures;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The cells of one rung, as every table shows them. */
final class RungText {
  private final RungRecord rung;

  RungText(RungRecord rung) {
    this.rung = rung;
  }

  /** The rungs of a run by server in the order of the study, ascending: as a ladder is read. */
  static List<RungRecord> byServer(RunRecord run) {
    List<RungRecord> sorted = new ArrayList<>();
    for (RunRecord.ServerRecord server : run.servers()) {
      run.rungs().stream().filter(r -> r.server().equals(server.label())).forEach(sorted::add);
    }
    return sorted;
  }

  String connections() {
    return Units.count(rung.connections());
  }

  /**
   * A percentile of the response time; a lower bound, as part of the messages was never answered, with ≥; one that is
   * mostly the load tool's own timers with †.
   */
  String response(double percentile, Function<echoladder.client.Percentiles, @Nullable Long> of) {
    LoadResult load = rung.load();
    if (load == null) {
      return Units.NONE;
    }
    Long ns = of.apply(load.responseTime());
    Double beyond = load.responseTimeLowerBoundBeyond();
    if (ns == null) {
      return Units.NONE;
    }
    Long floor = load.responseTimeFloorNs();
    String sign = floor != null && ns < 2 * floor ? "†" : "";
    return (beyond != null && percentile > beyond ? "≥ " : "") + Units.time(ns) + sign;
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
    return rung.load() == null ? Units.NONE : Units.us(rung.load().serverCpuUsPerEcho());
  }

  String timesFloor() {
    return figure(p -> Units.times(p.serverCpuMultipleOfFloor()));
  }

  String rssPerConnection() {
    return figure(p -> Units.bytes(p.serverRssBytesPerConnection()));
  }

  String heapPerConnection() {
    return figure(p -> Units.bytes(p.serverLiveHeapBytesPerConnection()));
  }

  String kernelPerConnection() {
    return figure(p -> Units.bytes(p.kernelSocketBytesPerConnection()));
  }

  String hostCpu() {
    return figure(p -> Units.us(p.hostCpuUsPerEcho()));
  }

  String figure(Function<ProbeFigures, String> of) {
    return rung.probes() == null ? Units.NONE : of.apply(rung.probes());
  }

  /** valid, INVALID with the reasons' names, or why there is nothing. */
  String verdict() {
    return switch (rung.status()) {
      case OUT_OF_REACH -> "out of reach";
      case CLIENT_MISSING -> "client missing";
      case NOT_ATTEMPTED -> "not attempted";
      case MEASURED ->
          rung.load() == null || rung.valid()
              ? "valid"
              : "INVALID: "
                  + rung.load().verdictReasons().stream().map(d -> d.reason().id()).distinct().collect(joining(", "));
    };
  }
}
