package echoladder.harness.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import echoladder.linux.CpuAffinity;
import echoladder.linux.CpuList;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The arithmetic of gaps, and that each processor is looked at. */
class GapMeterTest {
  private static final long US = 1_000;

  @Test
  void aGapCountsAtEveryStepThatItIsLongerThan() {
    Gaps.Count count = new Gaps.Count();
    count.add(20 * US);
    count.add(30 * US);
    count.add(1_500 * US);
    Gaps gaps = count.of(3, 10_000 * US);
    assertThat(gaps.cpu()).isEqualTo(3);
    assertThat(gaps.longestNs()).isEqualTo(1_500 * US);
    List<Double> shares = gaps.shares();
    assertThat(shares).hasSameSizeAs(Gaps.STEPS_NS);
    assertThat(shares.getFirst()).as("over 20 us; 20 us is not").isCloseTo(0.153, within(1e-9));
    assertThat(shares.get(1)).as("over 50 us").isCloseTo(0.15, within(1e-9));
    assertThat(shares.get(5)).as("over 1 ms").isCloseTo(0.15, within(1e-9));
    assertThat(shares.get(6)).as("over 2 ms").isZero();
  }

  @Test
  void looksAtEveryProcessorAloneAndAtAllTogether() {
    CpuList cpus = Objects.requireNonNull(CpuAffinity.of(ProcessHandle.current().pid()));
    JsonNode gaps = JsonMapper.shared().valueToTree(GapMeter.measure(cpus, Duration.ofMillis(50)));
    List<Integer> all = cpus.stream().boxed().toList();
    assertThat(gaps.get("together").valueStream().map(one -> one.get("cpu").intValue())).containsExactlyElementsOf(all);
    assertThat(gaps.get("alone").valueStream().map(one -> one.get("cpu").intValue())).isSubsetOf(all).isNotEmpty();
    for (JsonNode one : gaps.get("together")) {
      double before = 1;
      for (JsonNode share : one.get("shares")) {
        assertThat(share.doubleValue()).isBetween(0.0, before);
        before = share.doubleValue();
      }
    }
  }

  @Test
  void endsAtOnceWhenItIsCut() {
    CpuList cpus = Objects.requireNonNull(CpuAffinity.of(ProcessHandle.current().pid()));
    long start = System.nanoTime();
    assertThat(GapMeter.together(cpus.stream().toArray(), Duration.ofHours(1), new AtomicBoolean(true))).hasSize(cpus.size());
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(1));
  }

  @Test
  void aLookAtTheHostIsOfAllProcessors() {
    HostLook look = Objects.requireNonNull(HostLook.now(new AtomicBoolean()));
    assertThat(look.gapShare()).isBetween(0.0, 1.0);
    assertThat(look.stealShare()).isNotNull().isBetween(0.0, 1.0);
    assertThat(new Gaps(0, List.of(0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1), 5).longerThan(HostLook.GAP_NS)).isEqualTo(0.4);
    assertThatThrownBy(() -> new Gaps(0, List.of(), 0).longerThan(7)).isInstanceOf(IllegalArgumentException.class);
  }
}
