package echoladder.harness.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Samples that other hosts give, or not. */
class SamplerTest {
  /** A host that does not answer twice, and then does. */
  private static final class Slow implements Readings {
    private final AtomicInteger asked = new AtomicInteger();

    @Override
    public Reading take(Depth depth) {
      if (asked.incrementAndGet() <= 2) {
        throw new UncheckedIOException("host c1 did not do it", new IOException());
      }
      return new Reading(System.nanoTime());
    }

    @Override
    public Map<String, Long> acceptErrors() {
      return Map.of();
    }

    @Override
    public String restart() {
      return "";
    }

    @Override
    public String metricsFailure() {
      return "";
    }
  }

  @Test
  void aSampleThatCannotBeHadIsSaidOnceAndTheNextOneIsTaken() throws Exception {
    List<String> missing = new CopyOnWriteArrayList<>();
    CountDownLatch samples = new CountDownLatch(2);
    try (Sampler _ = new Sampler(new Slow(), _ -> samples.countDown(), missing::add)) {
      assertThat(samples.await(1, TimeUnit.MINUTES)).isTrue();
    }
    assertThat(missing).containsExactly("host c1 did not do it");
  }
}
