package echoladder.workloads;

import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** T tasks that compute a Fibonacci number each: what a kind of thread costs work that never waits. */
@Command(
    name = "cpu-bound",
    description = "Compute a Fibonacci number in each of T tasks, and tell tasks per second and CPU per task.",
    footer = {
      "",
      "Example:",
      "  java -cp 'workloads/target/lib/*' echoladder.workloads.CpuBound --model virtual --tasks 2000 --fibonacci 27",
      "",
      "Exit status: 0 all tasks ended, " + Workload.STATUS_1_AND_2,
      Workload.STATUS_3
    })
public final class CpuBound extends Workload {
  /** Who runs the tasks. */
  enum Runs {
    PLATFORM,
    VIRTUAL,
    /** As many platform threads as there are processors. */
    POOL
  }

  @Option(names = "--model", required = true, description = "platform or virtual: a thread per task; pool: a fixed pool.")
  private Runs model = Runs.VIRTUAL;

  @Option(names = "--tasks", defaultValue = "2000", paramLabel = "T", description = "1 to 100,000,000; default 2000.")
  private int tasks = 2_000;

  @Option(names = "--fibonacci", defaultValue = "27", paramLabel = "N", description = "Which number, 1 to 50; default 27.")
  private int n = 27;

  @Option(names = "--warm-up", defaultValue = "200", paramLabel = "T", description = "Tasks before that; default 200.")
  private int warmUp = 200;

  private final AtomicLong ended = new AtomicLong();
  private final AtomicLong wrong = new AtomicLong();
  private final Times startDelay = new Times();
  private final Times taskTime = new Times();

  /** Starts it. */
  public static void main(String[] args) {
    Runner.main(new CpuBound(), args);
  }

  @Override
  void check() {
    requireWithin("--tasks", tasks, 1, 100_000_000);
    requireWithin("--fibonacci", n, 1, 50);
    requireWithin("--warm-up", warmUp, 0, 1_000_000);
  }

  @Override
  String progress() {
    return "%,d of %,d ended".formatted(ended.get(), tasks);
  }

  @Override
  void run(Guards guards, Figures figures) throws Exception {
    figures.put("model", model.name().toLowerCase(Locale.ROOT)).put("tasks_requested", tasks).put("fibonacci", n);
    try (ExecutorService executor = executor()) {
      round(executor, warmUp, guards);
      startDelay.reset();
      taskTime.reset();
      ended.set(0);
      long cpu = ProcessCpu.ns();
      long begun = System.nanoTime();
      boolean all = round(executor, tasks, guards);
      long wall = System.nanoTime() - begun;
      figures
          .put("wall_ns", wall)
          .put("tasks_ended", ended.get())
          .put("tasks_per_s", ended.get() * 1e9 / wall)
          .put("cpu_per_task_ns", ended.get() == 0 ? null : (Long) ((ProcessCpu.ns() - cpu) / ended.get()))
          .times("start_delay", startDelay)
          .times("task_time", taskTime);
      if (wrong.get() > 0) {
        guards.end(new Ended(Ended.Kind.ERROR, wrong.get() + " tasks computed a wrong number"));
      }
      if (!all) {
        executor.shutdownNow();
      }
    }
  }

  private ExecutorService executor() {
    return switch (model) {
      case PLATFORM -> Executors.newThreadPerTaskExecutor(Model.PLATFORM.factory());
      case VIRTUAL -> Executors.newVirtualThreadPerTaskExecutor();
      case POOL -> Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors(), Model.PLATFORM.factory());
    };
  }

  /** So many tasks, all of them asked for at once; false where they were ended before. */
  private boolean round(ExecutorService executor, int count, Guards guards) throws InterruptedException {
    CountDownLatch left = new CountDownLatch(count);
    for (int i = 0; i < count && !guards.stopped(); i++) {
      long askedNs = System.nanoTime();
      executor.execute(() -> task(askedNs, left, guards));
    }
    return guards.await(left);
  }

  private void task(long askedNs, CountDownLatch left, Guards guards) {
    if (!guards.stopped()) {
      long begunNs = System.nanoTime();
      if (Fibonacci.of(n) != Fibonacci.known(n)) {
        wrong.incrementAndGet();
      }
      long endedNs = System.nanoTime();
      startDelay.record(begunNs - askedNs);
      taskTime.record(endedNs - begunNs);
      ended.incrementAndGet();
    }
    left.countDown();
  }
}
