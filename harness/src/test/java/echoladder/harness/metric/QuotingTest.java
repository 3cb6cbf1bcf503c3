package echoladder.harness.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import echoladder.client.LoadResult;
import echoladder.harness.Results;
import echoladder.harness.Rungs;
import echoladder.harness.results.RungRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class QuotingTest {
  private static final LoadResult LOAD = Results.good(1_000);

  /** A rung whose server's compilers took that part of its CPU. */
  private static RungRecord compiled(@Nullable Double share) {
    Double cpu = LOAD.cost().serverCpuUsPerEcho();
    assertThat(cpu).isNotNull();
    Figures figures = share == null || cpu == null ? Figures.NONE : Figures.NONE.with(RuntimeMetrics.COMPILER, share * cpu);
    return Rungs.measured(new RungRecord.Planned("a", 1_000, 1, 5_000, null), LOAD, figures);
  }

  @Test
  void cpuThatCompilersTookInPartIsMarkedAndQuoted() {
    RungRecord rung = compiled(0.3);
    assertThat(Quoting.mark(LoadMetrics.SERVER_CPU, rung)).isEqualTo(Quoting.Mark.UNSETTLED);
    assertThat(Quoting.share(LoadMetrics.SERVER_CPU, rung)).isEqualTo(0.3, within(1e-9));
    assertThat(LoadMetrics.SERVER_CPU.of(rung)).isEqualTo(LOAD.cost().serverCpuUsPerEcho());
  }

  @Test
  void cpuWithFewOrUnknownCompilersHasNoMark() {
    assertThat(Quoting.mark(LoadMetrics.SERVER_CPU, compiled(0.05))).isEqualTo(Quoting.Mark.NONE);
    assertThat(Quoting.mark(LoadMetrics.SERVER_CPU, compiled(null))).isEqualTo(Quoting.Mark.NONE);
    assertThat(LoadMetrics.SERVER_CPU.of(compiled(null))).isNotNull();
  }

  @Test
  void aPercentileHasNothingToDoWithCompilers() {
    assertThat(Quoting.mark(LoadMetrics.RESPONSE.at(Percentile.P50), compiled(0.6))).isEqualTo(Quoting.Mark.NONE);
  }

  /** As runs recorded it before the kernel's memory was null there too. */
  @Test
  void memoryPerConnectionOfAServerThatHeldSomeBeforeIsNotQuoted() {
    assertThat(LOAD.cost().serverRssBytes()).isNotNull();
    Figures kernel = Figures.NONE.with(MemoryMetrics.KERNEL_PER_CONNECTION, 9_000).with(MemoryMetrics.LIVE_HEAP_PER_CONNECTION, 500);
    RungRecord.Planned planned = new RungRecord.Planned("a", 1_000, 1, 5_000, null);
    RungRecord later = Rungs.measured(planned, LOAD, kernel);
    RungRecord fresh = Rungs.measured(planned, LOAD, kernel.with(MemoryMetrics.RSS_PER_CONNECTION, 2_000));
    assertThat(MemoryMetrics.KERNEL_PER_CONNECTION.of(fresh)).isEqualTo(9_000.0);
    assertThat(MemoryMetrics.KERNEL_PER_CONNECTION.of(later)).isNull();
    assertThat(MemoryMetrics.LIVE_HEAP_PER_CONNECTION.of(later)).isEqualTo(500.0);
  }

  private static RungRecord withSpeeds(double server, double client) {
    return Rungs.measured(
        new RungRecord.Planned("a", 1_000, 1, 5_000, null), LOAD,
        Figures.NONE.with(HostMetrics.HOST_SPEED, server).with(HostMetrics.CLIENT_SPEED, client).with(HostMetrics.CPU_PER_ECHO, 90.0));
  }

  /** CPU is marked and withheld by the processors on which it was spent; what both spent, by those that were further off. */
  @Test
  void cpuGoesByTheSpeedOfItsOwnProcessors() {
    RungRecord slowClient = withSpeeds(1, 0.9);
    assertThat(Quoting.mark(LoadMetrics.SERVER_CPU, slowClient)).isEqualTo(Quoting.Mark.NONE);
    assertThat(Quoting.mark(LoadMetrics.CLIENT_CPU, slowClient)).isEqualTo(Quoting.Mark.DISTURBED);
    assertThat(Quoting.mark(HostMetrics.CPU_PER_ECHO, slowClient)).isEqualTo(Quoting.Mark.DISTURBED);
    RungRecord slowServer = withSpeeds(0.8, 1);
    assertThat(LoadMetrics.SERVER_CPU.of(slowServer)).isNull();
    assertThat(HostMetrics.CPU_PER_ECHO.of(slowServer)).isNull();
    assertThat(LoadMetrics.CLIENT_CPU.of(slowServer)).isEqualTo(LOAD.cost().clientCpuUsPerEcho());
    assertThat(Quoting.mark(LoadMetrics.CLIENT_CPU, slowServer)).isEqualTo(Quoting.Mark.NONE);
  }
}
