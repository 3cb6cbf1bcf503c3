package echoladder.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PublishTest {
  private static Publish of(String text, double slow) {
    return Objects.requireNonNull(Publish.ofText(text)).with(SlowReaders.ofShare(slow));
  }

  /** Readers are the first of all subscribers. What a load expects of a topic has to be what its connections subscribe to. */
  @ParameterizedTest
  @CsvSource({
    "all, 1, 0", "all, 1000, 0.1", "topics-of-7, 300, 0", "topics-of-7, 300, 0.1", "topics-of-100, 10000, 0.5", "topics-of-1, 9, 0",
    "topics-of-100, 50, 0.01", "topics-of-3, 10, 0.5"
  })
  void theAudienceOfATopicIsWhoSubscribesToIt(String text, int subscribers, double slow) {
    Publish publish = of(text, slow);
    int topics = publish.topics(subscribers);
    int readers = publish.slow().readers(subscribers);
    int[] reading = new int[topics];
    int[] notReading = new int[topics];
    for (int s = 0; s < subscribers; s++) {
      (s < readers ? reading : notReading)[publish.topic(s, subscribers)]++;
    }
    assertThat(IntStream.range(0, topics).map(topic -> publish.audience(topic, subscribers)).toArray()).isEqualTo(reading);
    assertThat(IntStream.range(0, topics).map(topic -> publish.slowAudience(topic, subscribers)).toArray()).isEqualTo(notReading);
    assertThat(IntStream.range(0, topics).map(t -> reading[t] + notReading[t]).summaryStatistics())
        .satisfies(sizes -> assertThat(sizes.getMax() - sizes.getMin()).isLessThan(2));
  }

  /**
   * Servers deal connections to their event loops in turn. Each block of topics is even here, so one place of a block is one loop, and the
   * hash chooses among both for each of 100 blocks: a fair choice deviates by 5.
   */
  @Test
  void noLoopOfAServerHasMoreOfATopic() {
    Publish publish = of("topics-of-100", 0);
    int subscribers = 10_000;
    int[] onFirstLoop = new int[publish.topics(subscribers)];
    for (int s = 0; s < subscribers; s += 2) {
      onFirstLoop[publish.topic(s, subscribers)]++;
    }
    assertThat(onFirstLoop).hasSize(100);
    assertThat(IntStream.of(onFirstLoop)).allSatisfy(n -> assertThat(n).isBetween(30, 70));
  }
}
