package echoladder.harness.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DriftTest {
  private static List<SoakSample> samples(int count, LongUnaryOperator descriptors) {
    return IntStream.range(0, count)
        .mapToObj(i -> new SoakSample(i, descriptors.applyAsLong(i), 8L, 100L << 20, null, null, null))
        .toList();
  }

  private static Drift descriptors(List<SoakSample> samples) {
    return Drift.of(samples).stream().filter(drift -> drift.watched() == Watched.DESCRIPTORS).findFirst().orElseThrow();
  }

  @Test
  void whatBreathesHolds() {
    Drift drift = descriptors(samples(40, i -> 1_000 + i % 7));
    assertThat(drift.held()).isTrue();
    assertThat(drift.bound()).isEqualTo(drift.start() * 1.05 + 16);
  }

  @Test
  void twoDescriptorsMoreWithEachSampleDoNot() {
    Drift drift = descriptors(samples(120, i -> 1_000 + 2 * i));
    assertThat(drift.start()).isEqualTo(1_029);
    assertThat(drift.end()).isEqualTo(1_209);
    assertThat(drift.held()).isFalse();
    assertThat(drift.text()).isEqualTo("open descriptors: 1,029 at the beginning, 1,209 at the end, bound 1,096");
  }

  @Test
  void oneOddSampleIsNoGrowth() {
    assertThat(descriptors(samples(40, i -> i == 39 ? 9_000 : 1_000)).held()).isTrue();
  }

  @Test
  void whatIsNotToldIsNotJudged() {
    assertThat(Drift.of(samples(40, i -> 9))).extracting(Drift::watched).containsExactly(Watched.DESCRIPTORS, Watched.THREADS, Watched.RSS_BYTES);
    assertThat(Drift.of(samples(Drift.LEAST_SAMPLES - 1, i -> 9))).isEmpty();
  }
}
