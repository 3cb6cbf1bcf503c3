package echoladder.workloads;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * One recursion, the naive Fibonacci, in six ways; a call is one number of that size. A call's time runs from when it is to be
 * handed over to when its number is there, so it contains its wait for a permit and in a queue.
 */
@Command(
    name = "fork-style",
    description = "Do the same recursion in one of six ways, and tell the wall time and the time per call.",
    footer = {
      "",
      "  sequential            one thread, call after call",
      "  thread-per-call       each call of the recursion starts a thread for one half, and joins it",
      "  two-threads-per-call  each starts a thread for either half, and waits for both",
      "  shared-executor       each submits one half to an executor that all share, which has a thread for each",
      "  over-calls            an executor over whole calls, each of them sequential; all are submitted at once",
      "  bounded               the same, with a semaphore that bounds how many are submitted and not ended",
      "",
      "With --pool the last three have a pool of a platform thread per processor; who waits for a half that nobody has begun does it.",
      "",
      "Example:",
      "  java -cp 'workloads/target/lib/*' echoladder.workloads.ForkStyle --style thread-per-call --fibonacci 15 --calls 200",
      "",
      "Exit status: 0 all calls ended, " + Workload.STATUS_1_AND_2,
      Workload.STATUS_3
    })
public final class ForkStyle extends Workload {
  /** How the recursion is spread over threads. */
  enum Style {
    SEQUENTIAL,
    THREAD_PER_CALL,
    TWO_THREADS_PER_CALL,
    SHARED_EXECUTOR,
    OVER_CALLS,
    BOUNDED;

    String id() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  @Option(names = "--style", required = true, paramLabel = "STYLE", description = "One of those below.")
  private String styleName = "";

  @Option(names = "--model", defaultValue = "virtual", description = "Threads of all but sequential: platform or virtual (default).")
  private Model model = Model.VIRTUAL;

  @Option(names = "--pool", description = "A pool of a platform thread per processor instead of a thread for each half or call.")
  private boolean pooled;

  @Option(names = "--permits", paramLabel = "P", description = "Of bounded, 1 to 1,000,000. Default: as many as processors.")
  private @Nullable Integer permits;

  @Option(names = "--fibonacci", defaultValue = "15", paramLabel = "N", description = "Size of a call, 2 to 40; default 15.")
  private int n = 15;

  @Option(names = "--calls", defaultValue = "200", paramLabel = "C", description = "How many, 1 to 100,000,000; default 200.")
  private int calls = 200;

  @Option(names = "--warm-up", defaultValue = "50", paramLabel = "C", description = "Calls before that; default 50.")
  private int warmUp = 50;

  private final Times callTime = new Times();
  @Option(
      names = "--flame-graph",
      paramLabel = "FILE",
      description = "Write where the calls spend processor time, by async-profiler: an .html file that is not there yet.")
  private @Nullable Path flameGraph;

  private final AtomicLong ended = new AtomicLong();
  private final AtomicLong forks = new AtomicLong();

  /** Starts it. */
  public static void main(String[] args) {
    Runner.main(new ForkStyle(), args);
  }

  private @Nullable Style style() {
    for (Style style : Style.values()) {
      if (style.id().equals(styleName)) {
        return style;
      }
    }
    return null;
  }

  @Override
  void check() {
    require(style() != null, "--style " + styleName + " is not known; sequential, thread-per-call, two-threads-per-call,"
        + " shared-executor, over-calls or bounded");
    requireWithin("--permits", permits == null ? 1 : permits, 1, 1_000_000);
    requireWithin("--fibonacci", n, 2, 40);
    requireWithin("--calls", calls, 1, 100_000_000);
    requireWithin("--warm-up", warmUp, 0, 1_000_000);
    if (flameGraph != null) {
      Path folder = flameGraph.toAbsolutePath().getParent();
      // Commas and percent signs mean something to async-profiler, and the end of the name tells it the format.
      require(
          flameGraph.toString().matches("[^,%]+\\.html") && !Files.exists(flameGraph)
              && folder != null && Files.isWritable(folder),
          "--flame-graph " + flameGraph + " is not allowed; an .html file that is not there yet, in a folder that can be"
              + " written, without commas and percent signs in its name");
    }
  }

  @Override
  String progress() {
    return "%,d of %,d calls ended, %,d forks".formatted(ended.get(), calls, forks.get());
  }

