package echoladder.harness.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import echoladder.client.LoadResult;
import echoladder.harness.Results;
import echoladder.harness.common.HostCpu;
import echoladder.harness.probe.Gaps;
import echoladder.harness.probe.HostGaps;
import echoladder.harness.probe.Reading;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Idle and steal of the processors that server and client had for themselves. */
class SidesTest {
  private static final long S = 1_000_000_000L;

  private static Reading reading(Map<Integer, HostCpu> processors) {
    Reading reading = new Reading(0);
    reading.put(processors);
    return reading;
  }

  /** Over 10 s: processor 0 idles for 4, 1 for 0.5 and 2 for all of them; the hypervisor takes 1 s of processor 1. */
  private static Figures figures(@Nullable String client, @Nullable String server, boolean elsewhere) {
    return figures(client, server, elsewhere, 0, null);
  }

  private static Figures figures(
      @Nullable String client, @Nullable String server, boolean elsewhere, long spinNs, @Nullable HostGaps gaps) {
    LoadResult placed = Results.at(new LoadResult.Placement(client, client, server, spinNs), Results.good(10));
    Reading start = reading(Map.of(0, new HostCpu(S, S, S), 1, new HostCpu(S, S, S), 2, new HostCpu(S, S, S)));
    Reading end =
        reading(Map.of(0, new HostCpu(11 * S, 5 * S, S), 1, new HostCpu(11 * S, S + S / 2, 2 * S), 2, new HostCpu(11 * S, 11 * S, S)));
    return Figures.measured(new RungReadings(new Reading(0), start, end, null, placed, false, elsewhere, true, gaps, null, false));
  }

  @Test
  void eachSideHasThoseOfItsOwnProcessors() {
    Figures figures = figures("1", "0,2", false);
    assertThat(figures.value(HostMetrics.SERVER_CPUS_IDLE_SHARE)).isCloseTo(0.7, within(1e-9));
    assertThat(figures.value(HostMetrics.CLIENT_CPUS_IDLE_SHARE)).isCloseTo(0.05, within(1e-9));
    assertThat(figures.value(HostMetrics.SERVER_CPUS_STEAL_SHARE)).isZero();
    assertThat(figures.value(HostMetrics.CLIENT_CPUS_STEAL_SHARE)).isCloseTo(0.1, within(1e-9));
  }

  /** Every processor is in use at most as long as the server's, 30 % of the time; the client polls. */
  @Test
  void gapsBesideOtherProgramsCountWhileEachProcessorIsInUse() {
    HostGaps gaps = new HostGaps(List.of(), gaps(0.001), gaps(0.002));
    assertThat(figures("1", "0,2", false, 1_000_000, gaps).get(HostMetrics.GAP_SHARES.at(Percentile.P99)))
        .as("nothing of one alone")
        .isNull();
    gaps = new HostGaps(gaps(0), gaps(0.001), gaps(0.002));
    assertThat(figures("1", "0,2", false, 1_000_000, gaps).value(HostMetrics.GAP_SHARES.at(Percentile.P99)))
        .isCloseTo((0.7 * 0.001 + 0.3 * 0.002) / 0.01, within(1e-9));
    assertThat(figures("0-2", "0-2", false, 1_000_000, gaps).value(HostMetrics.GAP_SHARES.at(Percentile.P99)))
        .as("who shares processors with a client that polls never has one that is free").isCloseTo(0.2, within(1e-9));
  }

  private static List<Gaps> gaps(double share) {
    return IntStream.range(0, 3).mapToObj(cpu -> new Gaps(cpu, Collections.nCopies(Gaps.STEPS_NS.size(), share), S)).toList();
  }

  @Test
  void whatIsSharedOrNotKnownIsNobodys() {
    for (Figures figures :
        new Figures[] {
          figures("0-2", "0-2", false), figures("0-1", "1-2", false), figures("1", null, false), figures(null, "0", false),
          figures("1", "0", true), figures("1", "0,3", false)
        }) {
      assertThat(figures.get(HostMetrics.SERVER_CPUS_IDLE_SHARE)).isNull();
      assertThat(figures.get(HostMetrics.SERVER_CPUS_STEAL_SHARE)).isNull();
    }
    assertThat(figures("0-2", "0-2", false).get(HostMetrics.CLIENT_CPUS_IDLE_SHARE)).isNull();
  }
}
