package echoladder.harness.common;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class HostCpuTest {
  private static final OperatingSystemMXBean OWN =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private static HostCpu of(long atNs, String all) {
    return Objects.requireNonNull(HostCpu.parse(List.of("cpu  " + all, "cpu0 1 2 3", "cpu1 1 2 3", "intr 5"), atNs));
  }

  @Test
  void allIsTheWallClockOfEachProcessorAndIdleIsTheKernels() {
    // 7 guests (the ninth) are in user already.
    HostCpu cpu = of(3_000_000_000L, "100 20 300 4000 50 6 70 8 7 0");
    assertThat(cpu).isEqualTo(new HostCpu(6_000_000_000L, 40_500_000_000L, 80_000_000L));
    assertThat(HostCpu.parse(List.of(), 1)).isNull();
    assertThat(HostCpu.parse(List.of("cpu  1 2 3", "cpu0 1 2 3"), 1)).isNull();
  }

  @Test
  void eachProcessorHasItsOwn() {
    List<String> before = List.of("cpu  1 2 3 4 5 6 7 8", "cpu0 100 0 0 200 10 0 0 5 0 0", "cpu12 0 0 0 50 0 0 0 0 0 0", "cpu7 1 2", "intr 5");
    List<String> after = List.of("cpu  1 2 3 4 5 6 7 8", "cpu0 150 0 0 225 15 0 0 15 0 0", "cpu12 0 0 0 150 0 0 0 0 0 0");
    Map<Integer, HostCpu> was = HostCpu.each(before, 1_000_000_000L);
    assertThat(was).containsOnlyKeys(0, 12).containsEntry(0, new HostCpu(1_000_000_000L, 2_100_000_000L, 50_000_000L));
    Map<Integer, HostCpu> is = HostCpu.each(after, 2_000_000_000L);
    HostCpu first = Objects.requireNonNull(is.get(0)).since(Objects.requireNonNull(was.get(0)));
    HostCpu both = first.plus(Objects.requireNonNull(is.get(12)).since(Objects.requireNonNull(was.get(12))));
    assertThat(first.share(first.idleNs())).isEqualTo(0.3);
    assertThat(first.share(first.stealNs())).isEqualTo(0.1);
    assertThat(both.share(both.idleNs())).isEqualTo(0.65);
    assertThat(first.since(first).share(1)).isNull();
  }

  /** User and system time say 100 ticks, of which the clock knows better: 1.5 s of two processors, of which 0.7 were idle. */
  @Test
  void theShareOfOthersIsWhatTheProcessDidNotHave() {
    HostCpu before = of(1_000_000_000L, "100 0 50 800 50 0 0 0 0 0");
    HostCpu after = of(1_750_000_000L, "190 0 60 860 60 5 5 10 0 0");
    assertThat(HostCpu.foreignShare(before, after, 500e6)).isEqualTo(0.2);
    assertThat(HostCpu.foreignShare(before, after, 900e6)).isZero();
    assertThat(HostCpu.foreignShare(before, after, null)).isNull();
  }

  /** Against the real clock. Ticks pass this too: what they miss depends on where they fall, see docs/decisions/host-cpu.md. */
  @Test
  void theHostWasBusyForAsLongAsThisProcessAtLeast() throws InterruptedException {
    long ownBefore = OWN.getProcessCpuTime();
    HostCpu before = Objects.requireNonNull(HostCpu.now());
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      threads.add(Thread.ofPlatform().start(HostCpuTest::workInShortPieces));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    HostCpu after = Objects.requireNonNull(HostCpu.now());
    double own = OWN.getProcessCpuTime() - ownBefore;
    double idle = after.idleNs() - before.idleNs();
    double busy = after.allNs() - before.allNs() - idle - (after.stealNs() - before.stealNs());
    assertThat(own).isGreaterThan(100e6);
    assertThat(busy).as("%.0f ms of this process", own / 1e6).isGreaterThan(0.9 * own - 20e6);
  }

  private static void workInShortPieces() {
    for (long begun = System.nanoTime(); System.nanoTime() - begun < 2_000_000_000L; LockSupport.parkNanos(800_000)) {
      long until = System.nanoTime() + 200_000;
      while (System.nanoTime() < until) {
        Thread.onSpinWait();
      }
    }
  }
}
