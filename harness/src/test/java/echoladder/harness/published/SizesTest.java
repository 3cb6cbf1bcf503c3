package echoladder.harness.published;

import static echoladder.harness.published.MadeUpPoints.cpu;
import static echoladder.harness.published.MadeUpPoints.memory;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Sizes from made-up points: what is measured, what lies between, and what nobody knows. */
class SizesTest {
  private static MemorySize sized(long connections, Point... points) {
    return MemorySize.of(List.of(points), connections).orElseThrow();
  }

  @Test
  void atAMeasuredNumberItIsWhatWasMeasured() {
    MemorySize size = sized(10_000, memory("a", 1_000, 5e6, 3_000, 4_000.0), memory("a", 10_000, 5e6, 2_000, 3_500.0));
    assertThat(size.processBytes()).isEqualTo(5e6 + 2e7);
    assertThat(size.kernelBytes()).isEqualTo(3.5e7);
    assertThat(size.bytes()).isEqualTo(6e7);
    assertThat(size.how()).isEqualTo("measured there");
  }

  @Test
  void betweenTwoItLiesOnTheLineThroughBoth() {
    // 5 + 3 = 8 MB at 1,000 and 5 + 20 = 25 MB at 10,000: a third of the way is 13.67 MB.
    MemorySize size = sized(4_000, memory("a", 1_000, 5e6, 3_000, 4_000.0), memory("a", 10_000, 5e6, 2_000, 3_500.0));
    assertThat(size.processBytes()).isCloseTo(8e6 + 17e6 / 3, within(1.0));
    assertThat(size.kernelBytes()).isCloseTo(4e6 + 31e6 / 3, within(1.0));
    assertThat(size.how()).isEqualTo("between 1,000 and 10,000");
  }

  @Test
  void belowTheLowestEachConnectionIsAsThereAndBeyondTheHighestThereIsNone() {
    Point only = memory("a", 1_000, 5e6, 3_000, 4_000.0);
    MemorySize size = sized(100, only);
    assertThat(size.processBytes()).isCloseTo(5.3e6, within(1.0));
    assertThat(size.kernelBytes()).isCloseTo(4e5, within(1.0));
    assertThat(MemorySize.of(List.of(only), 1_001)).isEmpty();
    assertThat(MemorySize.of(List.of(only), 3_000_000_000L)).isEmpty();
  }

  @Test
  void theRunWithTheClosestRungsAroundItCounts() {
    Point wide = memory("a", 1_000, 0, 9_999, 1.0);
    Point wideToo = memory("a", 100_000, 0, 9_999, 1.0);
    Point close = memory("b", 9_000, 0, 2_000, 1.0);
    Point closeToo = memory("b", 11_000, 0, 2_000, 1.0);
    assertThat(sized(10_000, wide, wideToo, close, closeToo).from()).containsExactly(close, closeToo);
  }

  /** Not a later run of many more connections, whose share it would be. */
  @Test
  void whatWasMeasuredThereComesBeforeAShareOfMore() {
    Point there = memory("a", Point.LAB, 100_000, 0, 2_000, 1.0);
    Point more = memory("b", Point.LAB, 1_000_000, 0, 9_999, 1.0);
    assertThat(sized(100_000, there, more).from()).containsExactly(there);
    // Ten times as many are closer than a hundredth and a hundred times as many.
    Point few = memory("c", Point.LAB, 100, 0, 2_000, 1.0);
    Point most = memory("c", Point.LAB, 1_000_000, 0, 2_000, 1.0);
    assertThat(sized(10_000, few, most, there).from()).containsExactly(there);
  }

  /** Its kernel is another one. */
  @Test
  void aRunInALabCountsOnlyWhereNoHostWasMeasuredAsClose() {
    Point host = memory("a", 10_000, 0, 2_000, 1.0);
    Point lab = memory("b", Point.LAB, 10_000, 0, 3_000, 1.0);
    Point labBeyond = memory("b", Point.LAB, 100_000, 0, 3_000, 1.0);
    assertThat(sized(10_000, lab, host, labBeyond).from()).containsExactly(host);
    assertThat(sized(100_000, lab, host, labBeyond).from()).containsExactly(labBeyond);
  }

