package echoladder.workloads;

import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * N tasks that wait: each sleeps for the same time, or all wait on one latch that opens when the last of them waits. Asked
 * for more than there can be, it ends at the error of the runtime, or at its own guards.
 *
 * <p>Of sleepers there are never more alive at once than are started within one sleep: {@code tasks_live_peak} says how
 * many there were. A form in which all wait on one latch has them all alive, or says how far it came.
 *
 * <p>{@code heap_used_bytes} is read right after the last of them has ended and before any collection, garbage included;
 * {@code rss_ended_bytes}, of that form alone, after a collection then.
 */
@Command(
    name = "thread-ramp",
    description = "Start N threads that wait, and tell what that takes and what it ends at.",
    footer = {
      "",
      "Example: a million virtual threads that each sleep for a second, within 4 GiB",
      "  java -Xmx3500m -cp 'workloads/target/lib/*' echoladder.workloads.ThreadRamp --model virtual --tasks 1000000 \\",
      "    --memory-limit 4G",
      "",
      "Exit status: 0 all tasks ended, " + Workload.STATUS_1_AND_2,
      Workload.STATUS_3
    })
public final class ThreadRamp extends Workload {
  @Option(names = "--model", required = true, description = "platform or virtual.")
  private Model model = Model.VIRTUAL;

  @Option(names = "--tasks", required = true, paramLabel = "N", description = "How many, 1 to 1,000,000,000.")
  private long tasks;

  @Option(
      names = "--sleep",
      defaultValue = "1s",
      paramLabel = "TIME",
      converter = OptionTexts.Time.class,
      description = "How long each sleeps. Default: ${DEFAULT-VALUE}.")
  private Duration sleep = Duration.ofSeconds(1);

  @Option(names = "--latch", description = "All wait on one latch instead, which opens when the last of them waits.")
  private boolean latch;

  @Option(
      names = "--warm-up",
      defaultValue = "2000",
      paramLabel = "N",
      description = "Tasks that are started and ended before, for the compilers. Default: ${DEFAULT-VALUE}.")
  private int warmUp = 2_000;

  private final LiveTasks live = new LiveTasks();
  private final Times startDelay = new Times();
  private final Times taskTime = new Times();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final CountDownLatch gate = new CountDownLatch(1);
  private final AtomicLong started = new AtomicLong();

  /** Starts it. */
  public static void main(String[] args) {
    Runner.main(new ThreadRamp(), args);
  }

  @Override
  void check() {
    requireWithin("--tasks", tasks, 1, 1_000_000_000);
    requireWithin("--warm-up", warmUp, 0, 1_000_000);
  }

  @Override
  String progress() {
    return "%,d of %,d started, %,d ended, %,d live".formatted(started.get(), tasks, live.ended(), live.live());
  }

  @Override
  void run(Guards guards, Figures figures) throws Exception {
    figures.put("model", model.id()).put("tasks_requested", tasks).put("wait", latch ? "latch" : "sleep");
    figures.put("sleep_ns", latch ? null : (Long) sleep.toNanos());
    ThreadFactory threads = model.factory();
    warmUp(threads);
    long begun = System.nanoTime();
    try {
      while (started.get() < tasks && !guards.stopped() && failure.get() == null) {
        threads.newThread(new Task(guards, System.nanoTime())).start();
        started.incrementAndGet();
      }
      settleAtLatch(guards, figures);
      while (live.ended() < started.get() && guards.pause(1_000_000)) {
        if (failure.get() != null) {
          break;
        }
      }
    } catch (OutOfMemoryError e) {
      // Of the heap, or of the kernel where it gives no thread: either way nothing more can be started.
      guards.fail(e);
    }
    Throwable thrown = failure.get();
    if (thrown != null) {
      guards.fail(thrown);
    }
    figures
        .put("wall_ns", System.nanoTime() - begun)
        .put("tasks_started", started.get())
        .put("tasks_ended", live.ended())
        .put("tasks_live_peak", live.peak())
        .put("heap_used_bytes", Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory())
        .put("rss_ended_bytes", latch && !guards.stopped() ? (Long) Settled.now().rssBytes() : null)
        .times("start_delay", startDelay)
        .times("task_time", taskTime);
  }

  /** With all of them waiting memory is what they take; then the latch opens. */
  private void settleAtLatch(Guards guards, Figures figures) throws InterruptedException {
    if (!latch) {
      return;
    }
    while (live.live() < started.get() && guards.pause(1_000_000)) {
      if (failure.get() != null) {
        break;
      }
    }
    if (!guards.stopped()) {
      figures.put("settled_at", "latch").settled();
    }
    gate.countDown();
  }

  private static void warmUpTask() {
    try {
      Thread.sleep(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void warmUp(ThreadFactory threads) throws InterruptedException {
    ConcurrentLinkedQueue<Thread> all = new ConcurrentLinkedQueue<>();
    for (int i = 0; i < warmUp; i++) {
      Thread thread = threads.newThread(ThreadRamp::warmUpTask);
      thread.start();
      all.add(thread);
    }
    for (Thread thread : all) {
      thread.join();
    }
  }

  /** One task, with the time at which it was asked to start. */
  private final class Task implements Runnable {
    private final Guards guards;
    private final long askedNs;

    Task(Guards guards, long askedNs) {
      this.guards = guards;
      this.askedNs = askedNs;
    }

    @Override
    public void run() {
      if (guards.stopped()) {
        return; // It would take memory that is not there any more.
      }
      long begunNs = System.nanoTime();
      live.begin();
      try {
        startDelay.record(begunNs - askedNs);
        if (latch) {
          gate.await();
        } else {
          Thread.sleep(sleep);
        }
        taskTime.record(System.nanoTime() - begunNs);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (Throwable e) {
        failure.compareAndSet(null, e);
      }
      live.end();
    }
  }
}
