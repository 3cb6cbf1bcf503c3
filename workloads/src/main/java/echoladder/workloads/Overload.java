package echoladder.workloads;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Tasks that come in an open loop, each in a thread of its own, and wait for something that serves only so many at once. Where more come
 * than it can serve, those that wait grow in number for as long as that lasts, unless somebody keeps them out: {@code --bound} lets
 * in no more than so many at once, and has the rest wait at the door. A task's time runs from when it was to come.
 */
@Command(
    name = "overload",
    description = "Let tasks come at a rate for some time, and tell how many wait at half of it and at its end.",
    footer = {
      "",
      "Example: twice as many as ten at once can be served in 10 ms",
      "  java -cp 'workloads/target/lib/*' echoladder.workloads.Overload --model virtual --rate 2000 --at-once 10 --serve 10ms --for 4s",
      "",
      "Exit status: 0 done, " + Workload.STATUS_1_AND_2,
      Workload.STATUS_3
    })
public final class Overload extends Workload {
  @Option(names = "--model", required = true, description = "platform or virtual.")
  private Model model = Model.VIRTUAL;

  @Option(names = "--rate", defaultValue = "2000", paramLabel = "R", description = "Tasks per second, 1 to 1,000,000; default 2000.")
  private int rate = 2_000;

  @Option(names = "--at-once", defaultValue = "10", paramLabel = "K",
      description = "So many are served at once, 1 to 1,000,000; default 10.")
  private int atOnce = 10;

  @Option(
      names = "--serve",
      defaultValue = "10ms",
      paramLabel = "TIME",
      converter = OptionTexts.Time.class,
      description = "What each takes then; default ${DEFAULT-VALUE}.")
  private Duration serve = Duration.ofMillis(10);

  @Option(
      names = "--for",
      defaultValue = "4s",
      paramLabel = "TIME",
      converter = OptionTexts.Time.class,
      description = "For how long they come; default ${DEFAULT-VALUE}.")
  private Duration length = Duration.ofSeconds(4);

  @Option(names = "--bound", paramLabel = "N", description = "Let in at most so many at once, 1 to 1,000,000. Default: all.")
  private @Nullable Integer bound;

  private final AtomicLong started = new AtomicLong();
  private final AtomicLong ended = new AtomicLong();
  private final Times taskTime = new Times();
  private final CountDownLatch over = new CountDownLatch(1);

  /** Starts it. */
  public static void main(String[] args) {
    Runner.main(new Overload(), args);
  }

  @Override
  void check() {
    requireWithin("--rate", rate, 1, 1_000_000);
    requireWithin("--at-once", atOnce, 1, 1_000_000);
    requireWithin("--bound", bound == null ? 1 : bound, 1, 1_000_000);
    require(serve.toMillis() > 0, "--serve " + serve.toMillis() + "ms is not allowed; 1ms to 60m");
    require(length.toMillis() > 0, "--for " + length.toMillis() + "ms is not allowed; 1ms to 60m");
  }

  @Override
  String progress() {
    return "%,d under way, %,d ended".formatted(underWay(), ended.get());
  }

  private long underWay() {
    return started.get() - ended.get();
  }

  @Override
  void run(Guards guards, Figures figures) throws Exception {
    figures
        .put("model", model.id())
        .put("offered_per_s", rate)
        .put("capacity_per_s", atOnce * 1e9 / serve.toNanos())
        .put("bound", bound)
        .put("length_ns", length.toNanos());
    Semaphore service = new Semaphore(atOnce);
    try {
      come(service, new Semaphore(bound == null ? Integer.MAX_VALUE : bound), guards, figures);
    } finally {
      over.countDown();
      service.release(1 << 30);
    }
    boolean going = true;
    while (going && underWay() > 0) {
      going = guards.pause(1_000_000);
    }
    figures.put("tasks_ended", ended.get()).times("task_time", taskTime);
  }

  /** Starts a task at each time of the schedule, or as soon as it is let in, until the time is over. */
  private void come(Semaphore service, Semaphore door, Guards guards, Figures figures) throws InterruptedException {
    ThreadFactory threads = model.factory();
    long everyNs = 1_000_000_000L / rate;
    long begun = System.nanoTime();
    long end = begun + length.toNanos();
    Long atHalf = null;
    for (long i = 0; begun + i * everyNs - end < 0; i++) {
      long due = begun + i * everyNs;
      if (!guards.pause(Math.max(0, due - System.nanoTime())) || !letIn(door, end, guards)) {
        break;
      }
      if (atHalf == null && System.nanoTime() - begun >= length.toNanos() / 2) {
        atHalf = underWay();
      }
      started.incrementAndGet();
      threads.newThread(() -> task(due, service, door, guards)).start();
    }
    long atEnd = underWay();
    boolean whole = !guards.stopped();
    figures
        .put("tasks_offered", length.toNanos() / everyNs)
        .put("tasks_started", started.get())
        .put("tasks_under_way_at_half", whole ? atHalf : null)
        .put("tasks_under_way_at_end", whole ? (Long) atEnd : null)
        .put("tasks_kept_out", Math.max(0, length.toNanos() / everyNs - started.get()));
    if (whole) {
      figures.put("settled_at", "the end of the arrivals").settled();
    }
  }

  /** False where the time was over before, or the workload was ended. */
  private static boolean letIn(Semaphore door, long endNs, Guards guards) throws InterruptedException {
    while (!door.tryAcquire(20, TimeUnit.MILLISECONDS)) {
      if (guards.stopped() || System.nanoTime() - endNs >= 0) {
        return false;
      }
    }
    return true;
  }

  private void task(long dueNs, Semaphore service, Semaphore door, Guards guards) {
    try {
      service.acquire();
      // Nobody waits any longer for what nobody measures.
      if (!guards.stopped() && !over.await(serve.toNanos(), TimeUnit.NANOSECONDS)) {
        taskTime.record(System.nanoTime() - dueNs);
      }
      service.release();
    } catch (Throwable e) {
      guards.fail(e);
    }
    ended.incrementAndGet();
    door.release();
  }
}
