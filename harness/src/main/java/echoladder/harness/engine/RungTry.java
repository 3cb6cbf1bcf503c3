package echoladder.harness.engine;

import echoladder.client.LoadResult;
import echoladder.client.Reason;
import echoladder.client.figures.StagedFigures;
import echoladder.harness.metric.Figures;
import echoladder.harness.plan.Rung;
import echoladder.harness.results.Attempt;
import echoladder.harness.results.LimitsRecord;
import echoladder.harness.results.RungHost;
import echoladder.harness.results.RungRecord;
import echoladder.linux.cpu.CpuList;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One try of a rung that begins now, and the record of it. One thread. */
final class RungTry {
  private final Rung rung;
  private final List<RungRecord> before;
  private final Attempt.@Nullable Waited waited;
  private @Nullable CpuList harnessCpus;
  private final String startedAt = Instant.now().toString();
  private final long startNs = System.nanoTime();

  /** The parameters are those of {@link RungRun.Terms}. */
  RungTry(Rung rung, List<RungRecord> before, Attempt.@Nullable Waited waited) {
    this.rung = rung;
    this.before = before;
    this.waited = waited;
  }

  /** The first is 1. */
  int number() {
    return before.size() + 1;
  }

  /** The harness runs on these processors meanwhile; null = it cannot be told. */
  void runsOn(@Nullable CpuList cpus) {
    harnessCpus = cpus;
  }

  /** Ends it. */
  RungRecord record(
      RungRecord.@Nullable Started started,
      LoadResult load,
      Figures figures,
      @Nullable StagedFigures staged,
      @Nullable String histogramFile,
      List<Reason> setAside,
      @Nullable LimitsRecord limits,
      @Nullable List<RungHost> hosts) {
    return new RungRecord(
        rung.planned(),
        RungRecord.Status.MEASURED,
        null,
        startedAt,
        (System.nanoTime() - startNs) / 1e9,
        started,
        load,
        figures,
        histogramFile,
        staged,
        setAside.isEmpty() ? null : setAside,
        limits,
        new Attempt(number(), harnessCpus == null ? null : harnessCpus.toString(), waited, before),
        hosts);
  }
}