  @Test
  void ofSeveralRatesTheOneThatTakesMostCounts() {
    assertThat(sized(1_000, memory("a", 1_000, 0, 2_000, 1.0), memory("a", 1_000, 0, 3_000, 1.0)).processBytes()).isEqualTo(3e6);
  }

  @Test
  void whereTheKernelsPartIsNotKnownThereIsNoSum() {
    MemorySize size = sized(1_000, memory("a", 1_000, 0, 2_000, null));
    assertThat(size.kernelBytes()).isNull();
    assertThat(size.bytes()).isNull();
  }

  @Test
  void coresAreThoseOfTheRatesAroundIt() {
    List<CoreSize> sizes =
        CoreSize.of(
            List.of(
                cpu("a", "shared", 1_000, 1_000, 90, 100, 110), cpu("a", "shared", 1_000, 10_000, 40, 50, 60),
                cpu("a", "apart", 1_000, 10_000, 20, 30, 35)),
            1_000,
            5_000);
    // At the least 5,000/s x 40 us, at the most 5,000/s x 110 us. Apart, nothing below 10,000/s was measured: at the least 5,000/s x 20 us,
    // as an echo costs no less there, and at the most all of 10,000/s x 35 us.
    assertThat(sizes).hasSize(2);
    assertThat(sizes.getFirst().low().place()).isEqualTo("apart");
    assertThat(sizes.getFirst().least()).isCloseTo(0.1, within(1e-9));
    assertThat(sizes.getFirst().most()).isCloseTo(0.35, within(1e-9));
    assertThat(sizes.getLast().least()).isCloseTo(0.2, within(1e-9));
    assertThat(sizes.getLast().most()).isCloseTo(0.55, within(1e-9));
  }

  @Test
  void beyondTheHighestRateThereAreNone() {
    CoreSize size = CoreSize.of(List.of(cpu("a", "shared", 1_000, 10_000, 40, 50, 60)), 1_000, 10_001).getFirst();
    assertThat(size.least()).isNull();
    assertThat(size.most()).isNull();
    assertThat(size.low().ratePerS()).isEqualTo(10_000);
    assertThat(size.high()).isNull();
  }

  @Test
  void aRunThatHasTheRateCountsBeforeOneThatHasTheConnections() {
    Point far = cpu("a", "shared", 100_000, 10_000, 40, 50, 60);
    Point near = cpu("b", "shared", 1_000, 1_000, 70, 80, 90);
    assertThat(CoreSize.of(List.of(near, far), 1_000, 9_000).getFirst().low()).isEqualTo(far);
    assertThat(CoreSize.of(List.of(near, far), 1_000, 900).getFirst().low()).isEqualTo(near);
  }

  @Test
  void ofRunsAsCloseTheOneWithMoreRepeatsCountsAndThenTheLatest() {
    Point six = cpu("a", 6, "shared", 1_000, 10_000, 40, 50, 60);
    Point two = cpu("b", 2, "shared", 1_000, 10_000, 70, 80, 90);
    Point later = cpu("c", 2, "shared", 1_000, 10_000, 70, 80, 90);
    assertThat(CoreSize.of(List.of(two, six, later), 1_000, 10_000).getFirst().low()).isEqualTo(six);
    assertThat(CoreSize.of(List.of(two, later), 1_000, 10_000).getFirst().low()).isEqualTo(later);
  }

  /** What an echo costs with few connections is no answer for many: nobody measured how it grows. */
  @Test
  void beyondTheConnectionsThatHadTheRateThereAreNone() {
    Point few = cpu("a", "shared", 1_000, 10_000, 40, 50, 60);
    Point many = cpu("b", "shared", 100_000, 1_000, 70, 80, 90);
    CoreSize size = CoreSize.of(List.of(few, many), 100_000, 9_000).getFirst();
    assertThat(size.known()).isFalse();
    assertThat(size.least()).isNull();
    assertThat(size.low()).isEqualTo(many);
    assertThat(CoreSize.of(List.of(few, many), 1_001, 9_000).getFirst().low()).isEqualTo(few);
    assertThat(CoreSize.of(List.of(few, many), 1_001, 9_000).getFirst().known()).isFalse();
    assertThat(CoreSize.of(List.of(few, many), 1_000, 9_000).getFirst().known()).isTrue();
  }