  @Override
  void run(Guards guards, Figures figures) throws Exception {
    int processors = Runtime.getRuntime().availableProcessors();
    int bound = permits == null ? processors : permits;
    figures
        .put("style", styleName)
        .put("model", pooled ? "pool" : model.id())
        .put("permits", style() == Style.BOUNDED ? (Integer) bound : null)
        .put("fibonacci", n)
        .put("calls_requested", calls);
    ExecutorService executor =
        pooled
            ? Executors.newFixedThreadPool(processors, Model.PLATFORM.factory())
            : Executors.newThreadPerTaskExecutor(model.factory());
    round(executor, bound, warmUp, guards);
    callTime.reset();
    ended.set(0);
    forks.set(0);
    FlameGraph graph = flameGraph == null ? null : new FlameGraph("fork-style", flameGraph, figures);
    long begun = System.nanoTime();
    round(executor, bound, calls, guards);
    long wall = System.nanoTime() - begun;
    if (graph != null) {
      graph.write();
    }
    executor.shutdownNow();
    figures
        .put("wall_ns", wall)
        .put("calls_ended", ended.get())
        .put("forks", forks.get())
        .put("per_call_wall_ns", ended.get() == 0 ? null : (Long) (wall / ended.get()))
        .times("call_time", callTime);
  }

  private void round(ExecutorService executor, int bound, int count, Guards guards) throws Exception {
    Style style = style();
    boolean over = style == Style.OVER_CALLS || style == Style.BOUNDED;
    CountDownLatch left = new CountDownLatch(count);
    Semaphore room = new Semaphore(style == Style.BOUNDED ? bound : Integer.MAX_VALUE);
    for (int i = 0; i < count && !guards.stopped(); i++) {
      if (over) {
        long handedNs = System.nanoTime();
        while (!room.tryAcquire(20, TimeUnit.MILLISECONDS)) {
          if (guards.stopped()) {
            return;
          }
        }
        executor.execute(() -> {
          call(handedNs, guards, () -> Fibonacci.of(n));
          room.release();
          left.countDown();
        });
      } else {
        call(System.nanoTime(), guards, () -> recursion(executor, guards));
        left.countDown();
      }
    }
    guards.await(left);
  }

  private long recursion(ExecutorService executor, Guards guards) throws Exception {
    return switch (style()) {
      case THREAD_PER_CALL -> byThreads(n, model.factory(), guards);
      case TWO_THREADS_PER_CALL -> byTwoThreads(n, model.factory(), guards);
      case SHARED_EXECUTOR -> byExecutor(n, executor, guards);
      case null, default -> Fibonacci.of(n);
    };
  }

  private void call(long handedNs, Guards guards, Callable<Long> work) {
    if (guards.stopped()) {
      return;
    }
    try {
      long number = work.call();
      if (guards.stopped()) {
        return; // It was not done to its end.
      }
      callTime.record(System.nanoTime() - handedNs);
      ended.incrementAndGet();
      if (number != Fibonacci.known(n)) {
        throw new IllegalStateException("the number " + n + " was computed as " + number);
      }
    } catch (Throwable e) {
      guards.fail(e);
    }
  }

  /** A thread for one half at each level; without meaning once the guards have ended it. */
  private long byThreads(int m, ThreadFactory threads, Guards guards) throws InterruptedException {
    if (m < 2 || guards.stopped()) {
      return m;
    }
    long[] half = new long[1];
    Thread thread = forked(() -> byThreads(m - 1, threads, guards), half, 0, threads, guards);
    long other = byThreads(m - 2, threads, guards);
    thread.join();
    return half[0] + other;
  }

  /** A thread for either half, while the caller only waits. */
  private long byTwoThreads(int m, ThreadFactory threads, Guards guards) throws InterruptedException {
    if (m < 2 || guards.stopped()) {
      return m;
    }
    long[] halves = new long[2];
    Thread one = forked(() -> byTwoThreads(m - 1, threads, guards), halves, 0, threads, guards);
    Thread other = forked(() -> byTwoThreads(m - 2, threads, guards), halves, 1, threads, guards);
    one.join();
    other.join();
    return halves[0] + halves[1];
  }

  /** A thread that computes one half into its place. */
  private Thread forked(Callable<Long> half, long[] into, int at, ThreadFactory threads, Guards guards) {
    Thread thread = threads.newThread(() -> {
      try {
        into[at] = half.call();
      } catch (Throwable e) {
        guards.fail(e);
      }
    });
    forks.incrementAndGet();
    thread.start();
    return thread;
  }

  /** One half is submitted. In a pool, where nobody has begun it, the caller does it, so that nobody waits for nobody. */
  private long byExecutor(int m, ExecutorService executor, Guards guards) throws InterruptedException, ExecutionException {
    if (m < 2 || guards.stopped()) {
      return m;
    }
    FutureTask<Long> half = new FutureTask<>(() -> byExecutor(m - 1, executor, guards));
    forks.incrementAndGet();
    executor.execute(half);
    long other = byExecutor(m - 2, executor, guards);
    if (pooled) {
      half.run(); // Does nothing where somebody has begun it.
    }
    return half.get() + other;
  }
}
