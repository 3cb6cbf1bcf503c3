package echoladder.workloads;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import jdk.jfr.consumer.RecordingStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Virtual threads that block where they may hold their carrier: inside synchronized, below a native frame, in a class's
 * initialiser; and inside a lock, where they do not. Each task has a monitor, a frame or a class of its own, so that nobody
 * waits for anybody: where a thread is pinned, only as many tasks wait at once as there are carriers.
 *
 * <p>It runs on JDK 21 too, whose threads synchronized pins; the native frame needs JDK 22 or newer.
 */
@Command(
    name = "pinning",
    description = "Let virtual threads block where they may be pinned, and tell tasks per second and pinned events.",
    footer = {
      "",
      "Example:",
      "  java --enable-native-access=ALL-UNNAMED -cp 'workloads/target/lib/*' echoladder.workloads.Pinning \\",
      "    --where synchronized --tasks 1000 --block 10ms",
      "",
      "Exit status: 0 all tasks ended, " + Workload.STATUS_1_AND_2,
      Workload.STATUS_3
    })
public final class Pinning extends Workload {
  private static final Duration WARM_UP_BLOCK = Duration.ofMillis(1);

  /** Blocks in a frame of its own. */
  interface BlockingFrame {
    void block() throws Throwable;
  }

  /** Where a task blocks. */
  enum Where {
    LOCK,
    SYNCHRONIZED,
    NATIVE,
    CLASS_INIT
  }

  @Option(names = "--where", required = true, description = "lock, synchronized, native or class_init.")
  private Where where = Where.LOCK;

  @Option(names = "--tasks", defaultValue = "1000", paramLabel = "T", description = "1 to 100,000,000; default 1000.")
  private int tasks = 1_000;

  @Option(
      names = "--block",
      defaultValue = "10ms",
      paramLabel = "TIME",
      converter = OptionTexts.Time.class,
      description = "How long each blocks; default ${DEFAULT-VALUE}.")
  private Duration block = Duration.ofMillis(10);

  @Option(names = "--warm-up", defaultValue = "100", paramLabel = "T", description = "Tasks before that; default 100.")
  private int warmUp = 100;

  private final AtomicLong ended = new AtomicLong();
  private final AtomicLong pinned = new AtomicLong();
  private final Times startDelay = new Times();
  private final Times taskTime = new Times();

  /** Starts it. */
  public static void main(String[] args) {
    Runner.main(new Pinning(), args);
  }

  @Override
  void check() {
    requireWithin("--tasks", tasks, 1, 100_000_000);
    requireWithin("--warm-up", warmUp, 0, 1_000_000);
    require(block.toMillis() > 0, "--block " + block.toMillis() + "ms is not allowed; 1ms to 60m");
  }

  @Override
  String progress() {
    return "%,d of %,d ended, %,d pinned events".formatted(ended.get(), tasks, pinned.get());
  }

  @Override
  void run(Guards guards, Figures figures) throws Exception {
    figures.put("where", where.name().toLowerCase(Locale.ROOT)).put("tasks_requested", tasks).put("block_ns", block.toNanos());
    // Shorter, as a pinned thread holds its carrier; and before events are counted, as loading classes pins too.
    round(warmUp, WARM_UP_BLOCK.compareTo(block) < 0 ? WARM_UP_BLOCK : block, guards);
    startDelay.reset();
    taskTime.reset();
    ended.set(0);
    try (RecordingStream events = new RecordingStream()) {
      events.enable("jdk.VirtualThreadPinned").withThreshold(Duration.ZERO).withoutStackTrace();
      events.onEvent("jdk.VirtualThreadPinned", event -> pinned.incrementAndGet());
      events.startAsync();
      long begun = System.nanoTime();
      boolean all = round(tasks, block, guards);
      long wall = System.nanoTime() - begun;
      events.stop(); // Waits until what was recorded by now has been seen.
      figures
          .put("wall_ns", wall)
          .put("tasks_ended", ended.get())
          .put("tasks_per_s", all ? (Double) (ended.get() * 1e9 / wall) : null)
          .put("tasks_waiting_mean", all ? (Double) ((double) ended.get() * block.toNanos() / wall) : null)
          .put("pinned_events", pinned.get())
          .times("start_delay", startDelay)
          .times("task_time", taskTime);
    }
  }

  /** So many tasks; false where they were ended before. */
  private boolean round(int count, Duration time, Guards guards) throws InterruptedException {
    BlockingFrame frame = where == Where.NATIVE ? nativeFrame(time, guards) : () -> {};
    CountDownLatch left = new CountDownLatch(count);
    for (int i = 0; i < count && !guards.stopped(); i++) {
      long askedNs = System.nanoTime();
      Thread.ofVirtual().start(() -> task(askedNs, frame, time, left, guards));
    }
    return guards.await(left);
  }

  /** By name, as its class is of a newer JDK than all others. */
  static BlockingFrame nativeFrame(Duration time, Guards guards) {
    try {
      Class<?> frame = Class.forName("echoladder.workloads.NativeFrame");
      return (BlockingFrame) frame.getDeclaredConstructor(Duration.class).newInstance(time);
    } catch (UnsupportedClassVersionError e) {
      guards.end(new Ended(Ended.Kind.ERROR, "cannot block below a native frame on JDK " + Runtime.version().feature()
          + ": it takes the foreign function API of JDK 22 or newer; the other places do without"));
    } catch (ReflectiveOperationException e) {
      guards.fail(e);
    }
    return () -> {};
  }

  private void task(long askedNs, BlockingFrame frame, Duration time, CountDownLatch left, Guards guards) {
    if (guards.stopped()) {
      return;
    }
    long begunNs = System.nanoTime();
    startDelay.record(begunNs - askedNs);
    try {
      switch (where) {
        case LOCK -> {
          ReentrantLock lock = new ReentrantLock();
          lock.lock();
          try {
            Thread.sleep(time);
          } finally {
            lock.unlock();
          }
        }
        case SYNCHRONIZED -> {
          Object monitor = new Object();
          synchronized (monitor) {
            Thread.sleep(time);
          }
        }
        case NATIVE -> frame.block();
        case CLASS_INIT -> SlowClass.initialiseAnother(time);
      }
      taskTime.record(System.nanoTime() - begunNs);
      ended.incrementAndGet();
    } catch (Throwable e) {
      guards.fail(e);
    }
    left.countDown();
  }
}
