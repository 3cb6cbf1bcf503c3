package echoladder.workloads;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What a thread takes while it is parked at a given depth of its stack. All threads run one and the same task, so nothing of
 * the measurement is kept per thread. Growth counts from right before the first of them, after a forced collection, to when
 * all are parked, after another.
 */
@Command(
    name = "footprint",
    description = "Park N threads and tell what each takes: resident, live heap, address space.",
    footer = {
      "",
      "Example: 100,000 virtual threads, parked 50 frames deep",
      "  java -cp 'workloads/target/lib/*' echoladder.workloads.Footprint --model virtual --tasks 100000 --depth 50",
      "",
      "Exit status: 0 all were parked, " + Workload.STATUS_1_AND_2,
      Workload.STATUS_3
    })
public final class Footprint extends Workload {
  private static final ThreadLocal<byte[]> KEPT = new ThreadLocal<>();

  @Option(names = "--model", required = true, description = "platform or virtual.")
  private Model model = Model.VIRTUAL;

  @Option(names = "--tasks", required = true, paramLabel = "N", description = "How many, 1 to 100,000,000.")
  private long tasks;

  @Option(names = "--depth", defaultValue = "1", paramLabel = "D", description = "Frames of its own, 1 to 1000; default 1.")
  private int depth = 1;

  @Option(
      names = "--thread-local",
      defaultValue = "0",
      paramLabel = "BYTES",
      description = "What each keeps in a ThreadLocal besides, 0 to 1,000,000; default 0, and then there is none.")
  private int threadLocal;

  private final AtomicLong parked = new AtomicLong();
  private final AtomicLong sink = new AtomicLong();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final CountDownLatch gate = new CountDownLatch(1);

  /** Starts it. */
  public static void main(String[] args) {
    Runner.main(new Footprint(), args);
  }

  @Override
  void check() {
    requireWithin("--tasks", tasks, 1, 100_000_000);
    requireWithin("--depth", depth, 1, 1_000);
    requireWithin("--thread-local", threadLocal, 0, 1_000_000);
  }

  @Override
  String progress() {
    return "%,d of %,d parked".formatted(parked.get(), tasks);
  }

  @Override
  void run(Guards guards, Figures figures) throws Exception {
    figures.put("model", model.id()).put("tasks_requested", tasks).put("depth", depth).put("thread_local_bytes", threadLocal);
    warmUp();
    Settled before = Settled.now();
    Runnable task =
        () -> {
          if (threadLocal > 0) {
            KEPT.set(new byte[threadLocal]);
          }
          park(depth, gate);
        };
    long started = 0;
    try {
      while (started < tasks && !guards.stopped() && failure.get() == null) {
        model.factory().newThread(task).start();
        started++;
      }
    } catch (OutOfMemoryError e) {
      guards.fail(e);
    }
    boolean going = true;
    while (going && parked.get() < started && failure.get() == null) {
      going = guards.pause(1_000_000);
    }
    Throwable thrown = failure.get();
    if (thrown != null) {
      guards.fail(thrown);
    }
    figures.put("tasks_started", started).put("tasks_parked", parked.get());
    if (!guards.stopped()) {
      Settled after = Settled.now();
      figures
          .put("settled_at", "parked")
          .put("rss_settled_bytes", after.rssBytes())
          .put("heap_live_bytes", after.heapBytes())
          .put("os_threads_settled", after.osThreads())
          .put("resident_bytes_per_task", (after.rssBytes() - before.rssBytes()) / (double) started)
          .put("heap_bytes_per_task", (after.heapBytes() - before.heapBytes()) / (double) started)
          .put("reserved_bytes_per_task", (after.reservedBytes() - before.reservedBytes()) / (double) started)
          .put("reserved_growth_bytes", after.reservedBytes() - before.reservedBytes())
          .put("resident_growth_bytes", after.rssBytes() - before.rssBytes())
          .put("heap_growth_bytes", after.heapBytes() - before.heapBytes());
    }
    gate.countDown();
  }

  /** Both compilers see the path, so that frames are of the size that they have in a program that has run for a while. */
  private void warmUp() throws InterruptedException {
    CountDownLatch open = new CountDownLatch(1);
    open.countDown();
    for (int i = 0; i < 200; i++) {
      Thread thread = model.factory().newThread(() -> {
        for (int j = 0; j < 100; j++) {
          park(depth, open);
        }
      });
      thread.start();
      thread.join();
    }
    parked.set(0);
  }

  /** So many frames, and the wait in the last of them. What it computes keeps each frame's values alive. */
  private long park(int left, CountDownLatch at) {
    long here = left * 31L;
    long below = left > 1 ? park(left - 1, at) : await(at);
    return sink.addAndGet(here ^ below);
  }

  private long await(CountDownLatch at) {
    parked.incrementAndGet();
    try {
      at.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
    }
    return 1;
  }
}