  /** A rate that was measured comes before a guess below the lowest one, however few its connections and many its repeats. */
  @Test
  void aMeasuredRateComesBeforeARunThatHasOnlyHigherOnes() {
    Point higher = cpu("c", 6, "shared", 1_000, 20_000, 20, 22, 24);
    Point there = cpu("b", 2, "shared", 1_000, 1_000, 60, 62, 64);
    Point more = cpu("b", 2, "shared", 1_000, 5_000, 40, 42, 44);
    CoreSize size = CoreSize.of(List.of(higher, there, more), 1_000, 1_000).getFirst();
    assertThat(size.low()).isEqualTo(there);
    assertThat(size.most()).isCloseTo(0.064, within(1e-9));
    assertThat(CoreSize.of(List.of(higher, there, more), 1_000, 2_000).getFirst().low()).isEqualTo(there);
    assertThat(CoreSize.of(List.of(higher, there, more), 1_000, 500).getFirst().low()).as("the closest that is higher").isEqualTo(there);
    Point many = cpu("a", 2, "shared", 10_000, 1_000, 70, 72, 74);
    assertThat(CoreSize.of(List.of(higher, many), 1_000, 1_000).getFirst().low()).isEqualTo(many);
  }

  /** Where there is no answer, the row has what is closest to the rate and the connections, not the highest rate. */
  @Test
  void ofConnectionsThatWereNotMeasuredTheRowHasTheRateThatWasAskedFor() {
    Point at = cpu("a", "shared", 19_000, 5_000, 40, 42, 44);
    Point high = cpu("a", "shared", 19_000, 40_000, 20, 22, 24);
    CoreSize size = CoreSize.of(List.of(at, high), 100_000, 5_000).getFirst();
    assertThat(size.known()).isFalse();
    assertThat(size.low()).isEqualTo(at);
  }

  /** A step down within one run, which its heap takes, is none of the connections. */
  @Test
  void byOneRunMoreConnectionsNeverTakeLess() {
    List<Point> run = List.of(memory("a", 1_000, 5e6, 9_000, 100.0), memory("a", 10_000, 5e6, 500, 100.0), memory("a", 20_000, 5e6, 1_000, 100.0));
    double before = 0;
    for (int connections = 100; connections <= 20_000; connections += 100) {
      double bytes = MemorySize.of(run, connections).orElseThrow().processBytes();
      assertThat(bytes).as("%d", connections).isGreaterThanOrEqualTo(before - 1);
      before = bytes;
    }
    assertThat(before).isEqualTo(25e6);
  }

  /** Between two rungs of one run its line counts, and not the share of a rung above in another run that is as near. */
  @Test
  void aRunWithRungsOnBothSidesComesBeforeAShareOfMore() {
    Point low = memory("a", 10_000, 0, 2_000, 1.0);
    Point high = memory("a", 19_000, 0, 2_000, 1.0);
    Point alone = memory("b", 19_000, 0, 9_999, 1.0);
    for (int connections : new int[] {10_001, 12_000, 18_999}) {
      assertThat(sized(connections, low, high, alone).from()).as("%d", connections).containsExactly(low, high);
    }
  }

  /** A server as it comes is what was asked for; another collector is not, however close its rungs are. */
  @Test
  void aServerAsItComesComesBeforeOneWithOptions() {
    Point plain = memory("a", Point.LAB, 100_000, 0, 2_000, 1.0);
    Point tuned =
        new Point("made-up", "b", "server", Map.of("gc", "Serial"), "shared", 20_000, 1_000, 64, 1, new Point.Memory(0.0, 500.0, 1.0), Point.Cpu.NONE);
    assertThat(sized(20_000, plain, tuned).from()).containsExactly(plain);
  }
}
