package echoladder.harness.judgement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import echoladder.client.LoadResult;
import echoladder.harness.Results;
import echoladder.harness.Rungs;
import echoladder.harness.metric.Figures;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.results.RungRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The speed of the server's processors and that of the client's, each by the run's median there. */
class HostSpeedsTest {
  private static RungRecord rung(int connections, String serverCpus, String clientCpus, long serverNs, @Nullable Long clientNs) {
    LoadResult placed = Results.at(new LoadResult.Placement(clientCpus, clientCpus, serverCpus, 0L), Results.good(10));
    Figures figures = Figures.NONE.with(HostMetrics.HOST_WORK, serverNs).with(HostMetrics.CLIENT_WORK, clientNs);
    return Rungs.measured(new RungRecord.Planned("a", connections, 1, 5_000, null), placed, figures);
  }

  @Test
  void eachSideHasItsOwnMedian() {
    List<RungRecord> seen =
        HostSpeeds.of(List.of(rung(10, "0", "1", 4_000, 8_000L), rung(20, "0", "1", 5_000, 8_000L), rung(30, "0", "1", 4_000, 10_000L)));
    assertThat(seen).extracting(HostMetrics.HOST_SPEED::value).containsExactly(1.0, 0.8, 1.0);
    assertThat(seen).extracting(HostMetrics.CLIENT_SPEED::value).containsExactly(1.0, 1.0, 0.8);
  }

  @Test
  void rungsOnOtherProcessorsHaveAMedianOfTheirOwn() {
    List<RungRecord> seen =
        HostSpeeds.of(
            List.of(
                rung(10, "0", "1", 4_000, 8_000L), rung(20, "0", "1", 4_000, 8_000L), rung(30, "0", "1", 4_000, 8_000L),
                rung(10, "2", "3", 9_000, 9_000L), rung(20, "2", "3", 9_000, 9_000L)));
    assertThat(seen.get(0).figures().value(HostMetrics.HOST_SPEED)).isCloseTo(1.0, within(1e-9));
    assertThat(seen.subList(3, 5)).as("too few to tell").extracting(HostMetrics.HOST_SPEED::value).containsOnlyNulls();
    assertThat(seen.subList(3, 5)).extracting(HostMetrics.CLIENT_SPEED::value).containsOnlyNulls();
  }

  @Test
  void whatIsNotKnownOfOneSideLeavesTheOther() {
    List<RungRecord> seen = HostSpeeds.of(List.of(rung(10, "0", "1", 4_000, null), rung(20, "0", "1", 4_000, null), rung(30, "0", "1", 4_400, null)));
    assertThat(seen.get(2).figures().value(HostMetrics.HOST_SPEED)).isCloseTo(0.909, within(1e-3));
    assertThat(seen).extracting(HostMetrics.CLIENT_SPEED::value).containsOnlyNulls();
  }
}
