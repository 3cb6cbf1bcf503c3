package echoladder.harness.soak;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Takes samples one after the other, at even times, in a thread of its own. */
final class Sampling implements AutoCloseable {
  private static final int MOST_SAMPLES = 240;
  private static final Duration LEAST = Duration.ofMillis(500);

  private final Samples samples;
  private final long everyNs;
  private final CountDownLatch over = new CountDownLatch(1);
  private @Nullable Thread thread;

  /** Over a soak of that length. */
  Sampling(Samples samples, Duration length) {
    this.samples = samples;
    this.everyNs = Math.max(LEAST.toNanos(), length.toNanos() / MOST_SAMPLES);
  }

  /** Begins, once. */
  void start() {
    thread = Thread.ofPlatform().daemon().name("soak-samples").start(this::sample);
  }

  private void sample() {
    try {
      long waitNs = 0;
      while (!over.await(waitNs, TimeUnit.NANOSECONDS)) {
        long nowNs = System.nanoTime();
        samples.add();
        waitNs = Math.max(1, everyNs - (System.nanoTime() - nowNs));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends it; no sample is taken from then on. */
  void end() throws InterruptedException {
    over.countDown();
    Thread running = thread;
    if (running != null) {
      running.join();
    }
  }

  /** Ends it without waiting for a sample that is being taken. */
  @Override
  public void close() {
    over.countDown();
  }
}
