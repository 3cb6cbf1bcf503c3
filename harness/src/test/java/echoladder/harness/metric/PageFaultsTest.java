package echoladder.harness.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import echoladder.client.LoadResult;
import echoladder.harness.Results;
import echoladder.harness.probe.Figure;
import echoladder.harness.probe.LimitProbe;
import echoladder.harness.probe.Reading;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** Page faults of the host per echo. */
class PageFaultsTest {
  private static final LoadResult LOAD = Results.good(10);
  private static final long ECHOES = LOAD.messages().echoesInSteady();

  private static Figures figures(Reading start, Reading end) {
    return Figures.measured(new RungReadings(new Reading(0), start, end, null, LOAD, false, false, true, null, null, false));
  }

  private static Reading faults(long count) {
    Reading reading = new Reading(0);
    reading.put(Figure.HOST_PAGE_FAULTS, count);
    return reading;
  }

  @Test
  void growthOverTheSteadyStateIsDividedByTheEchoes() {
    assertThat(figures(faults(7), faults(7 + 3 * ECHOES)).value(RuntimeMetrics.HOST_PAGE_FAULTS_PER_ECHO)).isCloseTo(3, within(1e-9));
    assertThat(figures(new Reading(0), faults(7)).value(RuntimeMetrics.HOST_PAGE_FAULTS_PER_ECHO)).isNull();
  }

  /** Fresh memory is touched page by page; with huge pages that is a fault every 2 MiB. */
  @Test
  void theKernelCountsWhatAProcessTouchesFirst() {
    Reading start = LimitProbe.now(ProcessHandle.current().pid());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment fresh = arena.allocate(64L << 20, 4_096);
      for (long at = 0; at < fresh.byteSize(); at += 4_096) {
        fresh.set(ValueLayout.JAVA_BYTE, at, (byte) 1);
      }
    }
    Reading end = LimitProbe.now(ProcessHandle.current().pid());
    assertThat(figures(start, end).value(RuntimeMetrics.HOST_PAGE_FAULTS_PER_ECHO)).isGreaterThanOrEqualTo(32.0 / ECHOES);
  }
}
