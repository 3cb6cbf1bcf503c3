package echoladder.workloads;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import jdk.jfr.consumer.RecordingStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Virtual threads that block where they may hold their carrier: inside synchronized, below a native frame, in a class's
 * initialiser; and inside a lock, where they do not. Each task has a monitor, a frame or a class of its own, so that nobody
 * waits for anybody: where a thread is pinned, only as many tasks wait at once as there are carriers.
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
      "Exit status: 0 all tasks ended, 1 it ended before (ended_by and ended_detail say why), 2 bad usage."
    })
public final class Pinning extends Workload {
  /** Where a task blocks. */
  enum Where {
    LOCK,
    SYNCHRONIZED,
    NATIVE,
    CLASS_INIT
  }

  @Option(names = "--where", required = true, description = "lock, synchronized, native or class_init.")
  private Where where = Where.LOCK;

  @Option(names = "--tasks", defaultValue = "1000", paramLabel = "T", description = "1 to 1,000,000; default 1000.")
  private int tasks = 1_000;

  @Option(
      names = "--block",
      defaultValue = "10ms",
      paramLabel = "TIME",
      converter = OptionTexts.Time.class,
      description = "How long each blocks; default ${DEFAULT-VALUE}.")
  private Duration block = Duration.ofMillis(10);

  private final AtomicLong ended = new AtomicLong();
  private final AtomicLong pinned = new AtomicLong();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** Starts it. */
  public static void main(String[] args) {
    Runner.main(new Pinning(), args);
  }

  @Override
  void check() {
    requireWithin("--tasks", tasks, 1, 1_000_000);
    require(block.toMillis() > 0, "--block " + block.toMillis() + "ms is not allowed; 1ms to 60m");
  }

  @Override
  String progress() {
    return "%,d of %,d ended, %,d pinned events".formatted(ended.get(), tasks, pinned.get());
  }

  @Override
  void run(Guards guards, Figures figures) throws Exception {
    figures.put("where", where.name().toLowerCase(Locale.ROOT)).put("tasks_requested", tasks).put("block_ns", block.toNanos());
    NativeFrame frame = new NativeFrame(block);
    try (RecordingStream events = new RecordingStream()) {
      events.enable("jdk.VirtualThreadPinned").withThreshold(Duration.ZERO).withoutStackTrace();
      events.onEvent("jdk.VirtualThreadPinned", event -> pinned.incrementAndGet());
      events.startAsync();
      CountDownLatch left = new CountDownLatch(tasks);
      long begun = System.nanoTime();
      for (int i = 0; i < tasks && !guards.stopped(); i++) {
        Thread.ofVirtual().start(() -> task(frame, left));
      }
      boolean all = guards.await(left);
      long wall = System.nanoTime() - begun;
      events.stop(); // Waits until what was recorded by now has been seen.
      Throwable thrown = failure.get();
      if (thrown != null) {
        guards.fail(thrown);
      }
      figures
          .put("wall_ns", wall)
          .put("tasks_ended", ended.get())
          .put("tasks_per_s", all ? (Double) (ended.get() * 1e9 / wall) : null)
          .put("tasks_waiting_mean", all ? (Double) ((double) ended.get() * block.toNanos() / wall) : null)
          .put("pinned_events", pinned.get());
    }
  }

  private void task(NativeFrame frame, CountDownLatch left) {
    try {
      switch (where) {
        case LOCK -> {
          ReentrantLock lock = new ReentrantLock();
          lock.lock();
          try {
            Thread.sleep(block);
          } finally {
            lock.unlock();
          }
        }
        case SYNCHRONIZED -> {
          Object monitor = new Object();
          synchronized (monitor) {
            Thread.sleep(block);
          }
        }
        case NATIVE -> frame.block();
        case CLASS_INIT -> SlowClass.initialiseAnother(block);
      }
      ended.incrementAndGet();
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
    }
    left.countDown();
  }

  /** Blocks in a Java method that C calls: qsort(3) asks it to compare the two elements of an array. */
  static final class NativeFrame {
    private final MethodHandle sort;
    private final MemorySegment compare;
    private final Duration block;

    NativeFrame(Duration block) throws ReflectiveOperationException {
      this.block = block;
      Linker linker = Linker.nativeLinker();
      sort =
          linker.downcallHandle(
              linker.defaultLookup().findOrThrow("qsort"),
              FunctionDescriptor.ofVoid(
                  ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
      MethodHandle own =
          MethodHandles.lookup()
              .bind(this, "compare", MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class));
      compare =
          linker.upcallStub(
              own,
              FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS),
              Arena.global());
    }

    void block() throws Throwable {
      try (Arena arena = Arena.ofConfined()) {
        sort.invoke(arena.allocate(ValueLayout.JAVA_INT, 2), 2L, (long) Integer.BYTES, compare);
      }
    }

    @SuppressWarnings("unused") // By the method handle.
    int compare(MemorySegment a, MemorySegment b) {
      try {
        Thread.sleep(block);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return 0;
    }
  }
}
