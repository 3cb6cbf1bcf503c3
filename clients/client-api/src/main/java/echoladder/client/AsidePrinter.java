package echoladder.client;

import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/**
 * Prints from a thread of its own, so that who measures never waits for a terminal that is held (Ctrl-S) or a pipe that
 * nobody reads. What does not fit into its queue meanwhile is left out, and said when there is room. Any thread may call.
 */
public final class AsidePrinter {
  private static final int QUEUED_MOST = 1_000;

  private final PrintStream out;
  private final LongFunction<String> missing;
  private final AtomicLong leftOut = new AtomicLong();
  private final ThreadPoolExecutor printing;

  /** Prints there. */
  public AsidePrinter(PrintStream out) {
    this(out, lines -> "[%,d messages are left out here, as nobody took them]%n".formatted(lines));
  }

  /** Prints there; {@code missing} is what stands where so many messages are left out. */
  public AsidePrinter(PrintStream out, LongFunction<String> missing) {
    this(out, missing, Thread.ofPlatform().daemon().name("printer").factory());
  }

  AsidePrinter(PrintStream out, LongFunction<String> missing, ThreadFactory threads) {
    this.out = out;
    this.missing = missing;
    // One thread, which goes when there is nothing to print for a minute.
    printing = new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(QUEUED_MOST), threads);
    printing.allowCoreThreadTimeOut(true);
  }

  /** Prints a text as it is, after what was given before it; returns at once. */
  public void print(String text) {
    if (!given(() -> put(text))) {
      leftOut.incrementAndGet();
    }
  }

  /** A thread cannot be started where the kernel has no more: a climb whose server has them all still goes on. */
  private boolean given(Runnable task) {
    try {
      printing.execute(task);
      return true;
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      return false;
    }
  }

  private void put(String text) {
    long lost = leftOut.getAndSet(0);
    if (lost > 0) {
      out.print(missing.apply(lost));
    }
    out.print(text);
    out.flush();
  }

  /** Whether all that was given is printed, or is within the bound. */
  public boolean flush(Duration bound) {
    CountDownLatch printed = new CountDownLatch(1);
    try {
      return given(printed::countDown) && printed.await(bound.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
