package echoladder.workloads;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches, in a thread of its own, what a workload takes of the host, and ends it in time. The workload asks
 * {@link #stopped} wherever it takes more, and waits by {@link #await} alone. Any thread may call.
 */
final class Guards implements AutoCloseable {
  private static final long EVERY_MS = 20;
  private static final long PROGRESS_EVERY_NS = 1_000_000_000;

  /** Freed when a workload ends early, so that it can write its figures. */
  private static final int BALLAST_BYTES = 8 << 20;

  private final Limits limits;
  private final ProcessReadings readings = new ProcessReadings();
  private final AtomicReference<@Nullable Ended> ended = new AtomicReference<>();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Supplier<String> progress;
  private final Runnable lastResort;
  private final OverTime overTime = new OverTime();
  private final long startNs = System.nanoTime();
  @SuppressWarnings("unused") // Held, not read.
  private volatile byte @Nullable [] ballast = new byte[BALLAST_BYTES];
  private volatile boolean closed;
  private volatile long threadsPeak;
  private volatile long heldPeakBytes;

  /**
   * Begins to watch.
   *
   * @param progress a line for stderr, asked for once a second
   * @param lastResort what to do where the workload has not ended 10 s after it was told to; must not need much memory
   */
  Guards(Limits limits, Supplier<String> progress, Runnable lastResort) {
    this.limits = limits;
    this.progress = progress;
    this.lastResort = lastResort;
    // Above the workload's own threads in nothing but that there are few of them: one of two to be scheduled.
    Thread.ofPlatform().daemon().name("guards").start(this::watch);
  }

  /** Whether the workload should take no more. */
  boolean stopped() {
    return ended.get() != null;
  }

  /** Ends the workload; what ended it first counts. */
  void end(Ended by) {
    if (ended.compareAndSet(null, by)) {
      ballast = null;
      stop.countDown();
    }
  }

  /** Ends it by an error, also where there is no memory left to write down which. */
  void fail(Throwable error) {
    ballast = null;
    try {
      end(Ended.by(error));
    } catch (OutOfMemoryError e) {
      end(Ended.HEAP_FULL);
    }
  }

  /** What ended it; DONE as long as nothing did. */
  Ended ended() {
    Ended by = ended.get();
    return by == null ? Ended.DONE : by;
  }

  /** Waits for a latch; false where the workload was ended before it opened. */
  boolean await(CountDownLatch latch) throws InterruptedException {
    while (!latch.await(EVERY_MS, TimeUnit.MILLISECONDS)) {
      if (stopped()) {
        return false;
      }
    }
    return true;
  }

  /** Waits that long; false where the workload was ended meanwhile. */
  boolean pause(long ns) throws InterruptedException {
    return !stop.await(ns, TimeUnit.NANOSECONDS);
  }

  /** The most OS threads of this process that were seen. */
  long threadsPeak() {
    return threadsPeak;
  }

  /** The most that counted against the memory limit. */
  long heldPeakBytes() {
    return heldPeakBytes;
  }

  /** Memory and threads, from the start on. */
  OverTime overTime() {
    return overTime;
  }

  private void watch() {
    long toldNs = System.nanoTime();
    long endedNs = 0;
    while (!closed) {
      try {
        readings.refresh();
        threadsPeak = Math.max(threadsPeak, readings.threads());
        heldPeakBytes = Math.max(heldPeakBytes, readings.heldBytes());
        long now = System.nanoTime();
        overTime.add((now - startNs) / 1_000_000, readings.rssBytes(), readings.threads());
        Ended reached =
            limits.check(readings.heldBytes(), readings.availableBytes(), readings.hostTasks(), now - startNs);
        if (reached != null) {
          end(reached);
        }
        if (now - toldNs >= PROGRESS_EVERY_NS && !stopped()) {
          toldNs = now;
          System.err.printf("%s, RSS %,d MiB, %,d OS threads%n", progress.get(), readings.rssBytes() >> 20, readings.threads());
        }
        if (stopped()) {
          endedNs = endedNs == 0 ? now : endedNs;
          if (now - endedNs > TimeUnit.SECONDS.toNanos(10)) {
            lastResort.run();
            return;
          }
        }
        TimeUnit.MILLISECONDS.sleep(EVERY_MS);
      } catch (OutOfMemoryError e) {
        // Whoever allocates next ends by the same; here it says that the heap is full.
        end(Ended.HEAP_FULL);
      } catch (IOException e) {
        end(new Ended(Ended.Kind.ERROR, "the guards cannot read /proc any more: " + e.getMessage()));
        return;
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
